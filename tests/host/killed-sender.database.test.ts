/** `npm start` is killed with SIGKILL while it sends messages: each one arrives, with the same id at each attempt. */
import { afterEach, expect, test } from 'vitest';
import { createScratchDatabase, type ScratchDatabase } from '../../dev/scratch-database.ts';
import { type Receiver, startReceiver } from '../functions/messages/receiver.ts';
import { SERVER } from '../services/server.ts';
import { type HostFolder, makeHostFolder, type RunningHost } from './running-host.ts';

/** Rounds of kills; a long run has twenty. */
const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 2);
const MESSAGES = 40;
/** A round waits for the next minute at most, in which messages are sent. */
const ROUND_MS = 90_000;

let folder: HostFolder | undefined;
let scratch: ScratchDatabase | undefined;
let receiver: Receiver | undefined;
afterEach(async () => {
  await receiver?.close();
  await folder?.close();
  await scratch?.drop();
});

/** Kills the keeping process and those that serve at the same moment. */
async function killAll(host: RunningHost): Promise<void> {
  const all = [host.pid, ...(await host.serving())];
  for (const pid of all)
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended with the one before.
    }
  await host.ended;
}

/** A project with a webhook and messages for it, by their numbers. */
async function decide({ query }: HostFolder, url: string): Promise<void> {
  await query(
    `with project as (insert into projects (name) values ('host') returning id),
    channel as (
      insert into message_channels
        (project_id, kind, name, address, events, language, created_at, confirmed_at, secret_salt, counted_as, allows_more_at)
      select id, 'webhook', 'Hook', $1, '{alert.firing}', 'en', now(), now(), gen_random_uuid(), '', now() from project
      returning project_id)
    select 1 from channel`,
    [url],
  );
  await query(
    `select send_message(project_id, null, 'alert.firing', jsonb_build_object('n', n), now(), n::text)
    from message_channels, generate_series(1, $1::integer) n`,
    [MESSAGES],
  );
}

test('each message arrives, and once for whoever looks at its id', {
  timeout: 60_000 + (ROUNDS + 1) * ROUND_MS,
}, async () => {
  scratch = await createScratchDatabase(SERVER, { isDurable: false });
  const own = await makeHostFolder(scratch.url);
  folder = own;
  const start = () => own.start({ LOOPBACK_RECEIVERS: 'allowed' });
  let host = start();
  /** How many more requests are answered before the sender is killed. */
  let left = 5;
  const kills: Promise<void>[] = [];
  receiver = await startReceiver(async () => {
    const sender = await host;
    left -= 1;
    if (left === 0) kills.push(killAll(sender));
    return { status: 200 };
  });
  const { received } = receiver;
  const first = await host;
  await decide(own, `${receiver.url}/hook`);
  // A start sends what waits at once, sooner than the next minute.
  await killAll(first);
  host = start();

  for (let round = 0; round < ROUNDS; round += 1) {
    await expect.poll(() => kills.length, { timeout: ROUND_MS, interval: 50 }).toBe(round + 1);
    await kills[round];
    left = 5 + round;
    // The lease of two minutes keeps other senders away from what this one was sending.
    await own.query(`update outbox set due_at = now() where due_at is not null`);
    host = start();
  }
  left = Number.POSITIVE_INFINITY;
  const waiting = async () =>
    (await own.query<{ n: number }>(`select count(*)::int as n from outbox where state <> 'sent'`))[0]?.n;
  await expect.poll(waiting, { timeout: ROUND_MS, interval: 200 }).toBe(0);

  const byId = new Map<unknown, Set<number>>();
  for (const { headers, body } of received) {
    const { data } = JSON.parse(body) as { data: { n: number } };
    const id = headers['webhook-id'];
    byId.set(id, (byId.get(id) ?? new Set()).add(data.n));
  }
  expect([...byId.values()].every((numbers) => numbers.size === 1)).toBe(true);
  const arrived = [...byId.values()].flatMap((numbers) => [...numbers]).toSorted((a, b) => a - b);
  expect(arrived).toEqual(Array.from({ length: MESSAGES }, (_, n) => n + 1));
  const [attempts] = await own.query<{ most: number }>('select max(attempts) as most from outbox');
  // Something was being sent when it was killed.
  expect(attempts?.most).toBeGreaterThan(1);
});
