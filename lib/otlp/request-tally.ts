import { tooLarge } from './decode-errors.ts';
import type { Dropped, DropReason } from './drop-reason.ts';
import { INVALID_ID, knownId } from './known-id.ts';
import { MAX_ROWS_BYTES } from './otlp-limits.ts';
import { KEY_BYTES } from './row-bytes.ts';
import type { PartialSuccess } from './rows.ts';

/** Reasons for refusing a span, a log record or a data point. */
const REJECTIONS = {
  traceId: 'trace ids not of 16 bytes or all zero',
  spanId: 'span ids not of 8 bytes or all zero',
  parentSpanId: 'parent span ids not of 8 bytes',
  time: 'times after 2262',
  metric: 'metrics without a name or of an unknown type',
  value: 'data points without a value',
  count: 'counts above 2^53 - 1',
  buckets: 'histograms whose counts do not fit their bounds, or with too many buckets',
} as const;
export type Rejection = keyof typeof REJECTIONS;

const REASONS: Record<Rejection, DropReason> = {
  traceId: 'ids',
  spanId: 'ids',
  parentSpanId: 'ids',
  time: 'time',
  metric: 'point',
  value: 'point',
  count: 'point',
  buckets: 'point',
};

/** Parts that were removed from accepted items. */
const CUTS = {
  attributes: 'attributes beyond 128 left out',
  values: 'attributes cut to 4 KiB',
  texts: 'names or texts cut',
  bodies: 'log bodies cut to 64 KiB',
  events: 'span events beyond 128 left out',
  links: 'span links with invalid ids or beyond 128 left out',
  exemplars: 'exemplars beyond 128 left out',
  ids: 'invalid trace or span ids of log records and exemplars left out',
  times: 'times of events and exemplars after 2262 left out',
} as const;
export type Cut = keyof typeof CUTS;

/** Accepted spans whose duration isn't known. */
const ENDS = {
  noEnd: 'without an end',
  earlyEnd: 'that end before they start',
} as const;
export type EndFault = keyof typeof ENDS;

/** Counts refusals and cuts while a request is decoded, and the memory that is left for its rows. */
export class Tally {
  /** Bytes that are left for the value that is being read, see `MAX_ATTRIBUTE_BYTES`. */
  room = 0;
  /** Whether a part of the value that is being read was cut off. */
  cut = false;
  /** Whether both ends of the value are kept if it is cut (long-stacks.ts). */
  keepsEnds = false;
  readonly #keys = new Set<string>();
  #bytesLeft: number;
  readonly #rejected = new Map<Rejection, number>();
  readonly #cuts = new Map<Cut, number>();
  readonly #ends = new Map<EndFault, number>();

  /** Throws `PAYLOAD_TOO_LARGE` when the request's rows exceed their memory limit. */
  spend(bytes: number): void {
    this.#bytesLeft -= bytes;
    if (this.#bytesLeft < 0) throw tooLarge('A request has too many items; send fewer in each.');
  }

  constructor(maxBytes: number = MAX_ROWS_BYTES) {
    this.#bytesLeft = maxBytes;
  }

  /** Spends the memory of an object's key if the key is new. */
  spendKey(key: string): void {
    if (this.#keys.has(key)) return;
    this.#keys.add(key);
    this.spend(KEY_BYTES);
  }

  reject(reason: Rejection): undefined {
    this.#rejected.set(reason, (this.#rejected.get(reason) ?? 0) + 1);
  }

  lose(what: Cut): void {
    this.#cuts.set(what, (this.#cuts.get(what) ?? 0) + 1);
  }

  /** How many attributes were cut to 4 KiB so far. */
  get cutValues(): number {
    return this.#cuts.get('values') ?? 0;
  }

  /** The id if it is valid, otherwise null. An id that is neither valid nor absent is counted. */
  keepId(id: string): string | null {
    if (id === INVALID_ID) this.lose('ids');
    return knownId(id);
  }

  /** The time of a part, or `'0'` if it is too late, which is counted. */
  keepTime(nano: string | undefined): string {
    if (nano === undefined) this.lose('times');
    return nano ?? '0';
  }

  /** Counts a span whose duration isn't known, from decimal digits. */
  checkEnd(start: string, end: string): void {
    const fault = end === '0' ? 'noEnd' : isBefore(end, start) ? 'earlyEnd' : undefined;
    if (fault !== undefined) this.#ends.set(fault, (this.#ends.get(fault) ?? 0) + 1);
  }

  /** Undefined if everything was accepted unchanged. */
  partial(): PartialSuccess | undefined {
    if (this.#rejected.size + this.#cuts.size + this.#ends.size === 0) return undefined;
    const refusals = list(REJECTIONS, this.#rejected, 'for ');
    const cuts = list(CUTS, this.#cuts, '');
    const ends = list(ENDS, this.#ends, '');
    const rejected = [...this.#rejected.values()].reduce((sum, count) => sum + count, 0);
    const message = [
      ...(rejected > 0 ? [`Refused ${rejected}: ${refusals.join(', ')}.`] : []),
      ...(cuts.length > 0 ? [`Shortened: ${cuts.join(', ')}.`] : []),
      ...(ends.length > 0 ? [`Kept with a duration of 0: ${ends.join(', ')}.`] : []),
    ].join(' ');
    const dropped: Dropped = {};
    for (const [why, count] of this.#rejected) dropped[REASONS[why]] = (dropped[REASONS[why]] ?? 0) + count;
    return { rejected, message, ...(rejected > 0 && { dropped }) };
  }
}

/** Compares decimal numbers without leading zeros. */
const isBefore = (one: string, other: string): boolean =>
  one.length === other.length ? one < other : one.length < other.length;

/** In the order of the table, so that both encodings give the same message. */
function list<Key extends string>(
  table: Record<Key, string>,
  counts: ReadonlyMap<Key, number>,
  link: string,
): string[] {
  return (Object.keys(table) as Key[])
    .filter((key) => counts.has(key))
    .map((key) => `${counts.get(key)} ${link}${table[key]}`);
}
