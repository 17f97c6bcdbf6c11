/** The reports by the rules of docs/counting.md, counted visit by visit, without rollups. */

import type { Filter } from '../../lib/analytics/reading/filters.ts';
import type { QualityBy, QualitySort } from '../../lib/analytics/reading/report-inputs.ts';
import type { Dimension, StackedDimension } from '../../lib/visits/dimensions.ts';
import { OTHER } from '../../lib/visits/other-value.ts';
import { localDate, localHour, nextDay, startOfDate, startOfDay, startOfHour } from './clock.ts';
import { keeps, listedValue } from './filters.ts';
import type { OracleGoal } from './hits.ts';
import { isBounce, isSeen, type OracleVisit, type RawEvent } from './visits.ts';

const HOUR_MS = 3_600_000;

export interface OracleRange {
  from: number;
  /** Exclusive. */
  to: number;
}

/** The input of all reports: everything ever stored of a site, its zone, and one tier or all. */
export interface World {
  events: readonly RawEvent[];
  visits: readonly OracleVisit[];
  zone: string;
  tier: 1 | 2 | 3 | undefined;
  filters?: readonly Filter[];
  goals?: readonly OracleGoal[];
  /** When collection began, if visits from then were deleted since. */
  since?: number | undefined;
}

const daysBefore = (start: number, days: number, zone: string): number => {
  let at = start;
  for (let n = 0; n < days; n++) at = startOfDay(at - 1, zone);
  return at;
};

/** A period like `7d`, or a range. */
export type OraclePeriod = string | OracleRange;

/** The range of a period, and as much as has passed of it of the same length before. A range has none before it. */
export function rangeOf(
  period: OraclePeriod,
  now: number,
  zone: string,
): { range: OracleRange; before: OracleRange } {
  if (typeof period !== 'string') return { range: period, before: { from: period.from, to: period.from } };
  if (period === '24h') {
    // The clock may change by half an hour in between, so this counts whole local hours.
    const hoursBefore = (hour: number, hours: number) => startOfHour(hour - hours * HOUR_MS, zone);
    const last = startOfHour(now, zone);
    const from = hoursBefore(last, 23);
    const start = hoursBefore(from, 24);
    return {
      range: { from, to: last + HOUR_MS },
      before: { from: start, to: Math.min(from, start + now - from) },
    };
  }
  const days = Number.parseInt(period, 10);
  const from = daysBefore(startOfDay(now, zone), days - 1, zone);
  const before = { from: daysBefore(from, days, zone), to: from };
  return { range: { from, to: nextDay(now, zone) }, before: cutAfter(before, days - 1, now, zone) };
}

/** A range up to the time of its day after `passed` ones, at which as much of that day has passed as of today. */
function cutAfter({ from, to }: OracleRange, passed: number, now: number, zone: string): OracleRange {
  let day = from;
  for (let n = 0; n < passed; n++) day = nextDay(day, zone);
  return { from, to: Math.min(to, nextDay(day, zone), day + now - startOfDay(now, zone)) };
}

const yearBefore = (date: string): string =>
  `${Number(date.slice(0, 4)) - 1}${date.slice(4)}`.replace('-02-29', '-02-28');

const dateBefore = (date: string, days: number): string =>
  new Date(Date.parse(date) - days * 24 * HOUR_MS).toISOString().slice(0, 10);

/**
 * The range with which a period is compared, up to when as much of it has passed as of the period, or `whole`; undefined where the clock
 * doesn't have the same hour a week or a year before, or has it twice.
 */
