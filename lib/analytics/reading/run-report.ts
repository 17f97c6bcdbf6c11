import { joinSiteAccess } from '../../access.ts';
import { askDatabase } from '../../ask-database.ts';
import type { ReportContext } from '../../context.ts';
import { commaSeparated, type Fragment, type Sql } from '../../db.ts';
import { notFound, TooLate } from '../../errors.ts';
import type { Report, ReportMeta, Tier } from '../answers/schemas.ts';
import { filtersToSum, sumAsked, sumNew } from '../sums/sum-filters.ts';
import { containing, type Filter, matches } from './filters.ts';
import { type ContextRow, type ImportedFigures, toMeta, type Within } from './report-meta.ts';
import { type Compare, type Range, selectRange } from './report-range.ts';
import { type SharedVisits, usedTables, type VisitTables, visitTables } from './shared-visits.ts';
import { selectContext } from './site-context.ts';
import {
  type GroupSizes,
  isWithheld,
  type Narrowing,
  requireNarrowing,
  selectGroupSizes,
  Withheld,
} from './small-groups.ts';
import { type NamedValue, selectUnmatched } from './unmatched.ts';

export interface ReportInput {
  /** A UUID. */
  siteId: string;
  range: Range;
  /** Restricts the report to one collection method. */
  tier?: Tier | undefined;
  /** With what the report is compared, if it can be (lib/analytics/reading/compare.ts). */
  compare?: Compare | undefined;
  /** The tiers that the report covers, if not all. `meta` names them. */
  tiers?: readonly Tier[];
  /** Keeps the visits that match all of them. */
  filters?: readonly Filter[];
  /** The goal whose conversions a list has beside its figures, by name or id (lib/analytics/lists/conversions.ts). */
  goal?: string | undefined;
  /** The segment of the request. Its filters are among `filters`. */
  within?: Within | undefined;
  /** The filters of a share's request. If present, small groups are withheld. */
  narrowing?: Narrowing | undefined;
  /** Which figures of imported days the report includes. Absent: none. `meta` says so. */
  imported?: ImportedFigures;
  /** Whether the report is about page loads that visits have. `meta` says since when there are any. */
  isOfLoads?: boolean;
}

export interface ListInput extends ReportInput {
  /** 1 to 100. */
  limit: number;
  /** How many items to skip. */
  offset?: number;
  /** Only rows whose name contains this text, in upper or lower case. */
  search?: string | undefined;
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
  /** The visits that the report counts, read once with other reports. */
  visits: SharedVisits;
  /** Those of them that no sealed day has, for a report that sums sealed days. A report takes its visits from one of the two. */
  unsealed: SharedVisits;
  /** A relation with the column of rows' names: only these rows are wanted. Absent: all. */
  listed?: Fragment | undefined;
}

/** What a report reads: its statement and, for a report with a range, what the statements for `meta` and for small groups are about. */
export type Reading = RangedReading | { statement: () => Fragment };

interface RangedReading {
  input: Pick<ReportInput, 'siteId' | 'range' | 'tier' | 'filters' | 'goal' | 'narrowing'>;
  statement: (parts: ReportParts) => Fragment;
  /** Whether limits don't count it, because it is a part of another reading. */
  isFree?: boolean;
}

/** Reports that are parts of one statement, since they count the same visits. */
interface Group {
  input: RangedReading['input'];
  range: Fragment;
  visits: VisitTables;
  reports: Fragment[];
  /** Of its statement. */
  index: number;
}

/** Where the results of a reading are: those of `rows` are a statement's, or with `group` a report's in its statement. */
interface ResultIndexes {
  rows: number;
  group?: Group;
  context?: number;
  sizes?: number;
  unmatched?: number;
}

/** How much each table and hash of visits may take before it is written to a file. */
const WORK_MEMORY = '32MB';

/** What the database has for a reading. */
export interface Found {
  rows: object[];
  /** Undefined without a range, and if the caller may not see the site. */
  context: ContextRow | undefined;
  /** Undefined unless small groups are withheld. */
  sizes: GroupSizes | undefined;
  /** Values of the filters that the site doesn't have. Never of a share's filters. */
  unmatched: readonly NamedValue[] | null;
  evaluatedAt: string;
}

/** The context of reports that one request asks for together (lib/analytics/answer-reports.ts). */
export interface TogetherContext extends ReportContext {
  /** Reads with the other reports. Absent: the report reads by itself. */
  readTogether?: (readings: readonly Reading[]) => Promise<Found[]>;
}

