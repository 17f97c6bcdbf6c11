/** A database that doesn't answer: each call has a deadline, and no answer says that nothing was changed when it may have been. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { frame } from '../../web/app/words/en/frame.ts';
import { newOutcome, newSender, spansOf } from '../functions/receiver/backend-sender.ts';
import { asMember } from '../functions/telemetry/member.ts';
import { createTenant } from '../security/tenant.ts';
import { type Fault, startNeonProxy } from './neon-proxy.ts';
import { useOwnStack } from './use-stack.ts';

const proxy = await startNeonProxy();
const stack = useOwnStack({ vars: { DATABASE_HTTP_ENDPOINT: proxy.endpoint } });
beforeAll(() => {
  proxy.target = stack().neon.endpoint;
});
afterEach(() => proxy.faults.clear());
afterAll(() => proxy.close());

const MAYBE_STORED =
  'A part of the service is out of reach. What was sent may have been stored; send it again. Wait 2 seconds before the next try.';
const TOO_LATE =
  'The answer took too long. Nothing was changed. If it takes too long once more, ask for a shorter range. Wait 2 seconds before the next try.';

/** Asks, and how many seconds it took. */
async function timed(ask: () => Promise<Response>) {
  const start = performance.now();
  const response = await ask();
  const { message } = (await response.json()) as { message?: string };
  const seconds = (performance.now() - start) / 1000;
  return { status: response.status, message, seconds, retryAfter: response.headers.get('Retry-After') };
}

const away = (message: string) => ({ status: 503, message, retryAfter: '2', seconds: expect.any(Number) });

test('a connection that hangs: 503 after 8 s from the receiver, 15 s of a report, 5 s of a change', {
  timeout: 180_000,
}, async () => {
  const sender = await newSender(stack());
  const member = asMember(stack(), sender, sender);
  const site = (method: string, path = '', body?: object) =>
    stack().fetch(`/api/v1/sites/${sender.siteId}${path}`, {
      method,
      headers: { Authorization: `Bearer ${sender.token}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  const batch = spansOf('shop', [{}]);
  // The keys are known from here on.
  expect((await sender.send('/v1/traces', {})).status).toBe(200);
  for (const part of ['store_spans', 'span_parts', 'insert into outcomes', 'rollup_hours', 'update sites'])
    proxy.faults.set(part, 'hang');
  const [spans, outcome, services, overview, rename] = await Promise.all([
    timed(() => sender.send('/v1/traces', batch)),
    timed(() => sender.send('/api/v1/telemetry/outcomes', newOutcome())),
    timed(() => member.send('GET', 'services')),
    timed(() => site('GET', '/analytics/overview?period=7d')),
    timed(() => site('PATCH', '', { name: 'Renamed' })),
  ]);
  expect(spans).toEqual(away(MAYBE_STORED));
  expect(outcome).toEqual(away(MAYBE_STORED));
  expect(services).toEqual(away(TOO_LATE));
  // The dashboard says it in its own words.
  expect(frame.failure.sentences).toHaveProperty([TOO_LATE]);
  expect(overview).toEqual(away(TOO_LATE));
  expect(rename).toEqual(away(MAYBE_STORED));
  for (const [{ seconds }, deadline] of [
    [spans, 8],
    [outcome, 8],
    [services, 15],
    [overview, 15],
    [rename, 5],
  ] as const) {
    expect(seconds).toBeGreaterThan(deadline - 0.1);
    expect(seconds).toBeLessThan(deadline + 4);
  }
  proxy.faults.clear();
  expect((await sender.send('/v1/traces', batch)).status).toBe(200);
  const stored = await stack().sql`select from spans where environment_key = ${sender.environmentKey}`;
  expect(stored).toHaveLength(1);
});

test.each<Fault>(['lose', 'cut'])(
  'an answer that was lost (%s): telemetry is sent again and stored once; a change may have been stored',
  async (fault) => {
    const sender = await newSender(stack());
    const batch = spansOf('shop', [{}, {}]);
    expect((await sender.send('/v1/traces', {})).status).toBe(200);
    proxy.faults.set('store_spans', fault);
    const before = proxy.met[fault];
    const sending = sender.send('/v1/traces', batch);
    await expect.poll(() => proxy.met[fault]).toBeGreaterThan(before);
    proxy.faults.clear();
    const response = await sending;
    expect([response.status, await response.json()]).toEqual([200, {}]);
    const stored = await stack().sql`select from spans where environment_key = ${sender.environmentKey}`;
    expect(stored).toHaveLength(2);

    proxy.faults.set('insert into outcomes', fault);
    const outcome = newOutcome();
    expect(await timed(() => sender.send('/api/v1/telemetry/outcomes', outcome))).toEqual(away(MAYBE_STORED));
    proxy.faults.clear();
    expect((await sender.outcomes(outcome))[0]).toBe(200);

    const tenant = await createTenant(stack().sql);
    const create = () =>
      stack().fetch('/api/v1/sites', {
        method: 'POST',
        headers: { Authorization: `Bearer ${tenant.token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ domain: 'lost.example', name: 'Lost' }),
      });
    proxy.faults.set('lost.example', fault);
    expect(await timed(create)).toEqual(away(MAYBE_STORED));
    const sites = await stack().sql`
    select from sites where project_id = ${tenant.projectId} and domain = 'lost.example'`;
    expect(sites).toHaveLength(1);
  },
);
