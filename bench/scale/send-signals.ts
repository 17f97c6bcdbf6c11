import { setTimeout as wait } from 'node:timers/promises';
import type { Stack } from '../../dev/stack.ts';
import { seriesOf } from './fill-signals.ts';
import { makeSignals, type Range, SIGNALS, type SignalName } from './made-signals.ts';

const EVERY_MS = 1_000;
const DAY_SECONDS = 86_400;
/** Items of each signal whose CPU is measured. */
const MEASURED = 10_000;
const ITEMS_A_REQUEST = 500;
const SUMMED_AFTER_MS = 180_000;

export interface Sent {
  items: number;
  tookMs: number[];
  errors: string[];
}

/** Sends spans, log records and points by the receiver at the rate that the environment was filled with: a request a second of each. */
export async function sendSignals(
  stack: Stack,
  { key, signals, first }: { key: string; signals: number; first: number },
  until: number,
): Promise<Sent> {
  const sent: Sent = { items: 0, tookMs: [], errors: [] };
  const count = Math.max(1, Math.round(signals / DAY_SECONDS));
  let from = first;
  for (let next = Date.now(); next < until; next += EVERY_MS) {
    await wait(Math.max(0, next - Date.now()));
    const now = Date.now();
    const begun = from;
    const items = { from, to: from + count, timeOf: (n: number) => now - EVERY_MS + (n - begun) };
    from += count;
    await Promise.all(
      SIGNALS.map(async (signal) => {
        const start = performance.now();
        const error = await send(stack, key, { signal, items, series: seriesOf(signals) });
        if (error === undefined) sent.tookMs.push(performance.now() - start);
        else sent.errors.push(error);
        sent.items += count;
      }),
    );
  }
  return sent;
}

/** CPU milliseconds of PostgreSQL for an item, with the sums that the cron makes of it, by signal. */
export async function measureSignalCpu(
  stack: Stack,
  { key, signals }: { key: string; signals: number },
  cpuMs: () => Promise<number>,
): Promise<Record<SignalName, number>> {
  const measured = { traces: 0, logs: 0, metrics: 0 };
  for (const signal of SIGNALS) {
    const before = await cpuMs();
    const now = Date.now();
    // Far from the numbers that are sent otherwise.
    const first = Math.floor(now / 1000) * 1_000_000;
    // A point a minute for each series, the last one in a minute that is over: the cron sums such.
    const series = seriesOf(signals);
    const timeOf = (n: number): number =>
      now - SUMMED_AFTER_MS - Math.ceil((first + MEASURED - n) / series) * 60_000;
    for (let from = first; from < first + MEASURED; from += ITEMS_A_REQUEST) {
      const items = { from, to: from + ITEMS_A_REQUEST, timeOf };
      const error = await send(stack, key, { signal, items, series });
      if (error !== undefined) throw new Error(error);
    }
    await stack.scheduled('receiver', '* * * * *');
    measured[signal] = ((await cpuMs()) - before) / MEASURED;
  }
  return measured;
}

/** Returns what was wrong, if something was. */
async function send(
  stack: Stack,
  key: string,
  { signal, items, series }: { signal: SignalName; items: Range; series: number },
): Promise<string | undefined> {
  try {
    const response = await stack.fetch(`/v1/${signal}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(makeSignals(signal, items, series)),
    });
    const text = await response.text();
    return response.status === 200 && !text.includes('rejected')
      ? undefined
      : `${signal}: ${response.status} ${text.slice(0, 200)}`;
  } catch (error) {
    return `${signal}: ${error}`;
  }
}
