import type { Sql } from '../db.ts';
import { fieldOf, fieldsOf, VISIT_DIMENSIONS } from '../visits/dimensions.ts';
import { OTHER } from '../visits/other-value.ts';
import type { StoredEvent, TrackMessage } from './track-message.ts';

const KIND = {
  dropped: 0,
  pageview: 1,
  event: 2,
  engagement: 3,
  vitals: 4,
  association: 5,
  consent: 6,
} as const;

/** How many events of a batch were stored, and how many had been stored before. Events of deleted sites are in neither. */
export interface FoldResult {
  stored: number;
  repeated: number;
}

/** How long a fold may wait for others of its site, and how long it may take in all, in milliseconds. */
export interface Patience {
  lockMs: number;
  statementMs: number;
}

/** Limit of the properties of one event, as JSON text in UTF-8 (docs/events.md#fields). `kept_property_bytes` limits a visit's. */
export const MAX_PROPERTY_BYTES = 4096;

/** What is stored where somebody sent `(other)` itself. */
const SENT_OTHER = 'other';
const unlessOther = <T>(value: T) => (value === OTHER ? SENT_OTHER : value);

const encoder = new TextEncoder();

function isTooLarge(props: object): boolean {
  const json = JSON.stringify(props);
  // A UTF-16 unit takes at most 3 bytes.
  return json.length * 3 > MAX_PROPERTY_BYTES && encoder.encode(json).length > MAX_PROPERTY_BYTES;
}

/** Properties as they are kept; instead of too large ones the mark by which they are counted as lost. */
function kept(props: Properties | undefined) {
  if (props === undefined) return {};
  return isTooLarge(props) ? { cut: 'event' } : { props: withoutOtherProperties(props) };
}

type Properties = NonNullable<Extract<StoredEvent, { type: 'event' }>['props']>;

function withoutOtherProperties(props: Properties): Properties {
  const entries = Object.entries(props);
  return entries.some((entry) => entry.includes(OTHER))
    ? Object.fromEntries(entries.map(([key, value]) => [unlessOther(key), unlessOther(value)]))
    : props;
}

/** What has no column of its own, as it is kept in `events.data`. */
function data(event: StoredEvent): Record<string, unknown> | undefined {
  switch (event.type) {
    case 'pageview':
      return event.title === undefined && event.props === undefined
        ? undefined
        : { title: event.title, ...kept(event.props) };
    case 'event':
      return event.props === undefined && event.revenue === undefined && event.interactive === undefined
        ? undefined
        : { ...kept(event.props), revenue: event.revenue, interactive: event.interactive };
    case 'engagement':
    case 'consent':
      return undefined;
    case 'vitals': {
      const { lcp, inp, cls, fcp, ttfb } = event;
      return { lcp, inp, cls, fcp, ttfb };
    }
    case 'association': {
      const { traceId, origin, status, sent } = event;
      return { traceId, origin, status, sent };
    }
    case 'dropped':
      return { reason: event.reason };
  }
}

const OF_VISITOR = [...fieldsOf('profile'), ...fieldsOf('place')];
const OF_PAGEVIEW = fieldsOf('origin').filter((field) => field !== 'hostname');

function pick<Of extends object, Field extends keyof Of>(of: Of, fields: readonly Field[]) {
  return Object.fromEntries(fields.map((field) => [field, of[field]]));
}

/** What `ingest_events` stores as `(other)` beyond a day's limits. */
const LIMITED = [
  'path',
  'name',
  ...VISIT_DIMENSIONS.filter(({ newValues }) => newValues !== 'closed').map(({ name }) => fieldOf(name)),
] as const;

type Row = Record<string, unknown>;

/** The rows that `ingest_events` (schema/functions/fold.sql) takes: each event with what its message says of the visitor. */
export function flatten(message: TrackMessage): Row[] {
  return rowsOf(message).map((row) =>
    LIMITED.some((field) => row[field] === OTHER) ? withoutOther(row) : row,
  );
}

const withoutOther = (row: Row): Row => ({
  ...row,
  ...Object.fromEntries(LIMITED.flatMap((field) => (row[field] === OTHER ? [[field, SENT_OTHER]] : []))),
});

function rowsOf(message: TrackMessage): Row[] {
  const { siteId, tier, visitorId, continued, screen } = message;
  const visitor = { siteId, tier, visitorId, continued, screen, ...pick(message, OF_VISITOR) };
  return message.events.map((event) => {
    // A refusal is counted, and says nothing of who was refused.
    if (event.type === 'dropped')
      return { siteId, tier, id: event.id, at: event.at, kind: KIND.dropped, data: data(event) };
    return {
      ...visitor,
      id: event.id,
      at: event.at,
      kind: KIND[event.type],
      continued: continued || event.type === 'consent',
      path: 'path' in event ? event.path : undefined,
      hostname: 'hostname' in event ? event.hostname : undefined,
      ...(event.type === 'event' && { name: event.name, entry: event.entry }),
      ...(event.type === 'pageview' && {
        ...pick(event, OF_PAGEVIEW),
        entry: event.entry,
        channel: event.channel === 'Direct' ? undefined : event.channel,
      }),
      pageId: 'pageId' in event ? event.pageId : undefined,
      ...(event.type === 'engagement' && {
        engagedMs: Math.round(event.seconds * 1000),
        // The column has 4 bytes, and PostgreSQL refuses a number that they can't tell from 0.
        scrollDepth: Math.fround(event.scrollDepth),
      }),
      data: data(event),
    };
  });
}

/**
 * Stores and folds messages in one statement, all or nothing; repeating it changes nothing. Takes a time that grows with
 * the batch and the visits that it touches, not with what was collected before: each visitor costs a few probes of
 * `visits_by_visitor` in the partitions of a month, each event one probe of the primary key of `events` a day kept.
 *
 * @param now epoch milliseconds
 * @param patience beyond it the fold is undone, and the fault is a passing one
 * @throws the database's error: one of class 22 or 23 blames the data, a passing one (`isPassingFault`) asks for a retry
 */
export async function foldBatch(
  sql: Sql,
  messages: readonly TrackMessage[],
  now: number,
  patience?: Patience,
): Promise<FoldResult> {
  const batch = JSON.stringify(messages.flatMap(flatten));
  const fold = sql`
    select stored, repeated from ingest_events(${batch}::jsonb, ${new Date(now).toISOString()}::timestamptz)`;
  const rows = patience === undefined ? await fold : await foldWithin(sql, fold, patience);
  return rows[0] as FoldResult;
}

/** The same in a transaction of its own with these limits, in one round trip too. */
async function foldWithin(sql: Sql, fold: ReturnType<Sql>, { lockMs, statementMs }: Patience) {
  const [, rows = []] = await sql.transaction([
    sql`
      select set_config('lock_timeout', ${`${lockMs}ms`}, true), set_config('statement_timeout', ${`${statementMs}ms`}, true)`,
    fold,
  ]);
  return rows;
}
