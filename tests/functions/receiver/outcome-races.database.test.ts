/** Several writers send the same outcomes at once. Real concurrency needs a real server. */
import { expect, test } from 'vitest';
import { recordOutcomes } from '../../../lib/outcomes/record-outcomes.ts';
import type { OutcomeResult } from '../../../lib/outcomes/schemas.ts';
import { addIngestKey } from '../../security/session.ts';
import { createTenant } from '../../security/tenant.ts';
import { useDatabase } from '../../services/database.ts';
import { newOutcome } from './backend-sender.ts';

const database = useDatabase();
const WRITERS = 8;
const EVENTS = 25;

/** A context for each writer, with its own request id. */
async function newWriters() {
  const { sql } = database();
  const { projectId } = await createTenant(sql);
  const { actor } = await addIngestKey(sql, projectId);
  const ctxOf = (n: number) => ({ sql, now: Date.now, actor, requestId: `writer ${n}` });
  return {
    environmentKey: actor.environmentKey,
    contexts: Array.from({ length: WRITERS }, (_, n) => ctxOf(n)),
  };
}

const countOf = (results: readonly OutcomeResult[], status: string) =>
  results.filter((result) => result.status === status).length;

/** Another order for each writer, so that badly ordered locks would cause a deadlock. */
const shuffled = <T>(items: readonly T[], by: number): T[] =>
  items.map((_, n) => items[(n * 7 + by * 3) % items.length] as T);

test('the same events by eight writers at once: each is created once, and every sending is kept', async () => {
  const { sql } = database();
  for (let round = 0; round < 5; round++) {
    const { environmentKey, contexts } = await newWriters();
    const events = Array.from({ length: EVENTS }, () =>
      newOutcome({ value: { amount: '1.50', currency: 'EUR' } }),
    );
    const results = await Promise.all(
      contexts.map((ctx, n) => recordOutcomes(ctx, { outcomes: shuffled(events, n) })),
    );
    expect(results.map(({ length }) => length)).toEqual(contexts.map(() => EVENTS));
    expect(countOf(results.flat(), 'created')).toBe(EVENTS);
    expect(countOf(results.flat(), 'duplicate')).toBe(EVENTS * (WRITERS - 1));
    const stored = await sql`
      select domain_event_id, (select array_agg(result order by result) from outcome_sendings s
        where s.environment_key = outcomes.environment_key and s.outcome_id = outcomes.id) as sendings
      from outcomes where environment_key = ${environmentKey}`;
    expect(stored.map((row) => row.domain_event_id).sort()).toEqual(
      events.map(({ domainEventId }) => domainEventId).sort(),
    );
    for (const { sendings } of stored)
      expect(sendings).toEqual(['created', ...Array.from({ length: WRITERS - 1 }, () => 'duplicate')]);
  }
});

test('eight writers who tell something else of the same event: one confirms, the others conflict', async () => {
  const { sql } = database();
  const { environmentKey, contexts } = await newWriters();
  const event = newOutcome();
  const results = await Promise.all(
    contexts.map((ctx, n) =>
      recordOutcomes(ctx, { outcomes: [{ ...event, value: { amount: `${n}.00`, currency: 'EUR' } }] }),
    ),
  );
  expect(countOf(results.flat(), 'created')).toBe(1);
  expect(countOf(results.flat(), 'conflict')).toBe(WRITERS - 1);
  const winner = results.findIndex(([result]) => result?.status === 'created');
  const stored = await sql`select amount from outcomes where environment_key = ${environmentKey}`;
  expect(stored).toEqual([{ amount: `${winner}.00` }]);
});
