/** The expected rollups of a set of visits, counted one by one. */
import type { StoredRollups } from '../ingest/stored.ts';
import { startOfDay, startOfHour } from './clock.ts';
import { isBounce, isCut, isSeen, type OracleVisit, type RawEvent } from './visits.ts';

const HOUR_MS = 3_600_000;

export function rollupsOf(
  events: readonly RawEvent[],
  visits: readonly OracleVisit[],
  zone: string,
): StoredRollups {
  return {
    hours: hoursOf(visits, zone),
    visitors: visitorsOf(visits, zone),
    dropped: droppedOf(events, visits, zone),
  };
}

function hoursOf(visits: readonly OracleVisit[], zone: string) {
  const hours = new Map<string, Record<string, number>>();
  const hourOf = (at: number, tier: number) => {
    const hour = startOfHour(at, zone);
    const key = `${hour} ${tier}`;
    const found = hours.get(key) ?? {
      hour,
      tier,
      pageviews: 0,
      visits: 0,
      measured: 0,
      bounces: 0,
      duration_ms: 0,
    };
    hours.set(key, found);
    return found;
  };
  const add = (row: Record<string, number>, column: string, n: number) => {
    row[column] = (row[column] ?? 0) + n;
  };
  for (const visit of visits) {
    for (const { at } of visit.pages) add(hourOf(at, visit.tier), 'pageviews', 1);
    if (!visit.counted) continue;
    const row = hourOf(visit.startedAt, visit.tier);
    add(row, 'visits', 1);
    if (visit.tier !== 3) continue;
    add(row, 'measured', 1);
    add(row, 'bounces', isBounce(visit) ? 1 : 0);
    add(row, 'duration_ms', visit.endedAt - visit.startedAt);
  }
  return [...hours.values()].sort((a, b) => (a.hour ?? 0) - (b.hour ?? 0) || (a.tier ?? 0) - (b.tier ?? 0));
}

function visitorsOf(visits: readonly OracleVisit[], zone: string) {
  const starts = new Map<string, { tier: number; at: number[] }>();
  for (const visit of visits) {
    if (visit.visitorId === null || !isSeen(visit)) continue;
    const key = `${visit.tier} ${visit.visitorId}`;
    const found = starts.get(key) ?? { tier: visit.tier, at: [] };
    starts.set(key, { ...found, at: [...found.at, visit.startedAt] });
  }
  const counts = new Map<
    string,
    { unit: string; bucket: number; tier: number; previous: number | null; visitors: number }
  >();
  for (const [unit, startOf] of [
    ['hour', startOfHour],
    ['day', startOfDay],
  ] as const)
    for (const { tier, at } of starts.values()) {
      const buckets = [...new Set(at.map((start) => startOf(start, zone)))].sort((a, b) => a - b);
      buckets.forEach((bucket, n) => {
        const before = buckets[n - 1];
        const previous =
          before === undefined || (unit === 'hour' && before < bucket - 48 * HOUR_MS) ? null : before;
        const key = `${unit} ${bucket} ${tier} ${previous}`;
        const found = counts.get(key) ?? { unit, bucket, tier, previous, visitors: 0 };
        counts.set(key, { ...found, visitors: found.visitors + 1 });
      });
    }
  return [...counts.values()].sort(
    (a, b) =>
      (a.unit < b.unit ? -1 : a.unit > b.unit ? 1 : 0) ||
      a.bucket - b.bucket ||
      a.tier - b.tier ||
      (a.previous ?? Number.NEGATIVE_INFINITY) - (b.previous ?? Number.NEGATIVE_INFINITY),
  );
}

function droppedOf(events: readonly RawEvent[], visits: readonly OracleVisit[], zone: string) {
  const days = new Map<string, { day: number; reason: string; events: number }>();
  const count = (at: number, reason: string) => {
    const day = startOfDay(at, zone);
    const key = `${day} ${reason}`;
    const found = days.get(key) ?? { day, reason, events: 0 };
    days.set(key, { ...found, events: found.events + 1 });
  };
  for (const event of events) if (event.type === 'dropped') count(event.at, event.reason);
  for (const visit of visits)
    for (const event of [...visit.events, ...visit.pageProps])
      if (isCut(event)) count(event.at, 'properties');
  return [...days.values()].sort((a, b) => a.day - b.day || (a.reason < b.reason ? -1 : 1));
}
