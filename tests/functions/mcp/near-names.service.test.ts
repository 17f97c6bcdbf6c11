/** Values and names that are written otherwise than the site has them, or that nothing has. */
import { expect, test } from 'vitest';
import { foldBatch } from '../../../lib/collection/fold-batch.ts';
import { consented, custom, pageview } from '../../lib/analytics/reports-world.ts';
import { addGoal } from '../../security/definitions.ts';
import { createProject, createTenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { attributesOf, nano, spanIdOf, traceIdOf } from '../telemetry/test-environment.ts';
import { askRest, createAgent, createBackend } from './agent.ts';

const stack = useStack();

const COUNTRIES = ['PT', 'PT', 'ES', 'GB'];
const PATHS = ['/pricing', '/docs/start', '/preços', '/'];

async function createVisited() {
  const { sql } = stack();
  const tenant = await createTenant(sql);
  const { siteId } = tenant;
  await addGoal(sql, siteId, { name: 'Bought a guitar', event: 'signup' });
  const at = new Date(Date.now() - 3_600_000).toISOString();
  const messages = COUNTRIES.map((country, n) =>
    consented(`${n} comes`, [pageview(at, PATHS[n], { source: n === 0 ? 'Google' : 'Bing' }), custom(at)], {
      ...{ country, device: 'mobile', browser: 'Safari' },
    }),
  );
  await foldBatch(
    sql,
    messages.map((message) => ({ ...message, siteId })),
    Date.now(),
  );
  return { tenant, agent: await createAgent(stack(), tenant.userId) };
}

test.each([
  ['country is Portugal', 2],
  ['country is portugal', 2],
  ['country is Espanha', 1],
  ['country is España', 1],
  ['country is Spain|Reino Unido', 2],
  ['country is UK', 1],
  ['country is Great Britain|España', 2],
  ['country is pt', 2],
  ['country is PT,ES', 3],
  ['country is not Portugal', 2],
  ['device is Mobile', 4],
  ['browser is safari', 4],
  ['device is phone', 4],
  ['device is not telemóvel', 0],
  ['source is google.com', 1],
  ['source is google', 1],
  ['source is not google', 3],
  ['goal is bought a guitar', 4],
  ['page is pricing', 1],
  ['page is https://example.com/pricing/', 1],
  ['page is /precos', 1],
  ['entry_page is /Docs/Start', 1],
])('`%s` is read as the site writes it: %i visits', async (filter, visits) => {
  const { agent } = await createVisited();
  const { data, scope, notes } = await agent.ask('summarize_site', { filters: [filter] });
  expect(data.totals.visits).toBe(visits);
  expect(scope.unmatched).toBeUndefined();
  expect(notes[0]).toMatch(/^Filters were read as the site writes them/);
});

test('a value that no visit has is said, with the nearest; others beside it count', async () => {
  const { agent, tenant } = await createVisited();
  const { data, scope, notes, untrusted } = await agent.ask('break_down_visits', {
    ...{ by: 'country', filters: ['country is PT|Atlantis', 'goal not bought', 'page contains /nothing'] },
  });
  expect(data).toEqual([]);
  expect(scope.unmatched).toEqual([
    {
      filter: 'country',
      value: 'Atlantis',
      same: false,
      nearest: expect.arrayContaining(['PT', 'ES', 'GB']),
    },
    { filter: 'page', value: '/nothing', same: false, nearest: expect.arrayContaining(['/pricing']) },
    { filter: 'goal', value: 'bought', same: false, nearest: expect.arrayContaining(['Bought a guitar']) },
  ]);
  expect(scope.unmatched[2].nearest[0]).toBe('Bought a guitar');
  expect(notes.slice(0, 4)).toEqual([
    'No visit of this site that is kept has 1 of the 2 values of the filter `country`: the answer is about the others.',
    ...['page', 'goal'].map(
      (name) =>
        `No visit of this site that is kept has a value that the filter \`${name}\` names: what it keeps or leaves out means no more than that.`,
    ),
    '`scope.unmatched` has these values with the nearest that there are.',
  ]);
  expect(untrusted).toContain('scope.unmatched');
  const { body } = await askRest(stack(), tenant, 'countries?filter_country=Portugal');
  expect(body.data).toEqual([]);
  expect(body.meta.scope.unmatched).toEqual([
    { filter: 'country', value: 'Portugal', same: true, nearest: ['PT'] },
  ]);
  const { body: batch } = await askRest(
    stack(),
    tenant,
    'reports?report=pages,overview&filter_country=Portugal',
  );
  expect(batch.meta.scope.unmatched).toEqual(body.meta.scope.unmatched);
  expect(batch.data.pages.meta?.scope).toBeUndefined();
  const exact = await askRest(stack(), tenant, 'countries?filter_country=PT');
  expect(exact.body.meta.scope.unmatched).toBeUndefined();
});

test('a cursor goes on with the values as the call writes them', async () => {
  const { agent } = await createVisited();
  const args = { by: 'page', limit: 1, filters: ['country is Portugal'] };
  const first = await agent.ask('break_down_visits', args);
  expect(first.more).toBe(true);
  const second = await agent.ask('break_down_visits', { ...args, cursor: first.cursor });
  expect([...first.data, ...second.data].map(({ path }) => path).sort()).toEqual(['/docs/start', '/pricing']);
  expect(second.more).toBe(false);
});

test('events and ends of journeys are named in any letters; others are said', async () => {
  const { agent } = await createVisited();
  const events = await agent.ask('report_events', { event: 'Sign-up' });
  expect(events.scope.unmatched).toEqual([
    { filter: 'event', value: 'Sign-up', same: false, nearest: ['signup'] },
  ]);
  expect((await agent.ask('report_events', { event: 'SIGNUP' })).notes[0]).toMatch(/^Filters were read/);
  const journeys = await agent.ask('report_behaviour', { what: 'journeys', start: 'pricing' });
  expect(journeys.data).toEqual([expect.objectContaining({ pages: ['/pricing'] })]);
  const none = await agent.ask('report_behaviour', { what: 'journeys', start: '/prizing' });
  expect(none.scope.unmatched[0]).toMatchObject({ filter: 'start', value: '/prizing', same: false });
  expect(none.scope.unmatched[0].nearest[0]).toBe('/pricing');
});

test('a site is named with a scheme, a path, umlauts or www', async () => {
  const { sql } = stack();
  const { tenant, agent } = await createVisited();
  await sql`update sites set domain = 'xn--bcher-kva.example', name = 'Bücherei' where id = ${tenant.siteId}`;
  for (const site of [
    ...['https://bücher.example/', 'http://bücher.example:80/a?b#c', 'Bücher.example', 'www.bücher.example'],
    ...['xn--bcher-kva.example', 'bucherei', 'BÜCHEREI'],
  ])
    expect([site, (await agent.ask('summarize_site', { site })).scope.site]).toEqual([
      site,
      'xn--bcher-kva.example',
    ]);
  expect((await agent.call('summarize_site', { site: 'bucher.example' })).answer.code).toBe('NOT_FOUND');
});

test('environments of the same name are known by their project', async () => {
  const { sql } = stack();
  const tenant = await createTenant(sql);
  const projects = [tenant.projectId, await createProject(sql, tenant, 'owner')];
  await sql`update projects set name = 'Shop' where id = ${projects[0]}`;
  const addEnvironment = (projectId: string | undefined, name: string) =>
    sql`insert into environments (project_id, name) values (${projectId}, ${name})`;
  for (const projectId of projects) await addEnvironment(projectId, 'production');
  await addEnvironment(projects[0], 'staging');
  const agent = await createAgent(stack(), tenant.userId);
  const { environments } = (await agent.ask('get_access')).data;
  const names = environments.map(({ name }: { name: string }) => name);
  expect(names).toEqual(['Shop/production', 'Test/production', 'Shop/staging']);
  const { isError, answer } = await agent.call('check_backend', { environment: 'production' });
  expect([isError, answer.message]).toEqual([
    true,
    'Several have this name: use a whole `name` or `id` from `choices`.',
  ]);
  expect(answer.choices.map(({ name }: { name: string }) => name)).toEqual(names.slice(0, 2));
  for (const [environment, name] of [...names.map((one: string) => [one, one]), ['staging', names[2]]])
    expect((await agent.ask('check_backend', { environment })).scope.environment).toBe(name);
  const plan = await agent.ask('set_retention', { environment: 'test/Production', logs: 14, dryRun: true });
  expect(plan.scope.environment).toBe('Test/production');
});

test('services, operations and types of outcomes are named in any letters; others are said', async () => {
  const backend = await createBackend(stack());
  const agent = await createAgent(stack(), backend.owner.userId);
  const { data, notes } = await agent.ask('find_traces', { service: 'SHOP', operation: 'post /orders' });
  expect(data).toHaveLength(1);
  expect(notes[0]).toMatch(/^Filters were read/);
  const paged = { service: 'Shop', limit: 2 };
  const { cursor } = await agent.ask('find_traces', paged);
  expect((await agent.ask('find_traces', { ...paged, cursor })).data).toHaveLength(2);
  expect((await agent.ask('find_logs', { service: 'shops' })).scope.unmatched).toEqual([
    { filter: 'service', value: 'shops', same: false, nearest: ['shop', 'mail'] },
  ]);
  const { scope, data: outcomes } = await agent.ask('report_outcomes', { type: 'orders' });
  expect(outcomes.outcomes).toEqual([]);
  expect(scope.unmatched[0]).toMatchObject({ filter: 'type', value: 'orders', same: false });
  const byDay = await agent.ask('report_outcomes', { type: 'orders', interval: '1d' });
  expect(byDay.data.intervals).toEqual([]);
  expect(byDay.scope.unmatched[0]).toMatchObject({ filter: 'type', value: 'orders', same: false });
  // A service that is there and has no failed span is no fault of the name.
  const none = await agent.ask('find_traces', { service: 'shop', minDurationMs: 80_000 });
  expect([none.data, none.scope.unmatched]).toEqual([[], undefined]);
});

test('attributes that no span or log record has are said, and those that have another value are not', async () => {
  const backend = await createBackend(stack());
  const agent = await createAgent(stack(), backend.owner.userId);
  const at = Date.now() - 60_000;
  const key = 'http.response.status_code';
  await backend.send([
    {
      ...{ traceId: traceIdOf(70), spanId: spanIdOf(70), service: 'shop', name: 'GET /lost' },
      ...{ startMs: at, durationMs: 5, attributes: { [key]: 404 } },
    },
  ]);
  await backend.post('/v1/logs', {
    resourceLogs: [
      {
        scopeLogs: [
          { logRecords: [{ timeUnixNano: nano(at), attributes: attributesOf({ 'order.id': '7' }) }] },
        ],
      },
    ],
  });
  for (const [tool, asked, near] of [
    ['find_traces', 'http.status_code', key],
    ['find_logs', 'orderId', 'order.id'],
  ] as const) {
    const unknown = await agent.ask(tool, { attributes: [`${asked}=404`] });
    expect([tool, unknown.data]).toEqual([tool, []]);
    expect(unknown.scope.unmatched).toMatchObject([{ filter: 'attributes', value: asked }]);
    expect(unknown.scope.unmatched[0].nearest).toContain(near);
    expect(unknown.notes[0]).toMatch(/nothing is found says little/);
    const others = await agent.ask(tool, { attributes: [`${near}=500`, 'resource.host.name=a'] });
    expect([others.data, others.scope.unmatched]).toEqual([[], undefined]);
  }
  expect((await agent.ask('find_traces', { attributes: [`${key}=404`] })).data).toHaveLength(1);
  const ofService = await agent.ask('find_traces', { service: 'shop', attributes: ['http.status_code=404'] });
  expect(ofService.scope.unmatched).toMatchObject([{ filter: 'attributes' }]);
});