export function comparedOf(
  period: string,
  compare: 'previous' | 'weekdays' | 'year' | { from: string; to: string },
  now: number,
  zone: string,
): { cut: OracleRange; whole: OracleRange } | undefined {
  const dates = (from: string, to: string): OracleRange => ({
    from: startOfDate(from, zone),
    to: nextDay(startOfDate(to, zone), zone),
  });
  const both = (whole: OracleRange) => ({
    cut: period === '24h' ? whole : cutAfter(whole, Number.parseInt(period, 10) - 1, now, zone),
    whole,
  });
  if (typeof compare === 'object') return both(dates(compare.from, compare.to));
  const { range, before } = rangeOf(period, now, zone);
  if (compare === 'previous') return { cut: before, whole: { from: before.from, to: range.from } };
  const weeks = Math.ceil((period === '24h' ? 1 : Number.parseInt(period, 10)) / 7);
  const dateOf = (at: number) =>
    compare === 'year' ? yearBefore(localDate(at, zone)) : dateBefore(localDate(at, zone), 7 * weeks);
  if (period !== '24h') return both(dates(dateOf(range.from), dateOf(range.to - 1)));
  const { from, to } = dates(dateOf(now), dateOf(now));
  const hours = Array.from({ length: Math.ceil((to - from) / HOUR_MS) }, (_, n) => from + n * HOUR_MS);
  const [same, ...more] = hours.filter((at) => localHour(at, zone) === localHour(now, zone));
  if (same === undefined || more.length > 0) return undefined;
  const whole = rangeOf('24h', same, zone).range;
  return { cut: { from: whole.from, to: Math.min(whole.to, whole.from + now - range.from) }, whole };
}

export const within = (at: number, { from, to }: OracleRange) => at >= from && at < to;
export const percent = (now: number, then: number) =>
  then === 0 ? (now === 0 ? 0 : 100) : Math.round(((now - then) / then) * 1000) / 10;

/** The visits of a report: those that its filters keep. It counts all that they did. */
export const keptVisits = ({ visits, tier, filters = [], goals = [] }: World): OracleVisit[] =>
  visits
    .filter((visit) => tier === undefined || visit.tier === tier)
    .filter((visit) => filters.every((filter) => keeps(visit, filter, goals)));

export const visitorsOf = (visits: readonly OracleVisit[]): number =>
  new Set(visits.flatMap(({ tier, visitorId }) => (visitorId === null ? [] : [`${tier} ${visitorId}`]))).size;

/** Totals of a range. A visit and its visitor count where it began, a page view where it happened. */
function totals(world: World, range: OracleRange, tier?: number) {
  const mine = keptVisits(world).filter((visit) => tier === undefined || visit.tier === tier);
  const begun = mine.filter(({ startedAt }) => within(startedAt, range));
  const measured = begun.filter((visit) => visit.tier === 3 && visit.counted);
  const duration = measured.reduce((sum, { startedAt, endedAt }) => sum + endedAt - startedAt, 0);
  return {
    visits: begun.filter(({ counted }) => counted).length,
    visitors: visitorsOf(begun.filter(isSeen)),
    pageviews: mine.flatMap(({ pages }) => pages).filter(({ at }) => within(at, range)).length,
    bounceRate:
      measured.length === 0 ? null : oneDecimal((100 * measured.filter(isBounce).length) / measured.length),
    avgDuration: measured.length === 0 ? null : oneDecimal(duration / measured.length / 1000),
  };
}

const oneDecimal = (value: number): number => Math.round(value * 10) / 10;

/** Whether anything was observed in the hours of a range. */
function isObserved({ visits, zone }: World, { from, to }: OracleRange): boolean {
  const hours = { from, to: to > from ? startOfHour(to - 1, zone) + HOUR_MS : from };
  return visits.some(
    (visit) =>
      (visit.counted && within(visit.startedAt, hours)) || visit.pages.some(({ at }) => within(at, hours)),
  );
}

/** The changes from one range to another. */
export function changesOf(world: World, now: OracleRange, before: OracleRange) {
  const [present, past] = [totals(world, now), totals(world, before)];
  const since =
    world.since ?? Math.min(...world.events.filter(({ type }) => type !== 'dropped').map(({ at }) => at));
  const isKnown = isObserved(world, now) && isObserved(world, before) && since <= before.from;
  const changeOf = (figure: 'visitors' | 'visits' | 'pageviews') =>
    isKnown ? percent(present[figure], past[figure]) : null;
  return {
    visitorsChange: changeOf('visitors'),
    visitsChange: changeOf('visits'),
    pageviewsChange: changeOf('pageviews'),
  };
}

