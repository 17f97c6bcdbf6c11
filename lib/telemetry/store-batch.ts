import { isCheckViolation } from '../db.ts';
import { unavailable } from '../errors.ts';
import type { Attributes, PartialSuccess, ResourceRow, ScopeRow } from '../otlp/rows.ts';
import { withSentence } from './partial-success.ts';
import { type BeyondQuota, QuotaRefusals } from './quota-refusals.ts';

/** Maximum number of items that one statement stores. Official exporters send up to 512 items at once, the Collector 8,192. */
const MAX_PIECE = 8192;
/** Several requests that bear the same spans at once, or several quotas without room, take more than two statements. */
const MAX_STATEMENTS = 20;
const MAX_TRIES = 5;
/** Names the service, which has a quota of its own. */
const SERVICE_NAME = 'service.name';

/** A decoded request with its size. */
export type Sized<Batch> = Batch & {
  /** Bytes of the inflated request, for the project's quota. */
  bytes: number;
};

/** A part of a request, as one statement stores it. What a quota has no room for is null among resources and scopes. */
export interface Piece<Row> {
  resources: readonly (ResourceRow | null)[];
  scopes: readonly (ScopeRow | null)[];
  rows: Row[];
  /** All attribute keys of the piece, each once. */
  keys: string[];
  bytes: number;
}

/** The indexes of rows that are known already, and of those among them whose content differs from what is known. */
interface Repeated {
  known: number[];
  others: number[];
}

/** Null: the piece is stored. Otherwise nothing of it is, because rows are known already or a quota has no room. */
export type Verdict = null | Repeated | BeyondQuota;

interface Rows<Row> {
  resources: readonly ResourceRow[];
  scopes: readonly ScopeRow[];
  rows: Row[];
  bytes: number;
  /** The answer to the sender so far. */
  partial: PartialSuccess | undefined;
}

interface Signal<Row> {
  store: (piece: Piece<Row>) => Promise<Verdict>;
  originOf: (row: Row) => { resource: number; scope: number };
  /** Whether attributes may be left out of a row. Otherwise rows that have a key without room are refused. */
  cuts: boolean;
}

/**
 * Stores the rows of a request, at once or piece by piece if the whole text would fill a Worker's memory. Leaves out what a quota has no
 * room for. Returns the answer to the sender: everything that isn't stored is counted there. Throws `UNAVAILABLE`.
 */
export async function storeBatch<Row extends Attributed>(
  { resources, scopes, rows, bytes, partial }: Rows<Row>,
  signal: Signal<Row>,
): Promise<PartialSuccess | undefined> {
  const refusals = new QuotaRefusals();
  const conflicts = { others: 0 };
  const bytesPerRow = bytes / Math.max(1, rows.length);
  const origins: Origins = { resources: [...resources], scopes: [...scopes] };
  for (let from = 0; from < rows.length; from += MAX_PIECE)
    await storePiece(origins, rows.slice(from, from + MAX_PIECE), {
      signal,
      refusals,
      conflicts,
      bytesPerRow,
    });
  const { others } = conflicts;
  return refusals.addTo(
    others === 0
      ? partial
      : withSentence(partial, otherContent(others), { count: others, reason: 'conflict' }),
  );
}

const otherContent = (count: number): string =>
  `Refused ${count} with the ids of another span that came before and has other content.`;

interface Origins {
  resources: (ResourceRow | null)[];
  scopes: (ScopeRow | null)[];
}

interface Storing<Row> {
  signal: Signal<Row>;
  refusals: QuotaRefusals;
  /** `others`: how many spans have the ids of a known one, and other content. */
  conflicts: { others: number };
  bytesPerRow: number;
}

