/**
 * Spans and durations of requests that come in by node:http and node:https. OpenTelemetry's own instrumentation looks at much that isn't
 * sent, and adds two listeners to each response: a request costs more with it (docs/benchmarks.md#sdk-for-nodejs).
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import {
  type Context,
  context,
  type Histogram,
  type Meter,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
} from '@opentelemetry/api';
import { type RPCMetadata, RPCType } from '@opentelemetry/core';
import { bindEmitter } from '../context-of-emitters.ts';
import { tellPage } from '../pages/tell-page.ts';
import { RequestContext } from '../request-context.ts';
import type { Settings } from '../settings.ts';
import { describeRequest, type RequestAttributes } from './describe-request.ts';

/** Seconds, as OpenTelemetry's conventions have them. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

type Scheme = 'http' | 'https';
type Emit = (this: Server, ...args: unknown[]) => boolean;

/** Servers that exist already are watched too. */
export function watchIncoming(tracer: Tracer, meter: Meter, settings: Settings): void {
  const durations = meter.createHistogram('http.server.request.duration', {
    description: 'Duration of HTTP server requests.',
    unit: 's',
    advice: { explicitBucketBoundaries: BUCKETS },
  });
  const begin = beginWith({ tracer, durations, settings });
  for (const scheme of ['http', 'https'] as const) {
    const { prototype } = process.getBuiltinModule(`node:${scheme}`).Server as { prototype: { emit: Emit } };
    const { emit } = prototype;
    prototype.emit = function (this: Server, ...args) {
      if (args[0] !== 'request') return Reflect.apply(emit, this, args);
      const begun = begin(args[1] as IncomingMessage, args[2] as ServerResponse, scheme);
      if (begun === undefined) return Reflect.apply(emit, this, args);
      return context.with(begun.own, () => {
        try {
          return Reflect.apply(emit, this, args);
        } catch (error) {
          begun.fail(error);
          throw error;
        }
      });
    };
  }
}

interface Tools {
  tracer: Tracer;
  durations: Histogram;
  settings: Settings;
}

interface Begun {
  /** The context that the application answers in. */
  own: Context;
  /** Ends the span with what the application or its response has thrown. */
  fail(error: unknown): void;
}

/** Returns what begins a request's span; undefined if it couldn't, which is no reason not to answer. */
function beginWith({ tracer, durations, settings: { reveal, pageOrigins } }: Tools) {
  return (request: IncomingMessage, response: ServerResponse, scheme: Scheme): Begun | undefined => {
    try {
      const since = performance.now();
      const attributes = describeRequest(request, scheme, reveal);
      const { headers, method = 'GET' } = request;
      const isRemote = headers.traceparent !== undefined || headers.baggage !== undefined;
      const parent = isRemote ? propagation.extract(ROOT_CONTEXT, headers) : ROOT_CONTEXT;
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
      const metadata: RPCMetadata = { type: RPCType.HTTP, span };
      const own = new RequestContext(parent, span, metadata);
      let isOpen = true;
      const end = (errorType?: string): void => {
        isOpen = false;
        span.end();
        const { route } = metadata;
        const { statusCode } = response;
        durations.record(
          (performance.now() - since) / 1000,
          measured(attributes, { statusCode, route, errorType }),
        );
      };
      const fail = (error: unknown): void => {
        if (!isOpen) return;
        const type = describeError(span, error);
        end(type);
      };
      bindEmitter(context, own, request);
      bindEmitter(context, own, response, (event, value) => {
        if (event === 'error') fail(value);
        if (event !== 'close' || !isOpen) return;
        describeAnswer(span, { method, statusCode: response.statusCode, route: metadata.route });
        end();
      });
      if (pageOrigins.size > 0) tellPage(span, response, pageOrigins);
      return { own, fail };
    } catch {
      return undefined;
    }
  };
}

interface Answer {
  method: string;
  statusCode: number;
  route: string | undefined;
}

const isFault = (status: number): boolean => status >= 500 && status < 600;

function describeAnswer(span: Span, { method, statusCode, route }: Answer): void {
  span.setAttribute('http.response.status_code', statusCode);
  if (route) {
    span.setAttribute('http.route', route);
    span.updateName(`${method} ${route}`);
  }
  if (!(statusCode >= 100 && statusCode < 500)) span.setStatus({ code: SpanStatusCode.ERROR });
  if (isFault(statusCode)) span.setAttribute('error.type', String(statusCode));
}

/** Returns the error's type. Its message is taken out later, unless it is to be revealed (privacy/private-spans.ts). */
function describeError(span: Span, error: unknown): string {
  const given = error instanceof Error ? error : new Error(String(error));
  span.setAttribute('error.type', given.name);
  span.setStatus({ code: SpanStatusCode.ERROR, message: given.message });
  span.recordException(given);
  return given.name;
}

/** The attributes of a duration, in one order. An error that ended the request has no answer. */
function measured(
  request: RequestAttributes,
  {
    statusCode,
    route,
    errorType,
  }: { statusCode: number; route: string | undefined; errorType?: string | undefined },
) {
  const type = errorType ?? (isFault(statusCode) ? String(statusCode) : undefined);
  return {
    'http.request.method': request['http.request.method'],
    'url.scheme': request['url.scheme'],
    'network.protocol.version': request['network.protocol.version'],
    ...(errorType === undefined && { 'http.response.status_code': statusCode }),
    ...(errorType === undefined && route && { 'http.route': route }),
    ...(type !== undefined && { 'error.type': type }),
  };
}
