/** Spans and durations of requests that come in and go out by node:http and node:https. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { context } from '@opentelemetry/api';
import { getRPCMetadata, type RPCMetadata, RPCType } from '@opentelemetry/core';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { tellPage } from '../pages/tell-page.ts';

/** The route that Express assigned last, and where its router is mounted. */
const ROUTE = Symbol('route');
const BASE = Symbol('base of the route');

interface RoutedRequest extends IncomingMessage {
  baseUrl?: unknown;
  originalUrl?: unknown;
  [ROUTE]?: { path?: unknown } | undefined;
  [BASE]?: unknown;
}

const MAX_ROUTE = 256;

/** `pageOrigins`: those of the pages that are told which trace answered them. */
export const makeHttpInstrumentation = (pageOrigins: ReadonlySet<string>): HttpInstrumentation =>
  new HttpInstrumentation({
    responseHook: (span, response) => {
      if (!(response instanceof ServerResponse)) return;
      const metadata = activeRequest();
      if (metadata) readRouteAtEnd(response, metadata);
      if (pageOrigins.size > 0) tellPage(span, response, pageOrigins);
    },
  });

/** Names the route of the request that is being answered. Elsewhere it does nothing. */
export function setRoute(route: string): void {
  const metadata = activeRequest();
  if (metadata && typeof route === 'string' && route !== '') metadata.route = route.slice(0, MAX_ROUTE);
}

function activeRequest(): RPCMetadata | undefined {
  const metadata = getRPCMetadata(context.active());
  return metadata?.type === RPCType.HTTP ? metadata : undefined;
}

/** The instrumentation reads the route when the response is closed; this listener was there before. */
function readRouteAtEnd(response: ServerResponse, metadata: RPCMetadata): void {
  response.once('close', () => {
    if (metadata.route !== undefined) return;
    const request = response.req as RoutedRequest;
    const path = textOf(request[ROUTE]?.path, request);
    if (path !== undefined) metadata.route = `${request[BASE]}${path}`.slice(0, MAX_ROUTE);
  });
}

/** Of several paths the one that was asked for, if it has no parameter; else all of them. */
function textOf(path: unknown, { originalUrl, [BASE]: base }: RoutedRequest): string | undefined {
  if (Array.isArray(path)) {
    const asked = path.find((one) => `${base}${one}` === String(originalUrl).split('?')[0]);
    return String(asked ?? path.join('|'));
  }
  return typeof path === 'string' || path instanceof RegExp ? String(path) : undefined;
}

/** Express says `request.route = …`. When the response ends, an error may have led out of the router, and its place is forgotten. */
export function watchExpress(): void {
  Object.defineProperty(IncomingMessage.prototype, 'route', {
    configurable: true,
    get(this: RoutedRequest) {
      return this[ROUTE];
    },
    set(this: RoutedRequest, route: RoutedRequest[typeof ROUTE]) {
      this[ROUTE] = route;
      this[BASE] = typeof this.baseUrl === 'string' ? this.baseUrl : '';
    },
  });
}
