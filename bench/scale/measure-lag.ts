import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Stack } from '../../dev/stack.ts';
import { makePageView } from '../load/page-view.ts';

const EVERY_MS = 2_000;
const POLL_MS = 25;
const PATIENCE_MS = 120_000;

export interface Lag {
  /** Milliseconds from the answer that accepted an event to the look that found it folded. */
  tookMs: number[];
  /** Events that weren't accepted, or whose connection broke; and such as were accepted and not found in two minutes. */
  refused: number;
  lost: number;
}

/**
 * Sends an event with a path of its own every two seconds, and looks for it until it is there. The fold writes raw event, visit and
 * rollups in one statement: what has the raw event is what reports count.
 */
export async function measureLag(
  stack: Stack,
  { siteId, siteKey }: { siteId: string; siteKey: number },
  until: number,
): Promise<Lag> {
  const lag: Lag = { tookMs: [], refused: 0, lost: 0 };
  const looking: Promise<void>[] = [];
  for (let next = Date.now(); next < until; next += EVERY_MS) {
    await wait(Math.max(0, next - Date.now()));
    looking.push(sendMark());
  }
  await Promise.all(looking);
  return lag;

  async function sendMark(): Promise<void> {
    const { headers, body } = makePageView(siteId);
    const message = JSON.parse(body);
    const id = randomUUID();
    message.events[0].id = id;
    const status = await stack
      .fetch('/api/v1/track', { method: 'POST', headers, body: JSON.stringify(message) })
      .then(async (response) => response.arrayBuffer().then(() => response.status))
      .catch(() => undefined);
    if (status !== 202) {
      lag.refused += 1;
      return;
    }
    const accepted = performance.now();
    for (;;) {
      const [found] = await stack.sql`
        select exists (
          select from events where site_key = ${siteKey} and event_id = ${id}::uuid and occurred_at > now() - interval '1 hour'
        ) as there`;
      const ms = performance.now() - accepted;
      if (found?.there) {
        lag.tookMs.push(ms);
        return;
      }
      if (ms > PATIENCE_MS) {
        lag.lost += 1;
        return;
      }
      await wait(POLL_MS);
    }
  }
}
