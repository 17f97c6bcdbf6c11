/** The rate limit while Redis, which counts across isolates, doesn't work. */
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { contentPath, expectError, type Fetch, nextAddress, searchPath } from './client.ts';
import { impatient } from './content-surfaces.ts';
import { startService } from './node-service.ts';
import { FAULTS } from './redis-faults.ts';
import { type Behaviour, startRedisProxy } from './redis-proxy.ts';

const QUOTA = 60;
/** Number of requests of a client before the isolate asks Redis. */
const FREE = 20;
/** The isolate doesn't ask Redis for this time after a failure. */
const PAUSE_MS = 5000;
const STATIC = searchPath({ type: 'product' });

const proxy = await startRedisProxy();
afterEach(() => {
  proxy.behave = () => 'pass';
});
afterAll(() => proxy.stop());

/** A new isolate at the start of a window, and a client whose next request needs Redis. */
async function startWithClient() {
  const clock = { now: Date.now() - (Date.now() % 60_000) };
  const { fetch, upstash } = await startService({ now: () => clock.now, redisUrl: proxy.url });
  proxy.target = upstash;
  const address = nextAddress();
  const ask: Fetch = (path, init) => fetch(path, { address, ...init });
  for (let n = 1; n <= FREE; n += 1) await ask(STATIC);
  return { ask, clock };
}

const remainingOf = ({ headers }: Response): number =>
  Number(/;r=(\d+);/.exec(headers.get('RateLimit') ?? '')?.[1]);

/** Redis may have counted a command that answered too late; the request is then counted twice. */
const COUNTED = FAULTS.filter(([, behaviour]) => typeof behaviour === 'object' && 'delayMs' in behaviour);
const UNCOUNTED = FAULTS.filter((fault) => !COUNTED.includes(fault));

describe.each(UNCOUNTED)('a Redis that %s', (_, behaviour) => {
  test('lets the quota pass, in time, and no more; afterwards too', async () => {
    const { ask, clock } = await startWithClient();
    proxy.behave = () => behaviour;
    const guide = await impatient(ask)(contentPath('guide:tides'));
    expect([guide.status, remainingOf(guide)]).toEqual([503, QUOTA - FREE - 1]);
    for (let n = FREE + 2; n <= 35; n += 1) expect([n, (await ask(STATIC)).status]).toEqual([n, 200]);
    proxy.behave = () => 'pass';
    clock.now += PAUSE_MS;
    for (let n = 36; n <= QUOTA; n += 1) expect([n, (await ask(STATIC)).status]).toEqual([n, 200]);
    await expectError(await ask(STATIC), 429, 'rate_limited');
  });
});

test.each(COUNTED)('a Redis that %s lets requests pass, in time', async (_, behaviour) => {
  const { ask } = await startWithClient();
  proxy.behave = () => behaviour;
  for (let n = FREE + 1; n <= 40; n += 1)
    expect([n, (await impatient(ask)(STATIC)).status]).toEqual([n, 200]);
});

test('a Redis that forgot the script and takes its time for each command is no longer a wait', async () => {
  const { ask } = await startWithClient();
  const byCommand: Record<string, Behaviour> = { evalsha: { delayMs: 380 }, eval: 'hang', hmget: 'hang' };
  proxy.behave = ([name = '']) => byCommand[name.toLowerCase()] ?? 'pass';
  await expectError(await impatient(ask)(contentPath('guide:tides')), 503, 'content_unavailable');
});
