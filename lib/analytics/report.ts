import type { ReportContext } from '../context.ts';
import { reach } from '../db.ts';
import { notFound } from '../errors.ts';
import type { Filter } from './filters.ts';
import { type ContextRow, type ImportedFigures, toMeta } from './meta.ts';
import { type Fragment, type Range, selectRange } from './range.ts';
import type { Report, ReportMeta, Tier } from './schemas.ts';
import { selectContext } from './site-context.ts';
import {
  type GroupSizes,
  isWithheld,
  type Narrowing,
  requireNarrowing,
  selectGroupSizes,
  Withheld,
} from './small-groups.ts';

export interface ReportInput {
  /** A UUID. */
  siteId: string;
  range: Range;
  /** Restricts the report to one collection method. */
  tier?: Tier | undefined;
  /** The tiers that the report covers, if not all. `meta` names them. */
  tiers?: readonly Tier[];
  /** Keeps the visits that match all of them. */
  filters?: readonly Filter[];
  /** The filters of a share's request. If present, small groups are withheld. */
  narrowing?: Narrowing | undefined;
  /** Which figures of imported days the report includes. Absent: none. `meta` says so. */
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

/** The parts of a report's statement. */
export interface ReportParts {
  /** `selectRange`: one row, or none if the caller may not see the site. */
  range: Fragment;
  /** Epoch milliseconds. */
  now: number;
}

/**
 * Runs a report's statement together with the statement for `meta`: one round trip, one snapshot, one `now`. Switches off just-in-time
 * compilation, which takes longer than any report.
 *
 * @throws `NOT_FOUND` for a site that the caller may not see, `UNAVAILABLE`, `Withheld`
 */
export async function runReport<Row>(
  ctx: ReportContext,
  input: ReportInput,
  statement: (parts: ReportParts) => Fragment,
): Promise<{ rows: Row[]; meta: ReportMeta }> {
  const { sql, actor } = ctx;
  const { siteId, range, narrowing } = input;
  requireNarrowing(actor, input);
  const now = ctx.now();
  const evaluatedAt = new Date(now).toISOString();
  const selectedRange = selectRange(sql, { actor, siteId }, range, evaluatedAt);
  const [, [context] = [], rows = [], [sizes] = []] = await reach(
    sql.transaction(
      [
        sql`select set_config('jit', 'off', true)`,
        selectContext(sql, selectedRange, evaluatedAt),
        statement({ range: selectedRange, now }),
        ...(narrowing === undefined
          ? []
          : [selectGroupSizes(sql, selectedRange, { ...narrowing, asked: range, now })]),
      ],
      { isolationLevel: 'RepeatableRead', readOnly: true },
    ),
  );
  if (context === undefined) throw notFound('site');
  const meta = toMeta({ ...input, evaluatedAt }, context as ContextRow);
  if (sizes !== undefined && isWithheld(sizes as GroupSizes)) throw new Withheld(meta);
  return { rows: rows as Row[], meta };
}

/** Whether a report must read single visits: rollups and seals can't be filtered and don't show small groups. */
export const asksForVisits = ({ filters = [], narrowing }: ReportInput): boolean =>
  filters.length > 0 || narrowing !== undefined;

/** The end of a list's statement. It reads one row more than requested, which shows whether there are more items. */
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

/** Restricts rows to the report's tier, if it has one. */
export function onlyTier(sql: ReportContext['sql'], tier: Tier | undefined): Fragment {
  return tier === undefined ? sql`` : sql`and tier = ${tier}::smallint`;
}
