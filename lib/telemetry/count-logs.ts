import { DomainError } from '../errors.ts';
import { attributeTerms, shownFilters } from './attribute-terms.ts';
import {
  type CountLogs,
  LOG_INTERVALS,
  type LogInterval,
  type LogVolume,
  type LogVolumeMeta,
  SEVERITY_GROUPS,
} from './log-schemas.ts';
import { type Answer, queryTelemetry, type TelemetryContext } from './query-telemetry.ts';
import { resolveRange } from './telemetry-range.ts';

/** Most records that are counted, and most severe ones. Searches by words and attributes count fewer, since each takes longer. */
export const MAX_COUNTED = 200_000;
export const MAX_SEARCHED = 20_000;
const MAX_INTERVALS = 500;
/** How many intervals there are at most if none is asked for: bars that are still wide enough to read. */
const MOST_BARS = 100;

const SECONDS: Record<LogInterval, number> = {
  ...{ '1s': 1, '10s': 10, '1m': 60, '5m': 300, '15m': 900, '1h': 3600, '6h': 21_600, '1d': 86_400 },
};

interface Found {
  counts: [slot: number, severity: number, records: number][];
  examined: number;
  uncounted: string | null;
  uncountedSevere: string | null;
}

/**
 * How many log records of a range match the filters of `findLogs`, by interval and severity. Exact, or null where it wasn't counted: the
 * number of examined records is bounded, newest first, so long ranges of many records are counted back to `meta.countedFrom` alone;
 * errors further, to `meta.severeCountedFrom`. Throws `NOT_FOUND`, `VALIDATION_ERROR`. schema/functions/count-logs.sql lists the indexes.
 */
export async function countLogs(
  ctx: TelemetryContext,
  { interval, maxExamined, ...asked }: CountLogs & { maxExamined?: number },
): Promise<Answer<LogVolume, LogVolumeMeta>> {
  const instants = resolveRange(asked, ctx.now());
  const { fromMs, toMs, fromNano, toNano } = instants;
  const seconds = secondsOf(toMs - fromMs, interval);
  const stepMs = seconds * 1000;
  const { severity, service, text, traceId, attributes, resource } = asked;
  const terms = attributeTerms(attributes);
  const budget = maxExamined ?? (text === undefined && terms === null ? MAX_COUNTED : MAX_SEARCHED);
  const { items, meta } = await queryTelemetry<{ found: Found }>(
    ctx,
    asked,
    {
      instants,
      signal: 'logs',
      filters: shownFilters({ severity, service, text, traceId, attributes, resource }),
    },
    ctx.sql`
      select count_logs((select key from environment), ${fromNano}::bigint, ${toNano}::bigint, ${`${stepMs}000000`}::bigint,
        ${budget}::integer, ${severity ?? null}::smallint, ${service ?? null}, ${text ?? null}, ${traceId ?? null}::uuid,
        ${terms}::text[], ${attributeTerms(resource)}::text[]) as found`,
  );
  const { counts, examined, uncounted, uncountedSevere } = (items[0] as { found: Found }).found;
  const first = Math.floor(fromMs / stepMs);
  const slots = Math.ceil(toMs / stepMs) - first;
  const bySlot = Map.groupBy(counts, ([slot]) => slot);
  // The slot in which counting ended was counted in part.
  const firstCounted = slotAfter(uncounted, stepMs);
  const firstSevere = slotAfter(uncountedSevere, stepMs);
  const countedFrom = (slot: number): string => new Date(Math.max(fromMs, slot * stepMs)).toISOString();
  return {
    data: {
      intervalSeconds: seconds,
      intervals: Array.from({ length: slots }, (_, n) => {
        const slot = first + n;
        const cells = bySlot.get(slot) ?? [];
        const of = (group: number): number | null =>
          slot < (group >= 5 ? firstSevere : firstCounted)
            ? null
            : cells.reduce(
                (sum, [, number, records]) => (Math.ceil(number / 4) === group ? sum + records : sum),
                0,
              );
        const entries = SEVERITY_GROUPS.map((name, group) => [name, of(group)] as const);
        return {
          time: new Date(slot * stepMs).toISOString(),
          ...(Object.fromEntries(entries) as Record<(typeof SEVERITY_GROUPS)[number], number | null>),
        };
      }),
    },
    meta: {
      ...meta,
      examined,
      countedFrom: countedFrom(firstCounted),
      severeCountedFrom: countedFrom(firstSevere),
    },
  };
}

const slotAfter = (nano: string | null, stepMs: number): number =>
  nano === null ? Number.NEGATIVE_INFINITY : Math.floor(Number(nano.slice(0, -6)) / stepMs) + 1;

function secondsOf(lengthMs: number, interval: LogInterval | undefined): number {
  const [tried, most] = interval === undefined ? [LOG_INTERVALS, MOST_BARS] : [[interval], MAX_INTERVALS];
  const fitting = tried.find((one) => lengthMs / SECONDS[one] / 1000 <= most);
  if (fitting !== undefined) return SECONDS[fitting];
  throw new DomainError('VALIDATION_ERROR', `The range has over ${MAX_INTERVALS} intervals.`, {
    details: [{ path: 'interval', message: `must be longer: at most ${MAX_INTERVALS} intervals fit` }],
  });
}
