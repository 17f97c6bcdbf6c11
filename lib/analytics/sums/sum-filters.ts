/** Sums of what filters keep (schema/functions/seal-filters.sql), so that the next report with the same filters needn't read the visits. */
import { joinSiteAccess } from '../../access.ts';
import type { Ports, ReportContext } from '../../context.ts';
import { RecentMap } from '../../recent-map.ts';
import { type Filter, filtersTowards } from '../reading/filters.ts';
import { type Clause, clausesOf } from './filter-clauses.ts';

const MOST_DAYS = 400;
const SITES_AT_ONCE = 100;
const DAYS_AT_ONCE = 100;
/** How long a filter that somebody asked of an isolate isn't noted again. */
const NOTED_MS = 10 * 60_000;
/** While somebody waits, for an answer that was too late: of 50 million page views it takes this long to sum up a third of 90 days. */
const WAITED_MS = 40_000;
/** A Worker may run for 30 s after its answer. The cron does the rest. */
const AFTERWARDS_MS = 20_000;

const noted = new RecentMap<string, number>(10_000);

/** A filter of a site, as its sums know it. */
export interface SiteFilter {
  siteId: string;
  clauses: readonly Clause[];
}

/** What sums would spare reports: what the filters of each keep and, with a goal, what of it reaches the goal. Reports of shares read visits. */
export function filtersToSum(
  inputs: readonly {
    siteId: string;
    filters?: readonly Filter[] | undefined;
    goal?: string | undefined;
    narrowing?: object | undefined;
  }[],
): SiteFilter[] {
  const all = inputs
    .filter(({ narrowing }) => narrowing === undefined)
    .flatMap(({ siteId, filters = [], goal }) => {
      const asked = goal === undefined ? [filters] : Object.values(filtersTowards(goal, filters));
      return asked.map((some) => ({ siteId, clauses: clausesOf(some) }));
    })
    .filter(({ clauses }) => clauses.length > 0);
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}

/** Sums up for the filters of reports, one after the other, since a second call for a site would give up. False: none of them gets sums. */
export async function sumAsked(
  ctx: ReportContext,
  asked: readonly SiteFilter[],
  timeMs: number = WAITED_MS,
): Promise<boolean> {
  let areKept = false;
  for (const one of asked)
    if (await sumFilter(ctx, { ...one, timeMs: timeMs / asked.length })) areKept = true;
  return areKept;
}

/** The same for those that the caller hasn't asked of this isolate for ten minutes. What others asked doesn’t count: maybe they may not see the site. */
export async function sumNew(ctx: ReportContext, asked: readonly SiteFilter[]): Promise<void> {
  const now = ctx.now();
  const keyOf = (one: SiteFilter): string => JSON.stringify([ctx.actor, one]);
  const some = asked.filter((one) => (noted.get(keyOf(one)) ?? Number.NEGATIVE_INFINITY) <= now - NOTED_MS);
  for (const one of some) noted.set(keyOf(one), now);
  await sumAsked(ctx, some, AFTERWARDS_MS);
}

/**
 * Notes that a site was asked with filters, and sums up sealed days for them, the newest first, until all are summed, another call does it,
 * or the time is over: the cron does the rest. False: nothing is summed, because the caller may not see the site, it has few visits, or the
 * sums would be too large.
 */
export async function sumFilter(
  { sql, actor, now, clock = now }: ReportContext,
  { siteId, clauses, timeMs }: SiteFilter & { timeMs: number },
): Promise<boolean> {
  const end = clock() + timeMs;
  const instant = new Date(now()).toISOString();
  const [asked] = await sql`
    select site.key, note_filter(site.id, ${JSON.stringify(clauses)}::jsonb, ${instant}::timestamptz) as filter
    from sites site ${joinSiteAccess(sql, actor)} where site.id = ${siteId}::uuid`;
  if (asked === undefined || asked.filter === null) return false;
  const { key: siteKey, filter } = asked;
  const due =
    await sql`select day::text from days_of_filter(${siteKey}::integer, ${filter}::uuid, ${MOST_DAYS}::integer)`;
  for (const { day } of due) if (clock() >= end || !(await sumDay({ sql }, { siteKey, filter, day }))) break;
  return true;
}

/** Decides which filters of sites have sums, and makes those that are missing, until none is or the time is over. */
export async function sumFilters({ sql, now }: Ports, { timeMs }: { timeMs: number }): Promise<void> {
  const end = now() + timeMs;
  const instant = new Date(now()).toISOString();
  for (let sites = SITES_AT_ONCE; sites === SITES_AT_ONCE && now() < end; ) {
    const due =
      await sql`select site_key from sites_with_filters(${instant}::timestamptz, ${SITES_AT_ONCE}::integer)`;
    sites = due.length;
    for (const { site_key: siteKey } of due) await sumSite({ sql, now }, { siteKey, instant, end });
  }
}

/** A filter is tried by its first day: what that takes decides whether it has sums. */
async function sumSite(
  { sql, now }: Ports,
  { siteKey, instant, end }: { siteKey: number; instant: string; end: number },
): Promise<void> {
  for (let isMore = true; isMore && now() < end; ) {
    await sql`select choose_filters(${siteKey}::integer, ${instant}::timestamptz)`;
    const due = await sql`
      select filter, day::text from days_of_filter(${siteKey}::integer, null, ${DAYS_AT_ONCE}::integer)`;
    isMore = due.length > 0;
    for (const { filter, day } of due)
      if (now() >= end || !(await sumDay({ sql }, { siteKey, filter, day }))) return;
  }
}

async function sumDay(
  { sql }: Pick<Ports, 'sql'>,
  { siteKey, filter, day }: { siteKey: unknown; filter: unknown; day: unknown },
): Promise<boolean> {
  const [summed] =
    await sql`select seal_filter(${siteKey}::integer, ${filter}::uuid, ${day}::date) as summed`;
  return summed?.summed === true;
}
