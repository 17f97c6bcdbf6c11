/** Size of a body on the wire and after inflating (docs/telemetry.md#what-a-request-may-have). */
export const MAX_WIRE_BYTES = 4 * 1024 * 1024;
export const MAX_INFLATED_BYTES = 16 * 1024 * 1024;

/** Attributes of a span, log record, point, event, link, scope or resource (docs/telemetry.md#what-a-request-may-have). */
export const MAX_ATTRIBUTES = 128;
/**
 * Length of an attribute's key, and of its value. A text counts its bytes in UTF-8, bytes count their number, and each element of a
 * list or map counts 8 plus its key. The rest is cut off.
 */
export const MAX_ATTRIBUTE_BYTES = 4 * 1024;
/** Length of a log record's body, counted in the same way. PostgreSQL's tsvector takes at most 1 MiB. */
export const MAX_LOG_BODY_BYTES = 64 * 1024;
/** Length of names, units, versions and other short texts: they are in indexes, whose entries have at most 2,704 bytes. */
export const MAX_NAME_BYTES = 1024;
/** Depth of nested lists and maps; deeper values become null. */
export const MAX_VALUE_DEPTH = 32;

/** The default limits of OpenTelemetry's own SDKs. */
export const MAX_EVENTS = 128;
export const MAX_LINKS = 128;
/** Exemplars of a data point. The official SDKs send at most one per bucket. */
export const MAX_EXEMPLARS = 128;
/** Buckets on one side of a histogram. A point with more is refused. */
export const MAX_BUCKETS = 4096;

/** Estimated memory of a request's rows: a Worker has 128 MiB for all its current requests. */
export const MAX_ROWS_BYTES = 44 * 1024 * 1024;
/** Estimated memory of a JSON text with its tree, and of the tree with the rows, which share its texts. */
export const MAX_TREE_BYTES = 52 * 1024 * 1024;
/** JSON needs 3 levels for each level of a value. */
export const MAX_JSON_DEPTH = 256;
