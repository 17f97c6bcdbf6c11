export { decodeLogs, decodeMetrics, decodeTraces } from './decode.ts';
export { inflate } from './inflate.ts';
export { type OtlpType, readOtlpEncoding, readOtlpType } from './media-types.ts';
export { MAX_INFLATED_BYTES, MAX_WIRE_BYTES } from './otlp-limits.ts';
export { encodeError, encodeSuccess, type Signal } from './respond.ts';
