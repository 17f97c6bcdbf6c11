/** How many questions of one asker are in the database at the same time. */
import { beforeAll, describe, expect, test } from 'vitest';
import { mcpRequest } from '../functions/content/client.ts';
import { addQueryToken } from '../security/session.ts';
import { createTenant, type Tenant } from '../security/tenant.ts';
import { addShare } from '../security/test-share.ts';
import { useStack } from './use-stack.ts';

describe('questions at the same time', () => {
  const stack = useStack();
  let tenant: Tenant;
  let share: { secret: string; shareId: string };
  let agent: string;
  beforeAll(async () => {
    tenant = await createTenant(stack().sql);
    share = await addShare(stack().sql, tenant.siteId);
    agent = (await addQueryToken(stack().sql, tenant.userId)).token;
  });

  /** Runs `use` while other questions of the asker have all of the slots. */
  const whileTaken = (kind: 'admitted' | 'running', asker: string, use: () => Promise<void>) =>
    stack().neon.withClient(async (client) => {
      await client.query('begin');
      try {
        await client.query('select pg_advisory_xact_lock(hashtext($1), n) from generate_series(0, 14) n', [
          `question ${kind} ${asker}`,
        ]);
        await use();
      } finally {
        await client.query('rollback');
      }
    });

  const overviewOf = ({ siteId, token }: Tenant) =>
    stack().fetch(`/api/v1/sites/${siteId}/analytics/overview`, {
      headers: { Authorization: `Bearer ${token}` },
    });
  const bySession = () =>
    stack().fetch(`/api/v1/sites/${tenant.siteId}/analytics/reports?report=overview,pages`, {
      headers: { Cookie: tenant.cookie },
    });
  const ofSites = () => stack().fetch('/api/v1/sites?period=7d', { headers: { Cookie: tenant.cookie } });
  const byAgent = () => {
    const init = mcpRequest('tools/call', { name: 'summarize_site', arguments: {} }, '2026-07-28');
    const headers = { ...init.headers, Authorization: `Bearer ${agent}` };
    return stack().fetch('/mcp', { ...init, headers });
  };
  const byShare = () => stack().fetch(`/api/v1/shares/${share.secret}/analytics/overview`);

  test('a person who has too many gets 429 however they ask; nobody else notices', async () => {
    const other = await createTenant(stack().sql);
    await whileTaken('admitted', tenant.userId, async () => {
      for (const ask of [() => overviewOf(tenant), bySession, ofSites]) {
        const response = await ask();
        expect(await response.json()).toMatchObject({ error: 'RATE_LIMITED' });
        expect([response.status, response.headers.get('Retry-After')]).toEqual([429, '2']);
      }
      const answer = await (await byAgent()).text();
      expect(answer).toContain('RATE_LIMITED');
      expect(answer).toContain('retryAfter');
      for (const ask of [() => overviewOf(other), byShare]) expect((await ask()).status).toBe(200);
    });
    expect((await overviewOf(tenant)).status).toBe(200);
  });

  test('so does a share', async () => {
    await whileTaken('admitted', share.shareId, async () => {
      expect((await byShare()).status).toBe(429);
      expect((await overviewOf(tenant)).status).toBe(200);
    });
    expect((await byShare()).status).toBe(200);
  });

  test('a question waits while others of its asker run', async () => {
    let answer: Promise<Response> | undefined;
    await whileTaken('running', tenant.userId, async () => {
      answer = bySession();
      const waiting = async (): Promise<number> => {
        const rows = await stack().sql`
          select from pg_locks where locktype = 'advisory' and not granted
            and classid = hashtext(${`question running ${tenant.userId}`})::bit(32)::bigint::oid
            and database = (select oid from pg_database where datname = current_database())`;
        return rows.length;
      };
      await expect.poll(waiting, { timeout: 7000 }).toBe(1);
    });
    expect((await answer)?.status).toBe(200);
  });
});
