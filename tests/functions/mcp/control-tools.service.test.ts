/** Tools that change something: who may, what they change, and what the audit log has of each call. */
import { describe, expect, test } from 'vitest';
import { MESSAGES } from '../../../functions/mcp/limits.ts';
import { hashInput } from '../../../lib/input-hash.ts';
import type { AuditEntry } from '../../../lib/projects/schemas.ts';
import { protectedRoute } from '../../security/protected-route.ts';
import { addMember, createProject, createSite, removeFrom, type Tenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { type Agent, BACKEND_CHANGES, createAgent, createVisitedSite, SITE_CHANGES } from './agent.ts';

const stack = useStack();

const CHANGES = { ...SITE_CHANGES, ...BACKEND_CHANGES };
const isOfSite = (tool: string): boolean => tool in SITE_CHANGES;

/** A tenant with a site and an environment. */
async function createOwner(): Promise<Tenant & { environmentId: string }> {
  const tenant = await createVisitedSite(stack());
  return { ...tenant, environmentId: await addEnvironment(tenant.projectId) };
}

async function addEnvironment(projectId: string): Promise<string> {
  const [row] = await stack()
    .sql`insert into environments (project_id, name) values (${projectId}, 'live') returning id`;
  return row?.id;
}

/** The arguments that name a tenant's site or environment by id. */
const targetOf = (tool: string, { siteId, environmentId }: { siteId: string; environmentId: string }) =>
  isOfSite(tool) ? { site: siteId } : { environment: environmentId };

async function linesOf({ projectId, cookie }: Tenant): Promise<AuditEntry[]> {
  const response = await stack().fetch(`/api/v1/projects/${projectId}/audit-log`, {
    headers: { Cookie: cookie },
  });
  const { data } = (await response.json()) as { data: AuditEntry[] };
  return data;
}

/** The line that a call of an agent leaves. */
const lineOf = async (agent: Agent, userId: string, tool: string, args: object, result: string) => ({
  tool,
  actor: { kind: 'queryToken', userId, tokenId: agent.tokenId },
  inputHash: await hashInput(args),
  result,
});

/** What the tools change, as the database has it. */
async function storedOf({ siteId, environmentId }: { siteId: string; environmentId: string }) {
  const [row] = await stack().sql`
    select
      (select jsonb_agg(jsonb_build_array(date, text) order by date, text) from site_annotations where site_id = ${siteId}) as annotations,
      (select jsonb_agg(jsonb_build_array(name, kind, pattern) order by name) from site_goals where site_id = ${siteId}) as goals,
      (select jsonb_agg(jsonb_build_array(name, steps) order by name) from site_funnels where site_id = ${siteId}) as funnels,
      (select jsonb_agg(jsonb_build_array(origin, site_ids) order by origin) from environment_origins
        where environment_id = ${environmentId}) as origins,
      (select jsonb_build_array(traces_days, logs_days, metrics_days) from environments where id = ${environmentId}) as retention`;
  return row;
}

describe.each(Object.entries(CHANGES))('%s', (tool, args) => {
  protectedRoute(stack, {
    method: 'POST',
    path: () => '/mcp',
    body: ({ siteId }: Tenant) => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: tool,
        arguments: { ...args, dryRun: true, ...(isOfSite(tool) && { site: siteId }) },
      },
    }),
    surface: 'queryToken',
    status: 200,
    writes: false,
    owned: false,
    personal: true,
    ownBodyErrors: true,
    limit: MESSAGES,
  });

  test('changes what it says, and nothing when it is called again; a dry run only tells', async () => {
    const owner = await createOwner();
    const agent = await createAgent(stack(), owner.userId);
    const call = { ...args, ...targetOf(tool, owner) };
    const before = await storedOf(owner);
    const tried = await agent.ask(tool, { ...call, dryRun: true });
    expect(tried.data.result).toBe('dry_run');
    expect(await storedOf(owner)).toEqual(before);
    const done = await agent.ask(tool, call);
    expect(done.data).toMatchObject({ ...tried.data, result: 'done' });
    const after = await storedOf(owner);
    expect(after).not.toEqual(before);
    const again = await agent.call(tool, call);
    expect(await storedOf(owner)).toEqual(after);
    const isGone = tool === 'remove_definition';
    expect(isGone ? again.answer.code : again.answer.data.result).toBe(isGone ? 'NOT_FOUND' : 'unchanged');
    const line = (sent: object, result: string) => lineOf(agent, owner.userId, tool, sent, result);
    expect(await linesOf(owner)).toMatchObject([
      await line(call, isGone ? 'NOT_FOUND' : 'unchanged'),
      await line(call, 'done'),
      await line({ ...call, dryRun: true }, 'dry_run'),
    ]);
  });

  test('is unlisted for a token without control:write, 403, and noted', async () => {
    const owner = await createOwner();
    const reader = await createAgent(stack(), owner.userId, {
      scopes: ['sites:read', 'analytics:read', 'telemetry:read', 'outcomes:read', 'view:write'],
    });
    const before = await storedOf(owner);
    const call = { ...args, ...targetOf(tool, owner) };
    for (const era of ['2026-07-28', '2025-11-25'] as const) {
      const response = await reader.send('tools/call', { name: tool, arguments: call }, era);
      expect(response.headers.get('WWW-Authenticate')).toBe(
        'Bearer error="insufficient_scope", scope="control:write"',
      );
      expect([response.status, await response.json()]).toMatchObject([403, { error: 'FORBIDDEN' }]);
      const { result } = await (await reader.send('tools/list', {}, era)).json();
      expect(result.tools.map(({ name }: { name: string }) => name)).not.toContain(tool);
    }
    expect(await storedOf(owner)).toEqual(before);
    const line = await lineOf(reader, owner.userId, tool, call, 'FORBIDDEN');
    expect(await linesOf(owner)).toMatchObject([{ ...line, calls: 2 }]);
  });

  test('finds nothing of other people, nor what the token leaves out', async () => {
    const { sql } = stack();
    const [owner, other] = await Promise.all([createOwner(), createOwner()]);
    const second = { siteId: await createSite(sql, owner.projectId), environmentId: owner.environmentId };
    const elsewhere = await createProject(sql, owner, 'owner');
    const before = await Promise.all([owner, other, second].map(storedOf));
    const refusals = [
      [{}, other],
      // Sites without projects open no environment.
      [{ siteIds: [second.siteId] }, owner],
      [{ projectIds: [elsewhere] }, owner],
    ] as const;
    for (const [limits, target] of refusals) {
      const agent = await createAgent(stack(), owner.userId, limits);
      const { isError, answer } = await agent.call(tool, { ...args, ...targetOf(tool, target) });
      expect([limits, isError, answer.code]).toEqual([limits, true, 'NOT_FOUND']);
    }
    expect(await Promise.all([owner, other, second].map(storedOf))).toEqual(before);
    expect(await linesOf(other)).toEqual([]);
    const results = [...(await linesOf(owner)), ...(await linesOf({ ...owner, projectId: elsewhere }))];
    expect(results.map(({ tool: of, result }) => [of, result])).toEqual(
      Array.from({ length: 3 }, () => [tool, 'NOT_FOUND']),
    );
  });

  test('refuses viewers, with a line, and former members', async () => {
    const { sql } = stack();
    const owner = await createOwner();
    const before = await storedOf(owner);
    const viewer = await addMember(sql, owner.projectId, 'viewer');
    const agent = await createAgent(stack(), viewer.userId);
    const call = { ...args, ...targetOf(tool, owner) };
    for (const dryRun of [false, true])
      expect(await agent.call(tool, { ...call, dryRun })).toMatchObject({
        isError: true,
        answer: { code: 'FORBIDDEN' },
      });
    expect(await linesOf(owner)).toMatchObject([
      await lineOf(agent, viewer.userId, tool, { ...call, dryRun: true }, 'FORBIDDEN'),
      await lineOf(agent, viewer.userId, tool, { ...call, dryRun: false }, 'FORBIDDEN'),
    ]);
    await removeFrom(sql, owner.projectId, viewer);
    expect(await agent.call(tool, call)).toMatchObject({ isError: true, answer: { code: 'NOT_FOUND' } });
    expect(await linesOf(owner)).toHaveLength(2);
    expect(await storedOf(owner)).toEqual(before);
  });

  test('lets admins, and refuses malformed arguments without repeating them', async () => {
    const owner = await createOwner();
    const admin = await addMember(stack().sql, owner.projectId, 'admin');
    const agent = await createAgent(stack(), admin.userId);
    const target = targetOf(tool, owner);
    const bad: object[] = [
      { ...args, ...target, unknown: 'S3CRET' },
      { ...args, ...target, dryRun: 'S3CRET' },
      { ...args, [Object.keys(target)[0] as string]: 'S3CRET\u0000' },
      { ...target, ...Object.fromEntries(Object.keys(args).map((name) => [name, ['S3CRET']])) },
    ];
    for (const call of bad) {
      const { isError, answer } = await agent.call(tool, { ...call });
      expect([isError, answer.code]).toEqual([true, 'VALIDATION_ERROR']);
      expect(JSON.stringify(answer)).not.toContain('S3CRET');
    }
    expect((await linesOf(owner)).map(({ result }) => result)).toEqual(bad.map(() => 'VALIDATION_ERROR'));
    expect((await agent.ask(tool, { ...args, ...target })).data.result).toBe('done');
  });
});