/**
 * Reads for any number of reports: one round trip, one snapshot, one `now`. What readings share is read once: `meta`'s context of a range,
 * the sizes of groups, and visits (`SharedVisits`): reports of the same visits are one statement. Each reading counts in
 * the asker's limit. If there isn't time for what filters keep, it is summed up first, and asked once more. Throws `RATE_LIMITED` and
 * `UNAVAILABLE`.
 */
export async function readReports(ctx: ReportContext, readings: readonly Reading[]): Promise<Found[]> {
  const { sql, actor } = ctx;
  const now = ctx.now();
  const evaluatedAt = new Date(now).toISOString();
  await ctx.countReports?.(readings.filter((reading) => !('input' in reading && reading.isFree)).length);
  const statements: Fragment[] = [];
  const add = (statement: Fragment): number => statements.push(statement) - 1;
  const groups = new Map<string, Group>();
  const added = new Map<string, number>();
  const addOnce = (about: object, select: () => Fragment): number => {
    const key = JSON.stringify(about);
    const index = added.get(key) ?? add(select());
    added.set(key, index);
    return index;
  };
  const addReport = ({ input, statement }: RangedReading, range: Fragment): ResultIndexes => {
    const { siteId, range: asked, tier, filters = [], goal } = input;
    const own = visitTables(sql);
    const alone = statement({ range, now, ...own });
    const kind = usedTables(own);
    if (kind === undefined) return { rows: add(alone) };
    const key = JSON.stringify({ siteId, asked, tier, filters, goal, kind });
    const group = groups.get(key) ?? { input, range, visits: own[kind], reports: [], index: -1 };
    groups.set(key, group);
    const shared = statement({ range: sql`select * from range`, now, ...own, [kind]: group.visits });
    return { rows: group.reports.push(shared) - 1, group };
  };
  const indexes = readings.map((reading): ResultIndexes => {
    if (!('input' in reading)) return { rows: add(reading.statement()) };
    const { siteId, range: asked, filters = [], narrowing } = reading.input;
    const range = selectRange(sql, { actor, siteId }, asked, evaluatedAt);
    return {
      context: addOnce({ siteId, asked }, () => selectContext(sql, range, evaluatedAt)),
      ...addReport(reading, range),
      ...(filters.length > 0 &&
        narrowing === undefined && {
          unmatched: addOnce({ siteId, filters }, () => selectUnmatched(sql, range, filters)),
        }),
      ...(narrowing !== undefined && {
        sizes: addOnce({ siteId, asked, narrowing }, () =>
          selectGroupSizes(sql, range, { ...narrowing, asked, now }),
        ),
      }),
    };
  });
  // Nobody can estimate how many visits filters keep: for few the planner would sort them, for each report anew.
  if (groups.size > 0)
    add(sql`select set_config('enable_sort', 'off', true), set_config('work_mem', ${WORK_MEMORY}, true)`);
  for (const group of groups.values()) group.index = add(statementOf(sql, group, now));
  const filters = filtersToSum(readings.flatMap((reading) => ('input' in reading ? [reading.input] : [])));
  const ask = () => askDatabase(ctx, { statements, subject: subjectOf(ctx, readings) });
  const { results, asOf } = await ask().catch(async (error: unknown) => {
    // Sums of the newest days may leave so few visits to read that there is time for them.
    const areSummed = error instanceof TooLate && (await sumAsked(ctx, filters).catch(() => false));
    if (!areSummed) throw error;
    return ask();
  });
  if (filters.length > 0) ctx.afterwards?.(sumNew(ctx, filters));
  const firstOf = (index: number | undefined): unknown => results[index ?? -1]?.[0];
  return indexes.map(({ rows, group, context, sizes, unmatched }) => ({
    rows:
      group === undefined
        ? (results[rows] ?? [])
        : ((firstOf(group.index) as { answers: object[][] }).answers[rows] ?? []),
    context: firstOf(context) as ContextRow | undefined,
    sizes: firstOf(sizes) as GroupSizes | undefined,
    unmatched: (firstOf(unmatched) as Pick<Found, 'unmatched'> | undefined)?.unmatched ?? null,
    evaluatedAt: new Date(Math.min(asOf, now)).toISOString(),
  }));
}

