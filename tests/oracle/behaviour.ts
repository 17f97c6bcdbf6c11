/** What visitors did, counted visit by visit: custom events with properties and revenue, journeys, returning visitors. */
import { localDate, startOfDay } from './clock.ts';
import {
  byteOrder,
  keptVisits,
  type OracleRange,
  rangeOf,
  visitorsOf,
  type World,
  within,
} from './reports.ts';
import { isSeen, type OracleVisit } from './visits.ts';

interface Hit {
  visit: OracleVisit;
  name: string;
  props: Record<string, unknown>;
  revenue: { amount: string; currency: string } | undefined;
}

function hitsWithin(world: World, range: OracleRange): Hit[] {
  return keptVisits(world).flatMap((visit) =>
    visit.events
      .filter(({ at }) => within(at, range))
      .map(({ text, data }) => {
        const { props = {}, revenue } = JSON.parse(data ?? '{}');
        return { visit, name: text, props, revenue };
      }),
  );
}

/** Groups items by name. */
function groupBy<T>(items: readonly T[], nameOf: (item: T) => string): [string, T[]][] {
  return [...new Set(items.map(nameOf))].map((name) => [name, items.filter((item) => nameOf(item) === name)]);
}

const figuresOf = (visits: readonly OracleVisit[]) => ({
  visitors: visitorsOf(visits.filter(isSeen)),
  visits: new Set(visits.filter(({ counted }) => counted)).size,
});

export function customEventsOf(world: World, period: string, now: number) {
  return groupBy(hitsWithin(world, rangeOf(period, now, world.zone).range), ({ name }) => name)
    .map(([name, hits]) => ({
      name,
      ...figuresOf(hits.map(({ visit }) => visit)),
      events: hits.length,
      revenue: revenueOf(hits.flatMap(({ revenue }) => revenue ?? [])),
    }))
    .sort((a, b) => b.events - a.events || b.visitors - a.visitors || byteOrder(a.name, b.name));
}

function revenueOf(sales: readonly { amount: string; currency: string }[]) {
  return groupBy(sales, ({ currency }) => currency)
    .map(([currency, ones]) => ({ currency, amount: sumOf(ones.map(({ amount }) => amount)) }))
    .sort((a, b) => byteOrder(a.currency, b.currency));
}