export function overviewOf(world: World, period: OraclePeriod, now: number) {
  const { range, before } = rangeOf(period, now, world.zone);
  const byTier = (what: 'visits' | 'pageviews') => ({
    anonymousCounts: totals(world, range, 1)[what],
    anonymousSessions: totals(world, range, 2)[what],
    consented: totals(world, range, 3)[what],
  });
  return {
    ...totals(world, range),
    ...changesOf(world, range, before),
    tiers: {
      visits: byTier('visits'),
      pageviews: byTier('pageviews'),
      visitors: {
        anonymousSessions: totals(world, range, 2).visitors,
        consented: totals(world, range, 3).visitors,
      },
    },
  };
}

interface Point {
  time: string;
  visitors: number;
  visits: number;
  pageviews: number;
  bounceRate: number | null;
  avgDuration: number | null;
  partial?: true;
}

export function timeseriesOf(world: World, period: OraclePeriod, interval: string, now: number) {
  const { range } = rangeOf(period, now, world.zone);
  const points: Point[] = [];
  let from = range.from;
  while (from < range.to) {
    const to = Math.min(range.to, endOfBucket(from, interval, world.zone));
    const start = bucketStart(from, interval, world.zone);
    points.push({
      time: new Date(start).toISOString(),
      ...totals(world, { from, to }),
      ...((start < range.from || to < endOfBucket(from, interval, world.zone) || to > now) && {
        partial: true,
      }),
    });
    from = to;
  }
  return points;
}

interface Part {
  value: string;
  visitors: number;
  visits: number;
  pageviews: number;
}

/** The same with the parts of each bucket: its list, of which all but the rows with most visits are one. */
export function stackedOf(
  world: World,
  period: OraclePeriod,
  interval: string,
  { by, limit }: { by: StackedDimension; limit: number },
  now: number,
) {
  const { range } = rangeOf(period, now, world.zone);
  const points = timeseriesOf(world, period, interval, now);
  const lists = points.map(({ time }): Part[] => {
    const from = Math.max(range.from, Date.parse(time));
    return listOf(world, { from, to: Math.min(range.to, endOfBucket(from, interval, world.zone)) }, by, now);
  });
  const visits = new Map<string, number>();
  for (const row of lists.flat()) visits.set(row.value, (visits.get(row.value) ?? 0) + row.visits);
  const values = [...visits]
    .filter(([value]) => value !== OTHER)
    .sort((a, b) => (by === 'tier' ? 0 : b[1] - a[1]) || byteOrder(a[0], b[0]))
    .map(([value]) => value);
  const first = values.slice(0, by === 'tier' ? 3 : limit);
  const hasOthers = visits.size > first.length;
  const sumOf = (value: string, rows: readonly Part[]): Part => ({
    value,
    visitors: rows.reduce((sum, row) => sum + row.visitors, 0),
    visits: rows.reduce((sum, row) => sum + row.visits, 0),
    pageviews: rows.reduce((sum, row) => sum + row.pageviews, 0),
  });
  return points.map((point, index) => {
    const rows = lists[index] ?? [];
    const rest = rows.filter(({ value }) => !first.includes(value));
    return {
      ...point,
      parts: [
        ...first.map((value) =>
          sumOf(
            value,
            rows.filter((row) => row.value === value),
          ),
        ),
        ...(hasOthers ? [sumOf(OTHER, rest)] : []),
      ],
    };
  });
}

function listOf(world: World, range: OracleRange, by: StackedDimension, now: number): Part[] {
  if (by === 'tier')
    return ([1, 2, 3] as const)
      .map((tier) => {
        const { visitors, visits, pageviews } = totals(world, range, tier);
        return { value: String(tier), visitors, visits, pageviews };
      })
      .filter(({ visitors, visits, pageviews }) => visitors > 0 || visits > 0 || pageviews > 0);
  if (by !== 'entry_page' && by !== 'exit_page')
    return valuesOf(world, range, by, Number.POSITIVE_INFINITY, now);
  const edge = by === 'entry_page' ? 'entry' : 'exit';
  return edgePagesOf(world, range, edge, Number.POSITIVE_INFINITY, now).map(({ path, reach, ...row }) => ({
    value: path,
    ...row,
  }));
}

/** The name of a bucket is its real start, which may be before the range for the first bucket. */
function bucketStart(at: number, interval: string, zone: string): number {
  if (interval === 'hour') return startOfHour(at, zone);
  let start = startOfDay(at, zone);
  while (!begins(start, interval, zone)) start = startOfDay(start - 1, zone);
  return start;
}