test('a goal of the same name gets another target, and its report follows', async () => {
  const owner = await createOwner();
  const agent = await createAgent(stack(), owner.userId);
  const { data } = await agent.ask('save_goal', { name: 'signed UP', target: 'page /docs/**' });
  expect(data).toMatchObject({
    before: { name: 'Signed up', target: 'event signup' },
    after: { name: 'Signed up', target: 'page /docs/**' },
  });
  const { goals } = (await agent.ask('report_conversions')).data;
  const [first, second] = goals;
  expect(goals).toHaveLength(2);
  expect({ ...first, id: 0, name: '' }).toEqual({ ...second, id: 0, name: '' });
});

test.each([
  ['save_goal', { name: 'A', target: '/pricing' }, 'target'],
  ['save_goal', { name: 'A', target: 'page pricing' }, 'target'],
  ['save_goal', { name: ' ', target: 'event a' }, 'name'],
  ['save_funnel', { name: 'A', steps: ['page /a'] }, 'steps'],
  ['save_funnel', { name: 'A', steps: ['page /a', 'event'] }, 'steps.1'],
  ['save_funnel', { name: 'A', steps: ['page /a', 'page b'] }, 'steps.1'],
  ['annotate', { date: '2026-02-30', text: 'a' }, 'date'],
  ['set_retention', {}, 'traces'],
  ['set_retention', { logs: 91 }, 'logs'],
  ['set_origin', { origin: 'api.example.com' }, 'origin'],
] as const)('%s %j: %s', async (tool, args, path) => {
  const owner = await createOwner();
  const agent = await createAgent(stack(), owner.userId);
  const { isError, answer } = await agent.call(tool, args);
  expect([isError, answer.code, answer.details?.map((detail: { path: string }) => detail.path)]).toEqual([
    true,
    'VALIDATION_ERROR',
    [path],
  ]);
});

