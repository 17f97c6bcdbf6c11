/** Spans and durations of requests that come in and go out by node:http and node:https. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { context } from '@opentelemetry/api';
import { getRPCMetadata, type RPCMetadata, RPCType } from '@opentelemetry/core';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';

/** What Express leaves at a request. */
interface RoutedRequest extends IncomingMessage {
  baseUrl?: unknown;
  route?: { path?: unknown };
}

const MAX_ROUTE = 256;

export const makeHttpInstrumentation = (): HttpInstrumentation =>
  new HttpInstrumentation({
    responseHook: (_span, response) => {
      const metadata = activeRequest();
      if (metadata && 'req' in response) readRouteAtEnd(response as ServerResponse, metadata);
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
    const { route, baseUrl } = response.req as RoutedRequest;
    if (metadata.route !== undefined || typeof route?.path !== 'string') return;
    metadata.route = `${typeof baseUrl === 'string' ? baseUrl : ''}${route.path}`.slice(0, MAX_ROUTE);
  });
}
