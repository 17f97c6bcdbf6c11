import { DomainError } from '../errors.ts';
import type { TelemetryPeriod, TelemetryRange } from './question-schemas.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const PERIOD_MS: Record<TelemetryPeriod, number> = {
  '15m': 15 * MINUTE_MS,
  '1h': 60 * MINUTE_MS,
  '6h': 360 * MINUTE_MS,
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
};
/** The longest retention. */
const MAX_RANGE_DAYS = 90;

/** [fromMs, toMs) in epoch milliseconds; the same in nanoseconds, as digits; and the UTC days of the range, which choose partitions. */
export interface Instants {
  fromMs: number;
  toMs: number;
  fromNano: string;
  toNano: string;
  fromDay: string;
  toDay: string;
}

/**
 * The range between two instants, or a period that ends now, or `otherwise` if the question has neither. Throws `VALIDATION_ERROR` for
 * a range that ends before it begins, or that is too long.
 */
export function resolveRange(
  { period, from, to }: TelemetryRange,
  now: number,
  otherwise: TelemetryPeriod = '1h',
): Instants {
  const [fromMs, toMs] =
    from !== undefined && to !== undefined
      ? [Date.parse(from), Date.parse(to)]
      : [now - PERIOD_MS[period ?? otherwise], now];
  if (fromMs >= toMs) throw refused('must be before `to`');
  if (toMs - fromMs > MAX_RANGE_DAYS * DAY_MS)
    throw refused(`must be at most ${MAX_RANGE_DAYS} days before \`to\``);
  return instantsOf(fromMs, toMs);
}

/** Arguments are whole milliseconds since 1970. */
export const instantsOf = (fromMs: number, toMs: number): Instants => ({
  fromMs,
  toMs,
  fromNano: `${fromMs}000000`,
  toNano: `${toMs}000000`,
  fromDay: dayOf(fromMs),
  toDay: dayOf(toMs),
});

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const refused = (message: string): DomainError =>
  new DomainError('VALIDATION_ERROR', 'The range can’t be read.', { details: [{ path: 'from', message }] });
