/** On the wire, and after inflating (docs/telemetry.md#what-a-request-may-have). */
export const MAX_WIRE_BYTES = 4 * 1024 * 1024;
export const MAX_INFLATED_BYTES = 16 * 1024 * 1024;

/** Of a span, a log record, a point, an event, a link, a scope or a resource (docs/telemetry.md#what-a-request-may-have). */
export const MAX_ATTRIBUTES = 128;
/**
 * Of an attribute's key, and of its value: texts count their bytes of UTF-8, bytes their number, and each element of a list
 * or map 8 and its key. What is beyond is cut off.
 */
export const MAX_ATTRIBUTE_BYTES = 4 * 1024;
/** Of a log record's body, counted in the same way. PostgreSQL's tsvector takes 1 MiB at most. */
export const MAX_LOG_BODY_BYTES = 64 * 1024;
/** Of names, units, versions and other short texts: they are in indexes, whose entries have 2,704 bytes at most. */
export const MAX_NAME_BYTES = 1024;
/** Lists and maps within each other; deeper ones become null. */
export const MAX_VALUE_DEPTH = 32;

/** The default limits of OpenTelemetry's own SDKs. */
export const MAX_EVENTS = 128;
export const MAX_LINKS = 128;
/** Of a data point. The official SDKs send at most one a bucket. */
export const MAX_EXEMPLARS = 128;
/** Of one histogram, on one side. A point with more is refused. */
export const MAX_BUCKETS = 4096;

/** What the rows of a request may take, by estimate: a Worker has 128 MiB for all requests of the moment. */
export const MAX_ROWS_BYTES = 44 * 1024 * 1024;
/** What a JSON text and the tree made of it may take, by estimate; and the tree with the rows, which share its texts. */
export const MAX_TREE_BYTES = 52 * 1024 * 1024;
/** JSON nests 3 levels for each of a value's. */
export const MAX_JSON_DEPTH = 256;
