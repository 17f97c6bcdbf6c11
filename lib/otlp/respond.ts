import type { ErrorCode, ErrorDetail } from '../errors.ts';
import { MEDIA_TYPES, type OtlpType } from './media-types.ts';
import type { PartialSuccess } from './rows.ts';
import { WireWriter } from './wire-writer.ts';

export type Signal = 'traces' | 'logs' | 'metrics';

/** A body with its `Content-Type`. */
export interface OtlpBody {
  contentType: string;
  body: Uint8Array<ArrayBuffer>;
}

const REJECTED: Record<Signal, string> = {
  traces: 'rejectedSpans',
  logs: 'rejectedLogRecords',
  metrics: 'rejectedDataPoints',
};

/** google.rpc.Code. Clients decide by the HTTP status; this code is for people. */
const STATUS_CODES: Record<ErrorCode, number> = {
  VALIDATION_ERROR: 3,
  REGIONAL_NOT_ALLOWED: 3,
  UNAUTHORIZED: 16,
  FORBIDDEN: 7,
  NOT_FOUND: 5,
  METHOD_NOT_ALLOWED: 12,
  CONFLICT: 10,
  PAYLOAD_TOO_LARGE: 8,
  UNSUPPORTED_MEDIA_TYPE: 3,
  RATE_LIMITED: 8,
  INTERNAL_ERROR: 13,
  UNAVAILABLE: 14,
};

/** The body of a 200: an empty message if everything was accepted unchanged, otherwise the partial success. */
export function encodeSuccess(signal: Signal, type: OtlpType, partial: PartialSuccess | undefined): OtlpBody {
  if (type === 'json')
    return json(partial === undefined ? {} : { partialSuccess: partialJson(signal, partial) });
  const message = new WireWriter();
  if (partial !== undefined) {
    const inner = new WireWriter().integer(1, partial.rejected).text(2, partial.message);
    message.bytes(1, inner.finish());
  }
  return protobuf(message.finish());
}

const BAD_REQUEST = 'type.googleapis.com/google.rpc.BadRequest';

/**
 * The body of a 4xx or 5xx: a `google.rpc.Status` (docs/telemetry.md#receiver, rule 5). Broken rules are its details, as a
 * `google.rpc.BadRequest`.
 */
export function encodeError(
  {
    code,
    message,
    details = [],
  }: { code: ErrorCode; message: string; details?: readonly ErrorDetail[] | undefined },
  type: OtlpType,
): OtlpBody {
  const status = STATUS_CODES[code];
  if (type === 'json') {
    const fieldViolations = details.map(({ path, message: rule }) => ({ field: path, description: rule }));
    return json({
      code: status,
      message,
      ...(details.length > 0 && { details: [{ '@type': BAD_REQUEST, fieldViolations }] }),
    });
  }
  const body = new WireWriter().integer(1, status).text(2, message);
  if (details.length > 0) {
    const violations = new WireWriter();
    for (const { path, message: rule } of details)
      violations.bytes(1, new WireWriter().text(1, path).text(2, rule).finish());
    // A `google.protobuf.Any`.
    body.bytes(3, new WireWriter().text(1, BAD_REQUEST).bytes(2, violations.finish()).finish());
  }
  return protobuf(body.finish());
}

/** In protobuf's JSON, 64-bit integers are strings and fields of value 0 are left out. */
function partialJson(signal: Signal, { rejected, message }: PartialSuccess) {
  return { ...(rejected > 0 && { [REJECTED[signal]]: String(rejected) }), errorMessage: message };
}

const json = (value: object): OtlpBody => ({
  contentType: MEDIA_TYPES.json,
  body: new TextEncoder().encode(JSON.stringify(value)),
});

const protobuf = (body: Uint8Array<ArrayBuffer>): OtlpBody => ({ contentType: MEDIA_TYPES.protobuf, body });
