import type { ReportContext } from '../context.ts';
import { reach } from '../db.ts';
import { notFound } from '../errors.ts';
import type { Filter } from './filters.ts';
import { type ContextRow, type ImportedFigures, toMeta } from './meta.ts';
import { type Fragment, type Range, selectRange } from './range.ts';
import type { Report, ReportMeta, Tier } from './schemas.ts';
import { selectContext } from './site-context.ts';

export interface ReportInput {
  /** A UUID. */
  siteId: string;
  range: Range;
  /** Restricts the report to one collection method. */
  tier?: Tier | undefined;
  /** Those that the report can tell of, where that isn't all; `meta` says so. */
  tiers?: readonly Tier[];
  /** Keeps the visits that all of them hold for. */
  filters?: readonly Filter[];
  /** What of imported days it has in its figures; absent: nothing. `meta` says so. */
  imported?: ImportedFigures;
}

export interface ListInput extends ReportInput {
  /** 1 to 100. */
  limit: number;
  /** How many items to skip. */
  offset?: number;
}

/** A part of a list. */
export interface ListReport<Item> extends Report<Item[]> {
  /** Whether there are items after these. */
  more: boolean;
}

/** What a report's statement is made of. */
export interface ReportParts {
  /** `selectRange`: one row, or none for whoever may not see the site. */
  range: Fragment;
  /** Epoch milliseconds. */
  now: number;
}

/**
 * Runs a report's statement beside the one that says what it covers: one round trip, one snapshot, one `now`. The planner
 * is kept from compiling, which takes longer than any report.
 *
 * @throws `NOT_FOUND` for a site that the caller may not see, `UNAVAILABLE`
 */
export async function runReport<Row>(
  ctx: ReportContext,
  input: ReportInput,
  statement: (parts: ReportParts) => Fragment,
): Promise<{ rows: Row[]; meta: ReportMeta }> {
  const { sql, actor } = ctx;
  const { siteId, range } = input;
  const now = ctx.now();
  const evaluatedAt = new Date(now).toISOString();
  const selectedRange = selectRange(sql, { actor, siteId }, range, evaluatedAt);
  const [, [context] = [], rows = []] = await reach(
    sql.transaction(
      [
        sql`select set_config('jit', 'off', true)`,
        selectContext(sql, selectedRange, evaluatedAt),
        statement({ range: selectedRange, now }),
      ],
      { isolationLevel: 'RepeatableRead', readOnly: true },
    ),
  );
  if (context === undefined) throw notFound('site');
  return { rows: rows as Row[], meta: toMeta({ ...input, evaluatedAt }, context as ContextRow) };
}

/** Ends a list's statement: one row more than was asked for tells whether there are more. */
export function pageOfRows(sql: ReportContext['sql'], { limit, offset = 0 }: ListInput): Fragment {
  return sql`limit ${limit + 1}::integer offset ${offset}::integer`;
}

/** Runs a list's statement, which ends with `pageOfRows`. */
export async function runList<Item>(
  ctx: ReportContext,
  input: ListInput,
  statement: (parts: ReportParts) => Fragment,
): Promise<ListReport<Item>> {
  const { rows, meta } = await runReport<Item>(ctx, input, statement);
  return { data: rows.slice(0, input.limit), meta, more: rows.length > input.limit };
}

/** Restricts rows to one tier, if the report is. */
export function onlyTier(sql: ReportContext['sql'], tier: Tier | undefined): Fragment {
  return tier === undefined ? sql`` : sql`and tier = ${tier}::smallint`;
}