test('fewer days of telemetry come with a warning, also in a dry run; other signals stay', async () => {
  const owner = await createOwner();
  const agent = await createAgent(stack(), owner.userId);
  const { data } = await agent.ask('set_retention', { traces: 60, logs: 60, metrics: 60 });
  for (const dryRun of [true, false]) {
    const answer = await agent.ask('set_retention', { logs: 7, dryRun });
    expect(answer.data).toMatchObject({ before: data.after, after: { traces: 60, logs: 7, metrics: 60 } });
    expect(answer.notes).toEqual([expect.stringContaining('deleted for good')]);
  }
  expect((await agent.ask('set_retention', { logs: 8 })).notes).toEqual([]);
});

test('an origin is tied to sites by name, to all, and taken away; the others stay', async () => {
  const owner = await createOwner();
  const agent = await createAgent(stack(), owner.userId);
  const [api, pay] = ['https://api.example.com', 'https://pay.example.com'];
  await agent.ask('set_origin', { origin: pay });
  const tied = await agent.ask('set_origin', { origin: api, sites: ['EXAMPLE.com'] });
  expect(tied.data).toEqual({ result: 'done', before: null, after: { origin: api, sites: ['example.com'] } });
  expect((await agent.ask('set_origin', { origin: api })).data).toMatchObject({
    before: { sites: ['example.com'] },
    after: { sites: 'all' },
  });
  const unknown = await agent.call('set_origin', { origin: api, sites: ['other.example'] });
  expect(unknown).toMatchObject({
    isError: true,
    answer: { code: 'NOT_FOUND', choices: [{ domain: 'example.com' }] },
  });
  const gone = { origin: api, remove: true };
  expect((await agent.ask('set_origin', gone)).data).toMatchObject({ result: 'done', after: null });
  expect((await agent.ask('set_origin', gone)).data).toEqual({
    result: 'unchanged',
    before: null,
    after: null,
  });
  expect((await storedOf(owner))?.origins).toEqual([[pay, null]]);
});

test('an annotation is removed by its text, and definitions by their id', async () => {
  const owner = await createOwner();
  const agent = await createAgent(stack(), owner.userId);
  await agent.ask('annotate', { date: '2026-11-20', text: 'Sale' });
  const { data } = await agent.ask('annotate', { date: '2026-11-21', text: 'Sale' });
  const several = await agent.call('remove_definition', { kind: 'annotation', name: 'Sale' });
  expect(several.answer).toMatchObject({ code: 'NOT_FOUND', choices: [{ date: '2026-11-20' }, {}] });
  await agent.ask('remove_definition', { kind: 'annotation', name: data.after.id });
  await agent.ask('remove_definition', { kind: 'annotation', name: 'Sale' });
  await agent.ask('remove_definition', { kind: 'funnel', name: 'from prices' });
  expect(await storedOf(owner)).toMatchObject({ annotations: null, funnels: null });
});

test('the log is chosen by result: dry runs and calls that change nothing haven’t failed', async () => {
  const owner = await createOwner();
  const agent = await createAgent(stack(), owner.userId);
  await agent.ask('set_retention', { logs: 14, dryRun: true });
  await agent.call('set_retention', { logs: 0 });
  const ask = async (query: string) => {
    const response = await stack().fetch(`/api/v1/projects/${owner.projectId}/audit-log?${query}`, {
      headers: { Cookie: owner.cookie },
    });
    const { data } = (await response.json()) as { data: AuditEntry[] };
    return data.map(({ result }) => result);
  };
  expect(await ask('result=failed')).toEqual(['VALIDATION_ERROR']);
  expect(await ask('result=done')).toEqual([]);
  expect(await ask('')).toEqual(['VALIDATION_ERROR', 'dry_run']);
});
