/** Engagement and vitals, event by event. */
import type { Dimension } from '../../lib/visits/dimensions.ts';
import { OWN_DOMAIN } from './dimensions.ts';
import { listedValue, matches } from './filters.ts';
import { byteOrder, keptVisits, rangeOf, type World, within } from './reports.ts';
import type { RawEvent } from './visits.ts';

const HOUR_MS = 3_600_000;

type Of<Type> = Extract<RawEvent, { type: Type }>;
const ofType = <Type extends RawEvent['type']>(events: readonly RawEvent[], type: Type) =>
  events.filter((event): event is Of<Type> => event.type === type && event.tier === 3);

interface Range {
  from: number;
  to: number;
}
/** The range of a period; a range stays as it is. */
const asRange = (period: string | Range, now: number, zone: string): Range =>
  typeof period === 'string' ? rangeOf(period, now, zone).range : period;

/** Divides whole numbers, rounded to the nearest. */
const rounded = (part: number, whole: number) => Math.floor((2 * part + whole) / (2 * whole));

/** The page view that an engagement event belongs to: the first of its visitor's views that is of the page and around that time. */
const viewOf = (views: readonly Of<'pageview'>[], { pageId, at }: Of<'engagement'>) =>
  views
    .filter((view) => view.pageId === pageId)
    .filter((view) => view.at >= at - 6 * HOUR_MS && view.at <= at + HOUR_MS)
    .sort((a, b) => a.at - b.at)[0];

/** These sums know pages and no visits, so a filter of pages chooses pages. */
const asked = ({ tier, filters = [] }: World, path: string) =>
  (tier === undefined || tier === 3) && filters.every((filter) => matches(path, filter));

export function engagementOf(world: World, period: string | Range, now: number) {
  const range = asRange(period, now, world.zone);
  const views = Map.groupBy(ofType(world.events, 'pageview'), ({ visitorId }) => visitorId);
  const read = new Map<Of<'pageview'>, { ms: number; depth: number }>();
  for (const event of ofType(world.events, 'engagement')) {
    const view = viewOf(views.get(event.visitorId) ?? [], event);
    if (view === undefined || !within(view.at, range) || !asked(world, view.path)) continue;
    const { ms, depth } = read.get(view) ?? { ms: 0, depth: 0 };
    read.set(view, {
      ms: ms + Math.round(event.seconds * 1000),
      depth: Math.max(depth, Math.round(event.scrollDepth * 10)),
    });
  }
  const byPath = Map.groupBy(read, ([view]) => view.path);
  return [...byPath]
    .map(([path, all]) => {
      const reached = (percent: number) => all.filter(([, { depth }]) => depth >= 10 * percent).length;
      const sum = (part: 'ms' | 'depth') => all.reduce((total, [, one]) => total + one[part], 0);
      return {
        path,
        measured: all.length,
        seconds: rounded(sum('ms'), 100 * all.length) / 10,
        scrollDepth: rounded(sum('depth'), all.length) / 10,
        scrolled25: reached(25),
        scrolled50: reached(50),
        scrolled75: reached(75),
        scrolled100: reached(100),
      };
    })
    .sort((a, b) => b.measured - a.measured || byteOrder(a.path, b.path));
}

const METRICS = ['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const;
type Metric = (typeof METRICS)[number];
/** `values`: of all loads that reported the vital. */
export type ExactVitals = { path: string; measured: number } & Record<Metric, number | null> & {
    values: Record<Metric, number[]>;
  };

export function vitalsOf(world: World, period: string | Range, now: number): ExactVitals[] {
  const range = asRange(period, now, world.zone);
  const loads = ofType(world.events, 'vitals')
    .filter(({ at, path }) => within(at, range) && asked(world, path))
    .filter((load) => METRICS.some((metric) => load[metric] !== undefined));
  return [...Map.groupBy(loads, ({ path }) => path)]
    .map(([path, all]) => {
      const p75 = (metric: (typeof METRICS)[number]) => {
        const values = all.flatMap((load) => load[metric] ?? []).sort((a, b) => a - b);
        return values[Math.ceil(0.75 * values.length) - 1] ?? null;
      };
      const [lcp, inp, cls, fcp, ttfb] = [p75('lcp'), p75('inp'), p75('cls'), p75('fcp'), p75('ttfb')];
      const values = (metric: Metric) => all.flatMap((load) => load[metric] ?? []);
      return {
        ...{ path, measured: all.length, lcp, inp, cls, fcp, ttfb },
        values: {
          ...{ lcp: values('lcp'), inp: values('inp'), cls: values('cls') },
          ...{ fcp: values('fcp'), ttfb: values('ttfb') },
        },
      };
    })
    .sort((a, b) => b.measured - a.measured || byteOrder(a.path, b.path));
}

/** web.dev/articles/vitals: good up to the first, poor beyond the second. */
export const WEB_DEV: Record<Metric, readonly [number, number]> = {
  lcp: [2500, 4000],
  inp: [200, 500],
  cls: [0.1, 0.25],
  fcp: [1800, 3000],
  ttfb: [800, 1800],
};
const UNITS: Record<Metric, number> = { lcp: 10, inp: 10, cls: 10_000, fcp: 10, ttfb: 10 };

/** What the report answers about loads of visits: `by` page, site or dimension, most loads first. */
export function loadsOf(world: World, by: 'page' | 'site' | Dimension, range: Range) {
  const { tier, filters = [], visits } = world;
  const pages = filters.filter(({ dimension }) => dimension === 'page');
  const others = filters.filter(({ dimension }) => dimension !== 'page');
  const loads = keptVisits({ ...world, filters: others, visits: visits.filter((visit) => visit.tier === 3) })
    .flatMap((visit) => visit.loads.map((load) => ({ ...load, visit })))
    .filter(({ at, path }) => within(at, range) && asked({ ...world, tier, filters: pages }, path));
  const nameOf = ({ path, visit }: (typeof loads)[number]) =>
    by === 'page' ? path : by === 'site' ? OWN_DOMAIN : listedValue(visit, by);
  const groups = [...Map.groupBy(loads, nameOf)].flatMap(([name, all]) =>
    name === null ? [] : [{ name, all }],
  );
  return groups
    .map(({ name, all }) => {
      const rated = METRICS.map((metric, n) => {
        const unit = UNITS[metric];
        const sorted = all.flatMap(({ values }) => values[n] ?? []).sort((a, b) => a - b);
        const [good, acceptable] = WEB_DEV[metric];
        const upTo = (bound: number) => sorted.filter((value) => value <= bound * unit).length;
        const share = (part: number) => Math.floor((2000 * part + sorted.length) / (2 * sorted.length)) / 10;
        const ratings = {
          good: share(upTo(good)),
          needsImprovement: share(upTo(acceptable) - upTo(good)),
          poor: share(sorted.length - upTo(acceptable)),
        };
        const middle = sorted[Math.ceil(0.75 * sorted.length) - 1];
        return [
          metric,
          middle === undefined ? null : middle / unit,
          middle === undefined ? null : ratings,
        ] as const;
      });
      return {
        [by === 'page' ? 'path' : 'value']: name,
        measured: all.length,
        ...Object.fromEntries(rated.map(([metric, value]) => [metric, value])),
        shares: Object.fromEntries(rated.map(([metric, , ratings]) => [metric, ratings])),
      } as { path?: string; value?: string; measured: number; shares: object } & Record<
        Metric,
        number | null
      >;
    })
    .sort((a, b) => b.measured - a.measured || byteOrder(a.path ?? a.value ?? '', b.path ?? b.value ?? ''));
}
