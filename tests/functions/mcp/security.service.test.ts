/** Who may call which tool, and what they see of what. */
import { describe, expect, test } from 'vitest';
import { MESSAGES } from '../../../functions/mcp/limits.ts';
import { protectedRoute } from '../../security/protected-route.ts';
import { addMember, createProject, createSite, removeFrom } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import {
  type Agent,
  BACKEND_CHANGES,
  createAgent,
  createVisitedSite,
  SITE_CALLS,
  SITE_CHANGES,
} from './agent.ts';

const stack = useStack();

protectedRoute(stack, {
  method: 'POST',
  path: () => '/mcp',
  body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  surface: 'queryToken',
  status: 200,
  writes: false,
  owned: false,
  personal: true,
  ownBodyErrors: true,
  limit: MESSAGES,
});

describe.each(Object.entries(SITE_CALLS))('%s', (tool, args) => {
  test('answers to a token with its scope, and 403 to one without', async () => {
    const { userId } = await createVisitedSite(stack());
    const reader = await createAgent(stack(), userId, { scopes: ['analytics:read'] });
    expect((await reader.call(tool, args)).isError).toBe(false);
    for (const scopes of [['sites:read'], ['control:write', 'view:write']]) {
      const other = await createAgent(stack(), userId, { scopes });
      for (const era of ['2026-07-28', '2025-11-25'] as const) {
        const refused = await other.send('tools/call', { name: tool, arguments: args }, era);
        expect(refused.headers.get('WWW-Authenticate')).toBe(
          'Bearer error="insufficient_scope", scope="analytics:read"',
        );
        expect([refused.status, await refused.json()]).toEqual([
          403,
          { error: 'FORBIDDEN', message: expect.stringContaining('`analytics:read`') },
        ]);
        const { result } = await (await other.send('tools/list', {}, era)).json();
        const listed = result.tools.map(({ name }: { name: string }) => name);
        const open = Object.keys(
          scopes.includes('control:write') ? { ...SITE_CHANGES, ...BACKEND_CHANGES } : {},
        );
        const shows = scopes.includes('view:write') ? ['show_view'] : [];
        expect(listed.sort()).toEqual(['get_access', ...shows, ...open].sort());
      }
    }
  });

  test('shows nothing of other people’s sites, nor of sites that the token leaves out', async () => {
    const { sql } = stack();
    const [own, other] = await Promise.all([createVisitedSite(stack()), createVisitedSite(stack())]);
    const second = await createSite(sql, own.projectId);
    const elsewhere = await createProject(sql, own, 'owner');
    const agents = [
      [{}, [other.siteId]],
      [{ siteIds: [second] }, [own.siteId, other.siteId]],
      [{ projectIds: [elsewhere] }, [own.siteId, second]],
    ] as const;
    for (const [limits, hidden] of agents) {
      const agent = await createAgent(stack(), own.userId, limits);
      for (const site of hidden) {
        const { isError, answer } = await agent.call(tool, { ...args, site });
        expect([isError, answer.code]).toEqual([true, 'NOT_FOUND']);
        expect(JSON.stringify(answer)).not.toContain(site);
      }
    }
    const agent = await createAgent(stack(), own.userId, { siteIds: [own.siteId] });
    expect((await agent.call(tool, args)).isError).toBe(false);
  });

  test('answers viewers, and nothing to a former member', async () => {
    const { sql } = stack();
    const tenant = await createVisitedSite(stack());
    const viewer = await addMember(sql, tenant.projectId, 'viewer');
    const agent = await createAgent(stack(), viewer.userId);
    const call = { ...args, site: tenant.siteId };
    expect((await agent.call(tool, call)).isError).toBe(false);
    await removeFrom(sql, tenant.projectId, viewer);
    expect(await agent.call(tool, call)).toMatchObject({ isError: true, answer: { code: 'NOT_FOUND' } });
  });

  test('refuses unknown and malformed arguments with the field and the rule, without the input', async () => {
    const { userId } = await createVisitedSite(stack());
    const agent = await createAgent(stack(), userId);
    const bad: [object, string][] = [
      [{ unknown: 'S3CRET' }, 'unknown'],
      [{ period: 'S3CRET' }, 'period'],
      [{ from: '2026-01-01' }, tool === 'get_live' ? 'from' : 'to'],
      [{ site: 'S3CRET\u0000' }, 'site'],
      [{ site: 5 }, 'site'],
      [{ filters: ['S3CRET is 1'] }, tool === 'get_live' ? 'filters' : 'filters.0'],
      [{ filters: 'country is PT' }, 'filters'],
      [{ limit: 0 }, 'limit'],
      [{ limit: 1e9 }, 'limit'],
      [{ cursor: 'S3CRET' }, 'cursor'],
    ];
    for (const [extra, path] of bad) {
      const { isError, answer } = await agent.call(tool, { ...args, ...extra });
      expect([path, isError, answer.code]).toEqual([path, true, 'VALIDATION_ERROR']);
      expect(answer.details.map((detail: { path: string }) => detail.path)).toContain(path);
      expect(JSON.stringify(answer)).not.toContain('S3CRET');
    }
  });
});

test('a token that lists sites but no projects opens no environment', async () => {
  const tenant = await createVisitedSite(stack());
  await stack().sql`insert into environments (project_id, name) values (${tenant.projectId}, 'live')`;
  const all = await createAgent(stack(), tenant.userId);
  expect((await all.ask('get_access')).data).toMatchObject({
    sites: [{ id: tenant.siteId, domain: 'example.com', role: 'owner' }],
    environments: [{ name: expect.stringMatching(/.\/live$/) }],
  });
  const narrow = await createAgent(stack(), tenant.userId, { siteIds: [tenant.siteId] });
  expect((await narrow.ask('get_access')).data).toMatchObject({ sites: [{}], environments: [] });
  const blind = await createAgent(stack(), tenant.userId, { scopes: ['view:write'] });
  expect((await blind.ask('get_access')).data).toEqual({
    scopes: ['view:write'],
    sites: [],
    environments: [],
  });
});

test('the tokens of a person count together', async () => {
  const { userId } = await createVisitedSite(stack());
  const [first, second] = [await createAgent(stack(), userId), await createAgent(stack(), userId)];
  const leftOf = async ({ send }: Agent) =>
    Number((await send('tools/list')).headers.get('RateLimit')?.match(/;r=(\d+)/)?.[1]);
  expect(await leftOf(first)).toBe(MESSAGES.quota - 1);
  expect(await leftOf(first)).toBe(MESSAGES.quota - 2);
  expect(await leftOf(second)).toBe(MESSAGES.quota - 3);
});

test('pages of other origins are refused, and there is no OAuth', async () => {
  const { userId } = await createVisitedSite(stack());
  const { token } = await createAgent(stack(), userId);
  const foreign = await stack().fetch('/mcp', {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      Origin: 'https://evil.example',
      'Content-Type': 'application/json',
    },
    body: '{}',
  });
  expect(foreign.status).toBe(403);
  for (const path of [
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-authorization-server',
    '/.well-known/openid-configuration',
    '/mcp/.well-known/oauth-authorization-server',
  ]) {
    const response = await stack().fetch(path, { headers: { Accept: 'text/html' } });
    expect([path, response.status, await response.json()]).toEqual([
      path,
      404,
      expect.objectContaining({ error: 'NOT_FOUND' }),
    ]);
  }
  for (const method of ['GET', 'DELETE']) {
    const response = await stack().fetch('/mcp', { method });
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'POST']);
  }
});
