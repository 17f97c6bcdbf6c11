/** Requests that go out by node:http and node:https, and the routes of those that come in (incoming.ts). */
import { IncomingMessage } from 'node:http';
import { context } from '@opentelemetry/api';
import { getRPCMetadata, type RPCMetadata, RPCType } from '@opentelemetry/core';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';

/** The route that Express assigned last. */
const ROUTE = Symbol('route');
/** Of the metadata of a request: the application itself has named the route. */
const NAMED = Symbol('named by the application');

interface RoutedRequest extends IncomingMessage {
  baseUrl?: unknown;
  originalUrl?: unknown;
  [ROUTE]?: { path?: unknown } | undefined;
}

type Metadata = RPCMetadata & { [NAMED]?: true };

const MAX_ROUTE = 256;

/** Requests that go out. */
export const makeHttpInstrumentation = (): HttpInstrumentation =>
  new HttpInstrumentation({ disableIncomingRequestInstrumentation: true });

/** Names the route of the request that is being answered. Elsewhere it does nothing. */
export function setRoute(route: string): void {
  const metadata = activeRequest();
  if (!metadata || typeof route !== 'string' || route === '') return;
  metadata.route = route.slice(0, MAX_ROUTE);
  metadata[NAMED] = true;
}

/** What is read when the response is closed. */
function activeRequest(): Metadata | undefined {
  const metadata = getRPCMetadata(context.active());
  return metadata?.type === RPCType.HTTP ? metadata : undefined;
}

/** Of several paths the one that was asked for, if it has no parameter; else all of them. */
function textOf(path: unknown, base: string, originalUrl: unknown): string | undefined {
  if (Array.isArray(path)) {
    const asked = path.find((one) => `${base}${one}` === String(originalUrl).split('?')[0]);
    return String(asked ?? path.join('|'));
  }
  return typeof path === 'string' || path instanceof RegExp ? String(path) : undefined;
}

/**
 * Express says `request.route = …`. It is read at once: when the response ends, an error may have led out of the router, and its path is
 * forgotten.
 */
export function watchExpress(): void {
  Object.defineProperty(IncomingMessage.prototype, 'route', {
    configurable: true,
    get(this: RoutedRequest) {
      return this[ROUTE];
    },
    set(this: RoutedRequest, route: RoutedRequest[typeof ROUTE]) {
      this[ROUTE] = route;
      try {
        readRoute(this);
      } catch {
        // A route whose `path` can't be read has no name.
      }
    },
  });
}

function readRoute({ [ROUTE]: route, baseUrl, originalUrl }: RoutedRequest): void {
  const metadata = activeRequest();
  if (!metadata || metadata[NAMED]) return;
  const base = typeof baseUrl === 'string' ? baseUrl : '';
  const path = textOf(route?.path, base, originalUrl);
  if (path !== undefined) metadata.route = `${base}${path}`.slice(0, MAX_ROUTE);
}
