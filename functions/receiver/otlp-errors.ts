import type { MiddlewareHandler } from 'hono';
import type { ErrorEnvelope } from '../../lib/http/http-errors.ts';
import { encodeError, type OtlpType, readOtlpType } from '../../lib/otlp/index.ts';
import { sentenceOf } from './sender-errors.ts';

/** Official exporters give up at once on a long `Retry-After` and lose the batch (docs/telemetry.md#receiver, rule 8). */
const MAX_RETRY_AFTER_SECONDS = 3;

/** Turns every error of the following routes into a `google.rpc.Status` in the request's encoding (docs/telemetry.md#receiver, rule 5). */
export const otlpErrors: MiddlewareHandler = async function otlpErrors(c, next) {
  await next();
  if (c.res.status < 400) return;
  const envelope = (await c.res.json()) as ErrorEnvelope;
  const { contentType, body } = encodeError(
    { code: envelope.error, message: sentenceOf(envelope), details: envelope.details },
    typeOf(c.req.raw.headers),
  );
  c.res = new Response(body, { status: c.res.status, headers: { 'Content-Type': contentType } });
  // The new answer keeps the headers of the old one.
  const { headers } = c.res;
  headers.delete('Content-Length');
  const retryAfter = Number(headers.get('Retry-After'));
  if (retryAfter > MAX_RETRY_AFTER_SECONDS) headers.set('Retry-After', String(MAX_RETRY_AFTER_SECONDS));
};

/** JSON for a request of neither type. */
export function typeOf(headers: Headers): OtlpType {
  try {
    return readOtlpType(headers.get('content-type'));
  } catch {
    return 'json';
  }
}
