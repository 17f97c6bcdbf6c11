/** At least once under faults: the database away, a sender that is killed, two senders at once. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectDatabase, type Sql } from '../../../lib/db.ts';
import { connectReceivers } from '../../../lib/messages/post-out.ts';
import { sendDue } from '../../../lib/messages/send-due.ts';
import type { SenderContext } from '../../../lib/messages/sender-context.ts';
import { channelKeys } from '../../../lib/messages/webhook-secrets.ts';
import { createTenant } from '../../security/tenant.ts';
import { useDatabase } from '../../services/database.ts';
import { type Receiver, startReceiver } from './receiver.ts';

const database = useDatabase();
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver(() => ({ status: 200 }));
});
afterAll(() => receiver.close());

/** A sender with the rights of the function's role. */
function sender(changes: Partial<SenderContext> = {}): SenderContext {
  const { neon } = database();
  return {
    sql: connectDatabase({ url: neon.urlOf('vendor_messages'), endpoint: neon.endpoint }),
    now: Date.now,
    random: () => 0,
    publicUrl: 'https://vendor.example',
    channelKeys: channelKeys('a key for the channels of tests only'),
    sendMail: undefined,
    readFigures: async () => undefined,
    post: connectReceivers({ loopback: 'allowed', egress: undefined, origin: 'vendor.example' }),
    ...changes,
  };
}

/** A project with one webhook and `count` messages that are due. */
async function decide(count: number) {
  const { sql } = database();
  const { projectId } = await createTenant(sql);
  const path = `/${crypto.randomUUID()}`;
  await sql`
    insert into message_channels
      (project_id, kind, name, address, events, language, created_at, confirmed_at, secret_salt, counted_as, allows_more_at)
    values (${projectId}, 'webhook', 'Hook', ${receiver.url + path}, '{alert.firing}', 'en', now(), now(), gen_random_uuid(), '', now())`;
  await sql`
    select send_message(${projectId}::uuid, null, 'alert.firing', '{}', now(), n::text) from generate_series(1, ${count}::integer) n`;
  const rows = () => sql`
    select state, attempts from outbox where project_id = ${projectId}`;
  const ids = () =>
    receiver.received.filter((got) => got.path === path).map(({ headers }) => headers['webhook-id']);
  const expireLeases = () =>
    sql`update outbox set due_at = now() - interval '1 second' where project_id = ${projectId} and due_at is not null`;
  return { projectId, rows, ids, expireLeases };
}

/** The connection fails at the statements whose text `isLost` chooses. */
const losing = (sql: Sql, isLost: (text: string) => boolean): Sql =>
  new Proxy(sql, {
    apply: (target, self, args: [TemplateStringsArray, ...unknown[]]) => {
      if (args[0].some(isLost)) return Promise.reject(new Error('the connection was lost'));
      return Reflect.apply(target, self, args);
    },
  });

test('the database away between the decision and sending: nothing is lost, and it is sent once', async () => {
  const { rows, ids } = await decide(3);
  const own = sender();
  const away = sender({ sql: losing(own.sql, (text) => text.includes('claim_messages')) });
  await expect(sendDue(away, { timeMs: 0 })).rejects.toThrow('lost');
  expect(ids()).toEqual([]);
  await sendDue(own, { timeMs: 0 });
  expect(new Set(ids()).size).toBe(3);
  expect(ids()).toHaveLength(3);
  expect(await rows()).toEqual(new Array(3).fill({ state: 'sent', attempts: 1 }));
});

test('killed after the receiver’s 200: sent again after the lease, with the same id', async () => {
  const { rows, ids, expireLeases } = await decide(1);
  const own = sender();
  const killed = sender({ sql: losing(own.sql, (text) => text.includes('note_delivery')) });
  await expect(sendDue(killed, { timeMs: 0 })).rejects.toThrow('lost');
  expect(ids()).toHaveLength(1);
  // The lease keeps other senders away until the killed one can't be at work any more.
  await sendDue(own, { timeMs: 0 });
  expect(ids()).toHaveLength(1);
  await expireLeases();
  await sendDue(own, { timeMs: 0 });
  expect(ids()).toHaveLength(2);
  expect(new Set(ids()).size).toBe(1);
  expect(await rows()).toEqual([{ state: 'sent', attempts: 2 }]);
});

test('two senders at once: each message is sent by one of them', async () => {
  const { rows, ids } = await decide(100);
  const results = await Promise.all([1, 2, 3].map(() => sendDue(sender(), { timeMs: 60_000 })));
  expect(results.reduce((sum, { sent }) => sum + sent, 0)).toBe(100);
  expect(ids()).toHaveLength(100);
  expect(new Set(ids()).size).toBe(100);
  expect(await rows()).toEqual(new Array(100).fill({ state: 'sent', attempts: 1 }));
});

test('a late answer of a sender whose lease is over doesn’t undo what another one noted', async () => {
  const { projectId, rows, expireLeases } = await decide(1);
  const own = sender();
  let isAnswered = (): void => {};
  const answered = new Promise<void>((done) => {
    isAnswered = done;
  });
  const slow = sendDue(
    sender({ post: () => answered.then(() => ({ status: 500, body: '', fault: null, allowsMore: false })) }),
    { timeMs: 0 },
  );
  await expect
    .poll(() => database().sql`select attempts from outbox where project_id = ${projectId}`)
    .toEqual([{ attempts: 1 }]);
  await expireLeases();
  await sendDue(own, { timeMs: 0 });
  isAnswered();
  await slow;
  expect(await rows()).toEqual([{ state: 'sent', attempts: 2 }]);
});