/**
 * The sites that the readings are about, if the asker may see them: their goals and funnels, and whether anything was collected. Undefined
 * if a reading isn't about a site. Uses primary keys.
 */
function subjectOf({ sql, actor }: ReportContext, readings: readonly Reading[]): Fragment | undefined {
  const siteIds = readings.map((reading) => ('input' in reading ? reading.input.siteId : undefined));
  if (siteIds.includes(undefined)) return undefined;
  return sql`
    select jsonb_agg(jsonb_build_array(
      site.id,
      (select jsonb_agg(goal order by goal.id) from site_goals goal where goal.site_id = site.id),
      (select jsonb_agg(funnel order by funnel.id) from site_funnels funnel where funnel.site_id = site.id),
      exists (select from site_freshness f where f.site_key = site.key and f.first_event_at is not null)
    ) order by site.id)
    from sites site
    ${joinSiteAccess(sql, actor)}
    where site.id = any (${[...new Set(siteIds)]}::uuid[])`;
}

/** The statement of one report with the tables of visits that it needs, as a part of another statement. */
export function withVisits(
  sql: Sql,
  input: ReportInput,
  range: Fragment,
  now: number,
  statement: (parts: ReportParts) => Fragment,
): Fragment {
  const visits = visitTables(sql);
  const report = statement({ range: sql`select * from range`, now, ...visits });
  const kind = usedTables(visits);
  const tables = kind === undefined ? sql`` : visits[kind].tables(input, now);
  return sql`with range as materialized (${range}) ${tables} select * from (${report}) report`;
}

/** One row with an array of the reports' rows: JSON, so instants are texts. */
const statementOf = (sql: Sql, { input, range, visits, reports }: Group, now: number): Fragment => {
  const rowsOf = (report: Fragment): Fragment =>
    sql`(select coalesce(json_agg(answer), '[]') from (${report}) answer)`;
  return sql`
    with range as materialized (${range}) ${visits.tables(input, now)}
    select json_build_array(${commaSeparated(sql, reports.map(rowsOf))}) as answers`;
};

/** Reads for one report, together with the others of its request if there are any. Throws the errors of `readReports`. */
export async function readReport(ctx: TogetherContext, reading: Reading): Promise<Found> {
  const [found] = await readAll(ctx, [reading]);
  return found as Found;
}

const readAll = (ctx: TogetherContext, readings: readonly Reading[]): Promise<Found[]> =>
  ctx.readTogether === undefined ? readReports(ctx, readings) : ctx.readTogether(readings);

/** A report's statement about one range. */
export interface Question {
  input: ReportInput;
  statement: (parts: ReportParts) => Fragment;
  isFree?: boolean;
}

/**
 * Runs statements about several ranges of a report together, each with the statement for `meta`. `rows` is null where they are about too
 * few visits.
 *
 * @throws `NOT_FOUND` for a site that the caller may not see, `UNAVAILABLE`, `Withheld` for the first
 */
export async function runQuestions<Row>(
  ctx: TogetherContext,
  questions: readonly [Question, ...Question[]],
): Promise<{ rows: Row[] | null; meta: ReportMeta }[]> {
  for (const { input } of questions) requireNarrowing(ctx.actor, input);
  const found = await readAll(ctx, questions);
  return questions.map(({ input }, index) => {
    const { rows, context, sizes, unmatched, evaluatedAt } = found[index] as Found;
    if (context === undefined) throw notFound('site');
    const meta = toMeta({ ...input, unmatched, evaluatedAt }, context);
    if (sizes === undefined || !isWithheld(sizes)) return { rows: rows as Row[], meta };
    if (index === 0) throw new Withheld(meta);
    return { rows: null, meta };
  });
}

/** Runs a report's statement. Throws the errors of `runQuestions`. */
export async function runReport<Row>(
  ctx: TogetherContext,
  input: ReportInput,
  statement: (parts: ReportParts) => Fragment,
): Promise<{ rows: Row[]; meta: ReportMeta }> {
  const [answer] = await runQuestions<Row>(ctx, [{ input, statement }]);
  return answer as { rows: Row[]; meta: ReportMeta };
}

/** The condition that a row's name contains what a list is searched for; true if nothing is. */
export const isFound = (
  sql: ReportContext['sql'],
  name: Fragment,
  { search }: Pick<ListInput, 'search'>,
): Fragment => (search === undefined ? sql`true` : matches(sql, name, containing(search)));

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
