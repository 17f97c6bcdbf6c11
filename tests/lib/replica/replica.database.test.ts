/** Questions with a real streaming replica: level, behind, away and frozen. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { reportGoals } from '../../../lib/analytics/behaviour/goals.ts';
import { reportOverview } from '../../../lib/analytics/series/overview.ts';
import { foldBatch } from '../../../lib/collection/fold-batch.ts';
import type { MemberContext } from '../../../lib/context.ts';
import { connectDatabase, type Sql } from '../../../lib/db.ts';
import { createGoal } from '../../../lib/goals/goal-definitions.ts';
import { createReplica, type Replica } from '../../../lib/replica.ts';
import { listServices } from '../../../lib/telemetry/list-services.ts';
import { type Neon, startNeon } from '../../../tooling/neon/start-neon.ts';
import { applySchema } from '../../../tooling/schema/apply-schema.ts';
import { awaitLevel, whilePaused } from '../../provider/replication.ts';
import { type PostgresReplica, type PostgresServer, startPostgres } from '../../provider/start-postgres.ts';
import { createTenant } from '../../security/tenant.ts';
import { pageview, visitor } from '../analytics/reports-world.ts';

const START_MS = 120_000;

let primary: PostgresServer;
let copy: PostgresReplica;
let neons: Neon[];
let sql: Sql;
let copySql: Sql;
let hasStopped = false;
beforeAll(async () => {
  primary = await startPostgres();
  copy = await primary.replicate();
  neons = await Promise.all([primary, copy].map(({ url }) => startNeon({ database: { url } })));
  const [neon, copyNeon] = neons as [Neon, Neon];
  await neon.withClient((client) => applySchema(client));
  sql = connectDatabase(neon);
  // Over HTTP, as a replica is: only so has a call a deadline.
  copySql = connectDatabase({ url: copyNeon.url, endpoint: copyNeon.endpoint, deadlineMs: 2_000 });
}, START_MS);
afterAll(async () => {
  await Promise.all(neons.map((neon) => neon.close()));
  if (!hasStopped) await copy.close();
  await primary.close();
});

/** What the replica was asked: whether it answered. */
let asked: boolean[];
let replica: Replica;
beforeEach(() => {
  const own = createReplica(copySql);
  asked = [];
  replica = {
    ask: async (question, now) => {
      const answer = await own.ask(question, now);
      asked.push(answer !== undefined);
      return answer;
    },
  };
});

const level = (): Promise<void> => awaitLevel(sql, copySql);
const whileBehind = (work: () => Promise<void>): Promise<void> => whilePaused(copy, work);

interface Owned {
  siteId: string;
  ctx: MemberContext;
  visit(name: string): Promise<void>;
}

async function makeTenant(): Promise<Owned & Awaited<ReturnType<typeof createTenant>>> {
  const tenant = await createTenant(sql);
  const { siteId, userId } = tenant;
  return {
    ...tenant,
    siteId,
    ctx: { sql, replica, now: Date.now, actor: { kind: 'session', sessionId: crypto.randomUUID(), userId } },
    visit: async (name) => {
      const event = pageview(new Date(Date.now() - 1_000).toISOString(), `/${name}`);
      const message = {
        version: 1 as const,
        siteId,
        tier: 3 as const,
        visitorId: visitor(name),
        continued: false,
      };
      await foldBatch(sql, [{ ...message, events: [event] }], Date.now());
    },
  };
}

const RANGE = { period: '7d' } as const;
const overview = async ({ ctx, siteId }: Owned, now = Date.now) => {
  const { data, meta } = await reportOverview({ ...ctx, now }, { siteId, range: RANGE });
  return { visits: data.visits, evaluatedAt: Date.parse(meta.freshness.evaluatedAt) };
};

describe('a report', () => {
  test('is the replica’s where it has everything', async () => {
    const owned = await makeTenant();
    await owned.visit('ada');
    await level();
    const before = Date.now();
    const { visits, evaluatedAt } = await overview(owned);
    expect([visits, asked]).toEqual([1, [true]]);
    expect(evaluatedAt).toBeGreaterThanOrEqual(before);
  });

  test('says as of when it is where the replica is behind, and is the database’s after half a minute', async () => {
    const owned = await makeTenant();
    await owned.visit('ada');
    await level();
    const known = Date.now();
    await whileBehind(async () => {
      await owned.visit('bob');
      const { visits, evaluatedAt } = await overview(owned);
      expect([visits, asked]).toEqual([1, [true]]);
      expect(evaluatedAt).toBeLessThanOrEqual(known);
      const later = () => Date.now() + 60_000;
      expect((await overview(owned, later)).visits).toBe(2);
    });
    await level();
    expect((await overview(owned)).visits).toBe(2);
  });

  test('of a new site, and after its first page view, is the database’s', async () => {
    await whileBehind(async () => {
      const owned = await makeTenant();
      expect((await overview(owned)).visits).toBe(0);
      await owned.visit('ada');
      expect((await overview(owned)).visits).toBe(1);
    });
    const owned = await makeTenant();
    await level();
    await whileBehind(async () => {
      await owned.visit('ada');
      expect((await overview(owned)).visits).toBe(1);
    });
  });

  test('knows a goal as soon as it is saved', async () => {
    const owned = await makeTenant();
    await owned.visit('thanks');
    await level();
    await whileBehind(async () => {
      const { siteId, ctx } = owned;
      const call = { requestId: 'r-1', tool: 'createGoal', inputHash: null };
      await createGoal({ ...ctx, ...call }, { siteId, name: 'Thanks', page: '/thanks' });
      const { data } = await reportGoals(ctx, { siteId, range: RANGE });
      expect(data).toMatchObject([{ name: 'Thanks' }]);
    });
  });

  test('is refused at once to somebody who was removed', async () => {
    const owned = await makeTenant();
    await owned.visit('ada');
    await level();
    await whileBehind(async () => {
      expect((await overview(owned)).visits).toBe(1);
      await sql`delete from project_members where user_id = ${owned.userId}::uuid`;
      await expect(overview(owned)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });
  });
});

test('telemetry is the replica’s too, and refused at once to somebody who was removed', async () => {
  const { ctx, projectId, userId } = await makeTenant();
  const [environment] = await sql`
    insert into environments (project_id, name) values (${projectId}::uuid, 'production') returning id`;
  await level();
  const ask = () =>
    listServices(ctx, { projectId, environmentId: environment?.id, period: '24h', limit: 10 });
  await ask();
  expect(asked).toEqual([true]);
  await whileBehind(async () => {
    await sql`delete from project_members where user_id = ${userId}::uuid`;
    await expect(ask()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

test('a frozen replica costs one question its deadline, and the database answers', async () => {
  const owned = await makeTenant();
  await owned.visit('ada');
  await level();
  await copy.signal('SIGSTOP');
  try {
    expect((await overview(owned)).visits).toBe(1);
    // It rests: nobody waits for it.
    expect((await overview(owned)).visits).toBe(1);
    expect(asked).toEqual([false, false]);
  } finally {
    await copy.signal('SIGCONT');
  }
  await level();
  expect((await overview(owned, () => Date.now() + 20_000)).visits).toBe(1);
  expect(asked).toEqual([false, false, true]);
});

test('a replica that has stopped: the database answers', async () => {
  const owned = await makeTenant();
  await owned.visit('ada');
  await level();
  await copy.close();
  hasStopped = true;
  expect((await overview(owned)).visits).toBe(1);
  expect(asked).toEqual([false]);
});
