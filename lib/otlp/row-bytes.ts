/** Approximate memory of a row besides its texts, measured. */
export const SPAN_BYTES = 480;
export const EVENT_BYTES = 160;
export const LINK_BYTES = 200;
export const LOG_BYTES = 320;
export const METRIC_BYTES = 200;
export const POINT_BYTES = 320;
export const EXEMPLAR_BYTES = 160;
export const QUANTILE_BYTES = 64;
export const ATTRIBUTE_BYTES = 40;
/** For each new key: V8 keeps the shape of the objects that have it. */
export const KEY_BYTES = 240;
/** An object with more attributes becomes a hash table. */
export const MAX_FAST_ATTRIBUTES = 14;
export const HASHED_ATTRIBUTE_BYTES = 96;
export const LIST_BYTES = 64;
export const ELEMENT_BYTES = 16;