/** Adds in whole numbers of the smallest unit of any amount. */
function sumOf(amounts: readonly string[]): string {
  const decimals = Math.max(...amounts.map((amount) => amount.split('.')[1]?.length ?? 0));
  const units = amounts.map((amount) => {
    const [whole = '', fraction = ''] = amount.split('.');
    return BigInt(whole + fraction.padEnd(decimals, '0'));
  });
  const digits = String(units.reduce((sum, unit) => sum + unit, 0n)).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** The properties of page views: keys, or the values of one. */
export function pagePropsOf(world: World, period: string, key: string | undefined, now: number) {
  const { range } = rangeOf(period, now, world.zone);
  const brought = keptVisits(world).flatMap((visit) =>
    visit.pageProps
      .filter(({ at }) => within(at, range))
      .flatMap(({ data }) => Object.entries((JSON.parse(data).props ?? {}) as Record<string, unknown>))
      .map(([itsKey, value]) => ({ visit, key: itsKey, value: String(value) })),
  );
  return countProps(brought, key).map(({ times, ...row }) => ({ ...row, pageviews: times }));
}

interface Brought {
  visit: OracleVisit;
  key: string;
  value: string;
}

function countProps(brought: readonly Brought[], key: string | undefined) {
  const asked = key === undefined ? brought : brought.filter((prop) => prop.key === key);
  return groupBy(asked, (prop) => (key === undefined ? prop.key : prop.value))
    .map(([text, props]) => ({
      key: key ?? text,
      value: key === undefined ? null : text,
      ...figuresOf(props.map(({ visit }) => visit)),
      times: props.length,
    }))
    .sort(
      (a, b) =>
        b.times - a.times ||
        b.visitors - a.visitors ||
        byteOrder(a.key, b.key) ||
        byteOrder(a.value ?? '', b.value ?? ''),
    );
}

export function eventPropsOf(
  world: World,
  period: string,
  name: string,
  key: string | undefined,
  now: number,
) {
  const brought = hitsWithin(world, rangeOf(period, now, world.zone).range)
    .filter((hit) => hit.name === name)
    .flatMap(({ visit, props }) =>
      Object.entries(props).map(([itsKey, value]) => ({ visit, key: itsKey, value: String(value) })),
    );
  return countProps(brought, key).map(({ times, ...row }) => ({ ...row, events: times }));
}

export interface Ends {
  start?: string | undefined;
  end?: string | undefined;
}

const MAX_PAGES = 5;

/** The journey of a visit as the report shows it. Undefined if the visit doesn't have the requested start or end. */
function pathOf(visit: OracleVisit, { start, end }: Ends): string[] | undefined {
  let path: string[] = visit.consentPage === null ? [] : [visit.consentPage];
  for (const { text } of visit.pages) if (path.at(-1) !== text) path.push(text);
  if (start !== undefined) {
    if (!path.includes(start)) return undefined;
    path = path.slice(path.indexOf(start));
  }
  if (end !== undefined) {
    if (!path.includes(end)) return undefined;
    path = path.slice(0, path.lastIndexOf(end) + 1);
  }
  return end !== undefined && start === undefined ? path.slice(-MAX_PAGES) : path.slice(0, MAX_PAGES);
}

export function journeysOf(world: World, period: string, ends: Ends, now: number) {
  const { range } = rangeOf(period, now, world.zone);
  const walks = keptVisits(world)
    .filter(
      ({ tier, pages, consentPage, startedAt }) =>
        tier > 1 && (pages.length > 0 || consentPage !== null) && within(startedAt, range),
    )
    .flatMap((visit) => {
      const pages = pathOf(visit, ends);
      return pages === undefined ? [] : [{ visit, pages }];
    });
  return groupBy(walks, ({ pages }) => JSON.stringify(pages))
    .map(([path, ones]) => ({
      pages: JSON.parse(path) as string[],
      ...figuresOf(ones.map(({ visit }) => visit)),
      journeys: ones.length,
    }))
    .sort((a, b) => b.journeys - a.journeys || b.visitors - a.visitors || pageOrder(a.pages, b.pages));
}

function pageOrder(a: readonly string[], b: readonly string[]): number {
  const differing = a.findIndex((page, n) => page !== b[n]);
  const [left, right] = [a[differing], b[differing]];
  return left === undefined || right === undefined ? a.length - b.length : byteOrder(left, right);
}

/** The first instant of the ISO week. */
function startOfWeek(at: number, zone: string): number {
  let day = startOfDay(at, zone);
  while (new Date(localDate(day, zone)).getUTCDay() !== 1) day = startOfDay(day - 1, zone);
  return day;
}

export function retentionOf(world: World, range: OracleRange, now: number) {
  const { visits, zone } = world;
  const seen = visits.filter((visit) => visit.tier === 3 && isSeen(visit));
  const kept = new Set(keptVisits(world).map(({ visitorId, startedAt }) => `${visitorId} ${startedAt}`));
  const cohorts = new Map<number, number[][]>();
  for (const [, ones] of groupBy(seen, ({ visitorId }) => String(visitorId))) {
    const [first, ...later] = ones.toSorted((a, b) => a.startedAt - b.startedAt);
    if (first === undefined || !within(first.startedAt, range)) continue;
    if (!kept.has(`${first.visitorId} ${first.startedAt}`)) continue;
    const week = startOfWeek(first.startedAt, zone);
    const came = later.filter(({ startedAt }) => within(startedAt, range));
    cohorts.set(week, [
      ...(cohorts.get(week) ?? []),
      came.map(({ startedAt }) => startOfWeek(startedAt, zone)),
    ]);
  }
  const weeks: number[] = [];
  for (let day = range.from; day < range.to && day <= now; day = startOfDay(day + 36 * 3_600_000, zone))
    if (weeks.at(-1) !== startOfWeek(day, zone)) weeks.push(startOfWeek(day, zone));
  return weeks.map((week) => ({
    week: new Date(week).toISOString(),
    visitors: cohorts.get(week)?.length ?? 0,
    returned: weeks
      .filter((later) => later > week)
      .map((later) => (cohorts.get(week) ?? []).filter((came) => came.includes(later)).length),
    cameBack: (cohorts.get(week) ?? []).filter((came) => came.some((later) => later > week)).length,
  }));
}
