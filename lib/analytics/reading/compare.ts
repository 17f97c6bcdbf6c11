/** Reports that are compared with those of another range (docs/reports.md#comparison). */
import type { ReportContext } from '../../context.ts';
import type { Fragment, Sql } from '../../db.ts';
import type { ChangesUnknown, ReportMeta } from '../answers/schemas.ts';
import { whyUnknown } from './changes.ts';
import { comparedRange, selectRange, wholeRange } from './report-range.ts';
import {
  type ListInput,
  type ListReport,
  type ReportInput,
  type ReportParts,
  runList,
  runQuestions,
  withVisits,
} from './run-report.ts';

/** What `meta` says of the range that a report is compared with. */
const described = (meta: ReportMeta, { range, coverage }: ReportMeta): ReportMeta => ({
  ...meta,
  comparison: { from: range.from, to: range.to, observed: coverage.observed },
});

interface Compared<Row> {
  rows: Row[];
  meta: ReportMeta;
  /** The rows of the other range; null if they are about too few visits. Undefined without `compare`. */
  before?: Row[] | null;
  unknown?: ChangesUnknown | undefined;
}

/**
 * Runs a report, and with `compare` the same statement for the other range. Costs what both reports cost; unless it `isAsked` for, limits count
 * one. Throws the errors of `runQuestions`.
 */
export async function runCompared<Row, Input extends ReportInput>(
  ctx: ReportContext,
  input: Input,
  statement: (input: Input, parts: ReportParts) => Fragment,
  { isAsked = true, isWhole = false }: { isAsked?: boolean; isWhole?: boolean } = {},
): Promise<Compared<Row>> {
  const { compare, range } = input;
  const ask = (asked: Input) => ({
    input: asked,
    statement: (parts: ReportParts) => statement(asked, parts),
  });
  const otherRange = compare && comparedRange(range, compare);
  const other = otherRange && {
    ...ask({ ...input, range: isWhole ? wholeRange(otherRange) : otherRange }),
    isFree: !isAsked,
  };
  const [answer, before] = await runQuestions<Row>(ctx, [ask(input), ...(other ? [other] : [])]);
  const { rows, meta } = answer as { rows: Row[]; meta: ReportMeta };
  if (before === undefined) return { rows, meta };
  const { observed, since } = meta.coverage;
  const compared = { ...before.meta.range, observed: before.meta.coverage.observed, rows: before.rows };
  const unknown = whyUnknown({ observed, since, compared });
  return { rows, meta: described(meta, before.meta), before: before.rows, unknown };
}

/** More than any list has. */
const ALL_ROWS = 2_000_000_000;

const NAME_COLUMNS = ['path', 'value', 'name', 'key'] as const;
type NameColumn = (typeof NAME_COLUMNS)[number];

type WithPrevious = { previous?: object | null | undefined };

interface Named<Item extends WithPrevious> {
  /** The field by which a row of one range is found in the other. */
  by: NameColumn;
  /** The figures of a row that the other range doesn't have. */
  none: NonNullable<Item['previous']>;
  /** Whether the other range is compared whole while this one isn't over: what doesn't grow with time. */
  isWhole?: boolean;
}

/**
 * Runs a list, and with `compare` finds each of its rows in the other range, as `previous`. One statement, which counts both ranges in
 * full and then joins them by the rows' names. A share's answer to filters has null where the other range has no row that is large enough.
 */
export async function runComparedList<Item extends WithPrevious, Input extends ListInput = ListInput>(
  ctx: ReportContext,
  input: Input,
  { by, none, isWhole = false }: Named<Item>,
  statement: (input: Input, parts: ReportParts) => Fragment,
): Promise<ListReport<Item>> {
  const { sql, actor } = ctx;
  const { siteId, compare, narrowing, limit } = input;
  if (compare === undefined) return runList<Item>(ctx, input, (parts) => statement(input, parts));
  const compared = comparedRange(input.range, compare);
  const other = { ...input, range: isWhole ? wholeRange(compared) : compared, limit: ALL_ROWS, offset: 0 };
  const name = nameOf(sql, by);
  const both = (parts: ReportParts): Fragment => {
    const range = selectRange(sql, { actor, siteId }, other.range, new Date(parts.now).toISOString());
    const listed = sql`(select ${name} as name from listed)`;
    return sql`
      with listed as materialized (
        select row_number() over () as position, asked.* from (${statement(input, parts)}) asked
      )
      select to_jsonb(listed) - 'position' as item, to_jsonb(previous) - ${NAME_COLUMNS}::text[] as previous
      from listed
      left join (${withVisits(sql, other, range, parts.now, (own) => statement(other, { ...own, listed }))}) previous using (${name})
      order by position`;
  };
  const [answer, before] = await runQuestions<{ item: Item; previous: Item['previous'] }>(ctx, [
    { input, statement: both },
    { input: other, statement: () => sql`select` },
  ]);
  const { rows, meta } = answer as {
    rows: { item: Item; previous: Item['previous'] }[];
    meta: ReportMeta;
  };
  const { rows: known, meta: otherMeta } = before as { rows: object[] | null; meta: ReportMeta };
  const absent = narrowing === undefined ? none : null;
  return {
    data: rows
      .slice(0, limit)
      .map(({ item, previous }) => ({ ...item, previous: known === null ? null : (previous ?? absent) })),
    meta: described(meta, otherMeta),
    more: rows.length > limit,
  };
}

const nameOf = (sql: Sql, by: NameColumn): Fragment =>
  ({ path: sql`path`, value: sql`value`, name: sql`name`, key: sql`key` })[by];