/** Whether a week (from Monday) or a month begins on this day. */
function begins(day: number, interval: string, zone: string): boolean {
  if (interval === 'day') return true;
  const date = localDate(day, zone);
  return interval === 'month' ? date.endsWith('-01') : new Date(date).getUTCDay() === 1;
}

function endOfBucket(at: number, interval: string, zone: string): number {
  if (interval === 'hour') {
    const end = startOfHour(at, zone) + HOUR_MS;
    // Where the clock leaves out half an hour, the next hour begins before.
    const next = startOfHour(end - 1, zone);
    return next > at ? next : end;
  }
  let end = nextDay(at, zone);
  while (!begins(end, interval, zone)) end = nextDay(end, zone);
  return end;
}

/** Visits by weekday, from Monday, and hour of the zone, with how many such hours have begun. */
export function heatmapOf(world: World, period: OraclePeriod, now: number) {
  const { zone } = world;
  const { range } = rangeOf(period, now, zone);
  const cellOf = (at: number) => `${new Date(localDate(at, zone)).getUTCDay() || 7} ${localHour(at, zone)}`;
  const hours: string[] = [];
  for (let at = range.from; at < Math.min(range.to, now); at += HOUR_MS) hours.push(cellOf(at));
  const begun = keptVisits(world)
    .filter(({ counted, startedAt }) => counted && within(startedAt, range))
    .map(({ startedAt }) => cellOf(startedAt));
  const count = (cells: readonly string[], cell: string) => cells.filter((one) => one === cell).length;
  return Array.from({ length: 168 }, (_, n) => {
    const [weekday, hour] = [Math.floor(n / 24) + 1, n % 24];
    const cell = `${weekday} ${hour}`;
    return { weekday, hour, visits: count(begun, cell), hours: count(hours, cell) };
  });
}

interface Item {
  visits: number;
  visitors: Set<string>;
  pageviews: number;
  anonymous: number;
}

function tally() {
  const items = new Map<string, Item>();
  return {
    items,
    add(value: string, visit: OracleVisit, pageviews: number, counted: boolean, seen: boolean) {
      const item = items.get(value) ?? { visits: 0, visitors: new Set(), pageviews: 0, anonymous: 0 };
      items.set(value, item);
      if (counted) item.visits++;
      if (seen && visit.visitorId !== null) item.visitors.add(`${visit.tier} ${visit.visitorId}`);
      item.pageviews += pageviews;
      if (visit.tier === 1) item.anonymous += pageviews;
    },
  };
}

export const byteOrder = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** By what lists are sorted first. */
type ValueSort = 'visits' | 'visitors' | 'pageviews';
type PageSort = ValueSort | 'reach';

export function pagesOf(world: World, period: OraclePeriod, sort: PageSort, limit: number, now: number) {
  const { range } = rangeOf(period, now, world.zone);
  const { items, add } = tally();
  for (const visit of keptVisits(world)) {
    const views = visit.pages.filter(({ at }) => within(at, range)).map(({ text }) => text);
    for (const path of new Set(views))
      add(path, visit, views.filter((view) => view === path).length, visit.counted, true);
  }
  return [...items]
    .map(([path, { visits, visitors, pageviews, anonymous }]) => ({
      path,
      visits,
      visitors: visitors.size,
      pageviews,
      reach: visitors.size + anonymous,
    }))
    .sort(
      (a, b) =>
        b[sort] - a[sort] || b.reach - a.reach || b.pageviews - a.pageviews || byteOrder(a.path, b.path),
    )
    .slice(0, limit);
}

export function valuesOf(
  world: World,
  period: OraclePeriod,
  dimension: Dimension,
  limit: number,
  now: number,
  sort: ValueSort = 'visits',
) {
  const { range } = rangeOf(period, now, world.zone);
  const { items, add } = tally();
  for (const visit of keptVisits(world)) {
    if (!within(visit.startedAt, range) || !isSeen(visit)) continue;
    const value = listedValue(visit, dimension);
    if (value !== null) add(value, visit, visit.pages.length, visit.counted, true);
  }
  return [...items]
    .map(([value, { visits, visitors, pageviews }]) => ({
      value,
      visitors: visitors.size,
      visits,
      pageviews,
    }))
    .sort(
      (a, b) =>
        b[sort] - a[sort] || b.visits - a.visits || b.visitors - a.visitors || byteOrder(a.value, b.value),
    )
    .slice(0, limit);
}

