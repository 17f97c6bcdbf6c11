/**
 * Tells a page of a listed origin which trace answered its request, and marks the span with the origin of the page
 * (README.md#pages-and-their-requests). An answer that a cache may give to others tells nothing.
 */
import type { ServerResponse } from 'node:http';
import { type Span, TraceFlags } from '@opentelemetry/api';
import { type Given, readHeader, replaceHeaders } from './head-headers.ts';
import { findPageOrigin } from './page-origins.ts';

const PAGE_ORIGIN = 'vendor.page.origin';

type HeadArguments = [status: unknown, reason?: unknown, headers?: unknown, ...more: unknown[]];

export function tellPage(span: Span, response: ServerResponse, origins: ReadonlySet<string>): void {
  const { headers } = response.req;
  const origin = findPageOrigin(headers, origins);
  const { traceId, spanId, traceFlags } = span.spanContext();
  if (origin === undefined || !(traceFlags & TraceFlags.SAMPLED)) return;
  span.setAttribute(PAGE_ORIGIN, origin);
  const timing = `traceparent;desc="00-${traceId}-${spanId}-01"`;
  const stranger = headers.origin !== undefined && headers['sec-fetch-site'] !== 'same-origin';
  // Whatever was there before: Node.js's own method, or one of a library.
  const { writeHead } = response;
  response.writeHead = function (this: ServerResponse, ...given: unknown[]) {
    let passed = given as HeadArguments;
    try {
      if (!this.headersSent) passed = addTiming(this, passed, timing, stranger ? origin : undefined);
    } catch {
      // What is wrong with the application's arguments, `writeHead` says itself.
    }
    return Reflect.apply(writeHead, this, passed);
  } as ServerResponse['writeHead'];
}

/** The arguments with the trace in them. `origin`: that of a page on another origin, which must be let read it. */
function addTiming(
  response: ServerResponse,
  args: HeadArguments,
  timing: string,
  origin: string | undefined,
): HeadArguments {
  const [status, reason, last, ...more] = args;
  const given = typeof reason === 'string' ? last : (last ?? reason);
  if (!isHeaders(given) || (isPairs(given) && response.getHeaderNames().length > 0)) return args;
  const read = (name: string): string | undefined => readHeader(response, given ?? undefined, name);
  if (!isRead(Number(status)) || isCacheable(response.req.method, read)) return args;
  const others: [name: string, value: string][] = [];
  const append = (name: string, value: string, isThere: (all: string[]) => boolean): void => {
    const before = read(name.toLowerCase());
    if (!isThere(before?.split(',').map((one) => one.trim().toLowerCase()) ?? []))
      others.push([name, before ? `${before}, ${value}` : value]);
  };
  append('Server-Timing', timing, (all) => all.includes(timing));
  if (origin !== undefined) {
    append('Access-Control-Expose-Headers', 'Server-Timing', (all) => all.includes('server-timing'));
    append('Timing-Allow-Origin', origin, (all) => all.includes('*') || all.includes(origin));
  }
  const headers = replaceHeaders(given ?? undefined, others);
  return typeof reason === 'string' ? [status, reason, headers, ...more] : [status, headers];
}

/** `writeHead` refuses them where headers were set before. */
const isPairs = (given: unknown): boolean => Array.isArray(given) && Array.isArray(given[0]);

/** Others are refused by `writeHead`, or ignored. */
const isHeaders = (given: unknown): given is Given | null =>
  given === undefined ||
  given === null ||
  (Array.isArray(given)
    ? isPairs(given)
      ? given.every((pair) => Array.isArray(pair) && pair.length === 2)
      : given.length % 2 === 0
    : typeof given === 'object');

/** The page never sees what comes before a redirect's end. */
const isRead = (status: number): boolean =>
  status >= 200 && (status < 300 || status >= 400 || status === 304);

/**
 * Whether a cache may give the answer again without asking: by what it says, and where it says nothing, by the date of its last change.
 * `private` is for the visitor's own browser, which would name an old trace again.
 */
function isCacheable(method: string | undefined, read: (name: string) => string | undefined): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (read('surrogate-control') !== undefined || read('cdn-cache-control') !== undefined) return true;
  const control = read('cache-control')?.toLowerCase() ?? '';
  if (/(?:^|[\s,])no-(?:store|cache)(?!=)/.test(control)) return false;
  if (/(?:^|[\s,])(?:public|immutable|(?:s-maxage|max-age)\s*=\s*"?0*[1-9])/.test(control)) return true;
  if (/(?:^|[\s,])(?:private|max-age)/.test(control)) return false;
  return read('expires') !== undefined || read('last-modified') !== undefined;
}
