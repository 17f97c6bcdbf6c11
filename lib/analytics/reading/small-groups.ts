/**
 * Keeps groups of a few visits out of what a share answers to filters (docs/reports.md#what-filters-of-a-share-tell). Reports of everybody
 * else, and a share's answers without filters, show groups of any size.
 */
import type { ReaderActor } from '../../context.ts';
import { commaSeparated, type Fragment, type Sql } from '../../db.ts';
import { DomainError, type ErrorDetail } from '../../errors.ts';
import { isDimension, type StackedDimension } from '../../visits/dimensions.ts';
import type { ReportMeta, Tier } from '../answers/schemas.ts';
import { type Filter, keepVisits, listOf, nameOf, TIER_LIST } from './filters.ts';
import type { VitalsBy } from './report-inputs.ts';
import { type Interval, inQuarters, looseBounds, type Range } from './report-range.ts';

/** A smaller group, by visits or by people, is withheld. */
export const SMALLEST_GROUP = 5;

/** Values that a share's question may name in all. Each is a group to count, for whoever has the link. */
const MAX_NAMED_VALUES = 5;

/** What narrows an answer from which small groups are withheld. */
export interface Narrowing {
  tier?: Tier | undefined;
  filters: readonly Filter[];
}

/** What may narrow an answer. */
export interface Question {
  tier?: Tier | undefined;
  filters?: readonly Filter[];
  /** A journey's ends choose visits as a filter by page does. */
  start?: string | undefined;
  end?: string | undefined;
  /** A goal whose conversions rows have chooses visits as a filter by it does. */
  goal?: string | undefined;
  interval?: Interval;
  stack?: { by: StackedDimension } | undefined;
  /** By what page loads are listed: a dimension tells what its own list does. */
  group?: VitalsBy | undefined;
}

/** Thrown instead of an answer that is about too few. Its `meta` is the answer's. */
export class Withheld extends Error {
  readonly meta: ReportMeta;

  constructor(meta: ReportMeta) {
    super('The answer is about too few visits.');
    this.name = 'Withheld';
    this.meta = meta;
  }
}

/**
 * What narrows the answer to a share's question; undefined if nothing does, and for everybody else. Throws `VALIDATION_ERROR` for a filter
 * whose values the share doesn't list, and for too many values.
 */
export function narrowingOf(actor: ReaderActor, asked: Question): Narrowing | undefined {
  if (actor.kind !== 'share') return undefined;
  const { tier, filters = [], start, end, goal, interval, stack, group } = asked;
  const ends = Object.entries({ start, end }).flatMap(([name, path]) =>
    path === undefined ? [] : [{ name, path }],
  );
  refuse([
    ...(tier === undefined ? [] : notListed(actor.reports, 'filter_privacy_tier', TIER_LIST)),
    ...filters.flatMap((filter) => notListed(actor.reports, `filter_${nameOf(filter)}`, listOf(filter))),
    ...ends.flatMap(({ name }) => notListed(actor.reports, name, listOf({ dimension: 'page' }))),
    ...(goal === undefined ? [] : notListed(actor.reports, 'goal', listOf({ dimension: 'goal' }))),
    ...tooMany(filters),
    ...(isDimension(group) ? notListed(actor.reports, 'by', listOf({ dimension: group })) : []),
    ...(stack === undefined ? [] : stackRefused(actor.reports, stack.by, interval)),
  ]);
  if (tier === undefined && filters.length === 0 && ends.length === 0 && goal === undefined) return undefined;
  const pages = ends.map(({ path }): Filter => ({ dimension: 'page', operator: 'is', values: [path] }));
  const goals: Filter[] = goal === undefined ? [] : [{ dimension: 'goal', operator: 'is', values: [goal] }];
  return { tier, filters: [...filters, ...pages, ...goals] };
}

const notListed = (reports: readonly string[], path: string, list: string): ErrorDetail[] =>
  reports.includes(list)
    ? []
    : [
        {
          path,
          message: `${path === 'by' ? 'is not taken by' : 'is no filter of'} this share, because it doesn’t show ${list}`,
        },
      ];

/** By hour, parts would tell more of single visits than the lists of a share do. */
const stackRefused = (
  reports: readonly string[],
  by: StackedDimension,
  interval: Interval | undefined,
): ErrorDetail[] => [
  ...notListed(reports, 'by', by === 'tier' ? TIER_LIST : listOf({ dimension: by })),
  ...(interval === 'hour' ? [{ path: 'interval', message: 'must not be hour with `by` in a share' }] : []),
];

function tooMany(filters: readonly Filter[]): ErrorDetail[] {
  const named = filters.reduce((sum, { values }) => sum + values.length, 0);
  const [last] = filters.slice(-1);
  const message = `must not make more than ${MAX_NAMED_VALUES} values of all filters of a share`;
  return last === undefined || named <= MAX_NAMED_VALUES ? [] : [{ path: `filter_${nameOf(last)}`, message }];
}

function refuse(details: readonly ErrorDetail[]): void {
  if (details.length > 0)
    throw new DomainError('VALIDATION_ERROR', 'The request breaks the rules named in `details`.', {
      details,
    });
}