async function storePiece<Row extends Attributed>(
  origins: Origins,
  piece: Row[],
  { signal, refusals, conflicts, bytesPerRow }: Storing<Row>,
): Promise<void> {
  let rows = piece;
  for (let statements = 0; statements < MAX_STATEMENTS; statements += 1) {
    const keys = keysOf(origins, rows);
    const bytes = Math.ceil(bytesPerRow * rows.length);
    const verdict = await despiteNewDay(() => signal.store({ ...origins, rows, keys, bytes }));
    if (verdict === null) return;
    if ('known' in verdict) {
      const known = new Set(verdict.known);
      conflicts.others += verdict.others.length;
      rows = rows.filter((_, index) => !known.has(index));
      continue;
    }
    const before = rows.length;
    rows = withinQuota(verdict, { origins, rows, keys, signal, refusals });
    refusals.add(verdict, before - rows.length);
    if (rows.length === 0) return;
  }
  throw unavailable(new Error('other requests with the same spans or names come over and over at once'));
}

/** The rows that have room. Changes `origins` likewise, and counts attributes that it leaves out. */
function withinQuota<Row extends Attributed>(
  beyond: BeyondQuota,
  {
    origins,
    rows,
    keys,
    signal,
    refusals,
  }: { origins: Origins; rows: Row[]; keys: string[] } & Pick<Storing<Row>, 'signal' | 'refusals'>,
): Row[] {
  const indexes = beyond.places ?? [];
  const hasOrigins = (row: Row): boolean => {
    const { resource, scope } = signal.originOf(row);
    return origins.resources[resource] !== null && origins.scopes[scope] !== null;
  };
  switch (beyond.quota) {
    case 'bytesPerDay':
      return [];
    case 'series': {
      const refused = new Set(indexes);
      return rows.filter((_, index) => !refused.has(index));
    }
    case 'services':
      for (const index of indexes) origins.resources[index] = null;
      return rows.filter(hasOrigins);
    case 'attributeKeys': {
      const refused = new Set(indexes.map((index) => keys[index] as string));
      const cut = <Has extends Attributed>(row: Has): Has =>
        without(row, refused, (count) => refusals.add(beyond, count, 'leftOut'));
      if (signal.cuts) {
        origins.resources = origins.resources.map((row) => row && cut(row));
        origins.scopes = origins.scopes.map((row) => row && cut(row));
        return rows.map(cut);
      }
      const drop = <Has extends { attributes: Attributes }>(row: Has | null) =>
        row !== null && hasKey(row, refused) ? null : row;
      origins.resources = origins.resources.map(drop);
      origins.scopes = origins.scopes.map(drop);
      return rows.filter((row) => hasOrigins(row) && !hasKey(row, refused));
    }
  }
}

/** A row from which attributes may be left out. A point has no count of them, since a point with such an attribute is refused. */
interface Attributed {
  attributes: Attributes;
  droppedAttributes?: number;
}

const hasKey = ({ attributes }: { attributes: Attributes }, keys: ReadonlySet<string>): boolean =>
  Object.keys(attributes).some((key) => keys.has(key));

/** The row without the attributes of these keys. Tells how many it left out. */
function without<Has extends Attributed>(
  row: Has,
  keys: ReadonlySet<string>,
  tell: (count: number) => void,
): Has {
  if (!hasKey(row, keys)) return row;
  const entries = Object.entries(row.attributes);
  const kept = entries.filter(([key]) => !keys.has(key));
  const dropped = entries.length - kept.length;
  tell(dropped);
  return {
    ...row,
    attributes: Object.fromEntries(kept),
    droppedAttributes: (row.droppedAttributes ?? 0) + dropped,
  };
}

function keysOf({ resources, scopes }: Origins, rows: readonly { attributes: Attributes }[]): string[] {
  const keys = new Set<string>();
  for (const list of [resources, scopes, rows])
    for (const row of list) if (row !== null) for (const key of Object.keys(row.attributes)) keys.add(key);
  keys.delete(SERVICE_NAME);
  return [...keys];
}

/**
 * Tries again when another request has just created a day's partition: PostgreSQL commits before it notifies other connections. For a
 * moment a connection knows that the partition exists but can't route rows to it.
 */
export async function despiteNewDay<Result>(store: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await store();
    } catch (error) {
      if (tries === MAX_TRIES || !isCheckViolation(error)) throw error;
    }
  }
}
