/** Goals and funnels by the rules of docs/counting.md, visit by visit. */
import type { Target } from '../../lib/goals/target.ts';
import { hitsOf, isRepeat } from './hits.ts';
import {
  byteOrder,
  keptVisits,
  type OracleRange,
  rangeOf,
  visitorsOf,
  type World,
  within,
} from './reports.ts';
import { hasHits, isSeen, type OracleVisit } from './visits.ts';

const percent = (part: number, whole: number) => (whole === 0 ? 0 : Math.round((1000 * part) / whole) / 10);

function begun(world: World, period: string | OracleRange, now: number): OracleVisit[] {
  const { range } = rangeOf(period, now, world.zone);
  return keptVisits(world).filter((visit) => within(visit.startedAt, range));
}

function reasons(visits: readonly OracleVisit[]): string[] {
  const shown = visits.filter(hasHits);
  return [
    ...(shown.some(({ tier }) => tier === 1) ? ['anonymousCounts'] : []),
    ...(shown.some(({ continued }) => continued) ? ['continuations'] : []),
    ...(shown.some((visit) => visit.tier > 1 && !isSeen(visit)) ? ['serverEvents'] : []),
  ];
}

export function goalsOf(world: World, period: string | OracleRange, now: number) {
  const visits = begun(world, period, now);
  const counted = visits.filter((visit) => visit.counted).length;
  const exact = visits.filter((visit) => visit.counted && visit.tier > 1).length;
  const items = (world.goals ?? []).map((goal) => {
    const converted = visits.filter((visit) => hitsOf(visit, goal).length > 0);
    const hits = converted.flatMap((visit) => hitsOf(visit, goal));
    const converting = converted.filter((visit) => !hitsOf(visit, goal).every(isRepeat));
    const conversions = converting.length;
    const ofVisits = converting.filter(({ tier, counted }) => tier > 1 && counted).length;
    const apart = converting.filter(({ tier, counted }) => tier > 1 && !counted);
    return {
      ...goal,
      exact: {
        conversions: ofVisits,
        visits: exact,
        conversionRate: exact === 0 ? null : percent(ofVisits, exact),
      },
      apart: {
        anonymousCounts: converting.filter(({ tier }) => tier === 1).length,
        continuations: apart.filter(isSeen).length,
        serverEvents: apart.filter((visit) => !isSeen(visit)).length,
      },
      conversions,
      conversionRate: conversions > counted ? 100 : percent(conversions, counted),
      events: hits.length,
      visitors: visitorsOf(converted.filter(isSeen)),
      revenue: revenueOf(hits.map(({ data }) => data)),
    };
  });
  return {
    data: items.sort(
      (a, b) => b.conversions - a.conversions || b.visitors - a.visitors || byteOrder(a.name, b.name),
    ),
    approximate: reasons(visits),
  };
}

/** Sums by currency, computed with the largest number of decimals that one of its amounts has. */
function revenueOf(data: readonly (string | null)[]) {
  const amounts = new Map<string, string[]>();
  for (const item of data) {
    const { revenue } = JSON.parse(item ?? '{}') as { revenue?: { amount: string; currency: string } };
    if (revenue !== undefined)
      amounts.set(revenue.currency, [...(amounts.get(revenue.currency) ?? []), revenue.amount]);
  }
  return [...amounts]
    .sort(([a], [b]) => byteOrder(a, b))
    .map(([currency, all]) => ({ currency, amount: sumOf(all) }));
}

function sumOf(amounts: readonly string[]): string {
  const decimals = Math.max(...amounts.map((amount) => (amount.split('.')[1] ?? '').length));
  const units = amounts.reduce((sum, amount) => {
    const [whole = '', part = ''] = amount.split('.');
    return sum + BigInt(whole + part.padEnd(decimals, '0'));
  }, 0n);
  const digits = String(units).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** The number of steps that a visit reaches; the page of consent is one that it shows. Each step counts at its first hit that isn't before the hit of the previous step. */
function depthOf(visit: OracleVisit, steps: readonly Target[]): number {
  let from = Number.NEGATIVE_INFINITY;
  const { consentPage, startedAt, pages } = visit;
  const shown =
    consentPage === null ? visit : { ...visit, pages: [{ at: startedAt, text: consentPage }, ...pages] };
  for (const [n, step] of steps.entries()) {
    const moments = hitsOf(shown, step).flatMap(({ at }) => (at >= from ? [at] : []));
    if (moments.length === 0) return n;
    from = Math.min(...moments);
  }
  return steps.length;
}

export function funnelOf(world: World, steps: readonly Target[], period: string, now: number) {
  const visits = begun(world, period, now).filter((visit) => visit.tier > 1 && isSeen(visit));
  const depths = visits.map((visit) => depthOf(visit, steps));
  const took = (n: number) => depths.filter((depth) => depth >= n).length;
  return {
    steps: steps.map((step, n) => {
      const before = n === 0 ? took(1) : took(n);
      return {
        ...step,
        visits: took(n + 1),
        share: percent(took(n + 1), took(1)),
        dropOff: percent(before - took(n + 1), before),
      };
    }),
    approximate: reasons(visits),
  };
}