/** Throws unless small groups are withheld from an answer that a share narrows. For every verb that answers a report. */
export function requireNarrowing(
  actor: ReaderActor,
  asked: Question & { narrowing?: Narrowing | undefined },
): void {
  if (asked.narrowing === undefined && narrowingOf(actor, asked) !== undefined)
    throw new Error('A share’s filters reached a report that withholds nothing.');
}

/** Ends a `group by`: leaves out groups of a smaller `size` than is shown. Empty where nothing is withheld. */
export const onlyLarge = (sql: Sql, narrowing: Narrowing | undefined, size: Fragment): Fragment =>
  narrowing === undefined ? sql`` : sql`having ${size} >= ${SMALLEST_GROUP}::integer`;

/**
 * How many people or visits a group of visits is, whichever is less: one person may come often. Nobody knows the person of a visit at tier
 * 1, so each counts as one. For rows of `visits`.
 */
export const sizeOfVisits = (sql: Sql): Fragment => sql`
  least(count(*) filter (where counted), count(distinct visitor_id) + count(*) filter (where visitor_id is null))`;

/** The same for rows with sums of visits (`sumsOfVisits`) and their distinct `visitors`. */
export const sizeOfVisitors = (sql: Sql): Fragment => sql`least(sum(visits), sum(visitors) + sum(unknown))`;

/** The same for rows that are hits of a `visit`. */
export const sizeOfHits = (sql: Sql): Fragment => sql`
  (count(distinct visitor_id) + count(distinct visit) filter (where visitor_id is null))`;

/** How many visits are in the groups that an answer, and its subtraction from other answers, tell of. */
export interface GroupSizes {
  /** What all filters keep. */
  kept: number;
  /**
   * By filter: how many of the whole range it leaves out, and the parts into which it splits what the other filters keep: what it leaves
   * out, and each value if it names several.
   */
  splits: { missed: number; parts: number[] }[];
}

/**
 * Selects the sizes of the groups into which filters split the visits that began in the range: one row, `GroupSizes`. Scans these visits
 * once by the index `visits_quarters`, as the report itself does.
 */
export function selectGroupSizes(
  sql: Sql,
  range: Fragment,
  { tier, filters, asked, now }: Narrowing & { asked: Range; now: number },
): Fragment {
  const { after, before } = looseBounds(asked, now);
  const conditions: Fragment[] = [];
  const judge = (condition: Fragment): Fragment => {
    conditions.push(sql`(true ${condition}) is true`);
    return sql`held[${conditions.length}::integer]`;
  };
  const splits = [
    ...(tier === undefined ? [] : [[sql`and tier = ${tier}::smallint`]]),
    ...filters.map((filter) => [
      keepVisits(sql, [filter]),
      ...valuesOf(filter).map((one) => keepVisits(sql, [one])),
    ]),
  ].map((all) => all.map(judge));
  const visitsWith = (condition: Fragment) => sql`count(*) filter (where counted and ${condition})`;
  const partsOf = ([held = sql``, ...values]: readonly Fragment[]) => [
    visitsWith(sql`missing = 1 and not ${held}`),
    ...values.map((value) => visitsWith(sql`missing = (not ${held})::integer and ${value}`)),
  ];
  return sql`
    with range as materialized (${range}),
    judged as (
      select *, ${splits.reduce((sum, [held = sql``]) => sql`${sum} + (not ${held})::integer`, sql`0`)} as missing
      from (
        select tier, counted,
          case when is_seen(counted, continued, entry_page, custom_events, consent_page) then visitor_id end as visitor_id,
          array[${commaSeparated(sql, conditions)}] as held
        from visits
        where site_key = (select site_key from range) and profile_id > 0
          and started_at >= ${after}::timestamptz and started_at < ${before}::timestamptz
          and started_at >= (select from_at from range) and started_at < (select to_at from range)
          ${inQuarters(sql, sql`(select from_at from range)`, sql`(select to_at from range)`)}
        offset 0
      ) v
    )
    select
      least(
        ${visitsWith(sql`missing = 0`)},
        count(distinct visitor_id) filter (where missing = 0) + ${visitsWith(sql`missing = 0 and tier = 1`)}
      )::integer as kept,
      jsonb_build_array(${commaSeparated(
        sql,
        splits.map(
          (split) => sql`
            jsonb_build_object('missed', count(*) filter (where not ${split[0] ?? sql``}),
              'parts', array[${commaSeparated(sql, partsOf(split))}])`,
        ),
      )}) as splits
    from judged`;
}

/** Each value of a filter that names several, as a filter of its own. */
const valuesOf = (filter: Filter): Filter[] =>
  filter.operator === 'contains' || filter.values.length === 1
    ? []
    : filter.values.map((value) => ({ ...filter, operator: 'is', values: [value] }));

/**
 * Whether an answer is withheld: a group that it tells of is too small. A filter that keeps every visit of the range tells of none.
 */
export const isWithheld = ({ kept, splits }: GroupSizes): boolean =>
  [kept, ...splits.filter(({ missed }) => missed > 0).flatMap(({ parts }) => parts)].some(
    (size) => size < SMALLEST_GROUP,
  );