/** How good visits are: by a dimension, by the page on which they began or ended, or by each page that they saw. */
export function qualityOf(
  world: World,
  period: OraclePeriod,
  { by, sort, minVisits, limit }: { by: QualityBy; sort: QualitySort; minVisits: number; limit: number },
  now: number,
) {
  const { range } = rangeOf(period, now, world.zone);
  const groups = new Map<string, OracleVisit[]>();
  for (const visit of keptVisits(world)) {
    if (!within(visit.startedAt, range) || !isSeen(visit)) continue;
    for (const name of groupsOf(visit, by)) groups.set(name, [...(groups.get(name) ?? []), visit]);
  }
  const rows = [...groups].map(([value, all]) => {
    const visits = all.filter(({ counted }) => counted);
    const measured = visits.filter(({ tier }) => tier === 3);
    const ms = measured.reduce((sum, { startedAt, endedAt }) => sum + endedAt - startedAt, 0);
    const share = (part: number) => (measured.length === 0 ? null : part / measured.length);
    return {
      ...{ value, visits: visits.length, measured: measured.length },
      pageviews: all.reduce((sum, { pages }) => sum + pages.length, 0),
      bounceRate: share(100 * measured.filter(isBounce).length),
      avgDuration: share(ms / 1000),
    };
  });
  return rows
    .filter(({ visits }) => visits >= minVisits)
    .sort((a, b) => (b[sort] ?? -1) - (a[sort] ?? -1) || b.visits - a.visits || byteOrder(a.value, b.value))
    .slice(0, limit)
    .map((row) => ({
      ...row,
      bounceRate: row.bounceRate === null ? null : oneDecimal(row.bounceRate),
      avgDuration: row.avgDuration === null ? null : oneDecimal(row.avgDuration),
    }));
}

function groupsOf(visit: OracleVisit, by: QualityBy): string[] {
  const paths = visit.pages.map(({ text }) => text);
  if (by === 'page') return [...new Set(paths)];
  if (by === 'entry_page') return visit.counted ? paths.slice(0, 1) : [];
  if (by === 'exit_page') return visit.tier === 1 ? [] : paths.slice(-1);
  const value = listedValue(visit, by);
  return value === null ? [] : [value];
}

export function edgePagesOf(
  world: World,
  period: OraclePeriod,
  edge: 'entry' | 'exit',
  limit: number,
  now: number,
  sort: PageSort = 'visits',
) {
  const { range } = rangeOf(period, now, world.zone);
  const { items, add } = tally();
  for (const visit of keptVisits(world)) {
    if (!within(visit.startedAt, range)) continue;
    // A continued visit began on another page; a page view of tier 1 knows no end.
    if (edge === 'entry' ? !visit.counted : visit.tier === 1) continue;
    const page = edge === 'entry' ? visit.pages.at(0) : visit.pages.at(-1);
    if (page !== undefined) add(page.text, visit, visit.pages.length, visit.counted, true);
  }
  return [...items]
    .map(([path, { visits, visitors, pageviews, anonymous }]) => ({
      path,
      visitors: visitors.size,
      visits,
      pageviews,
      reach: visitors.size + anonymous,
    }))
    .sort(
      (a, b) =>
        b[sort] - a[sort] || b.visits - a.visits || b.visitors - a.visitors || byteOrder(a.path, b.path),
    )
    .slice(0, limit);
}

/** Whether a server sent the event. */
const isSent = (event: RawEvent): boolean => event.type === 'event' && event.entry === false;

export function liveOf({ events }: World, now: number) {
  const recent = events.filter((e) => e.at > now - 5 * 60_000 && e.at <= now && e.type !== 'dropped');
  const visitors = new Set(
    recent.flatMap((e) => (e.tier >= 2 && !isSent(e) ? [`${e.tier} ${e.visitorId}`] : [])),
  ).size;
  const anonymousPageviews = recent.filter((e) => e.tier === 1 && e.type === 'pageview').length;
  return { visitors, anonymousPageviews, count: visitors };
}
