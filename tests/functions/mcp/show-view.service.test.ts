/** `show_view`: a tab that its person allowed shows what the agent asks for, until the person ends it. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createPerson, createTenant, type Person, type Tenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { type Agent, createAgent } from './agent.ts';

const stack = useStack();

async function send({ cookie }: Pick<Person, 'cookie'>, method: string, path: string, body?: object) {
  const response = await stack().fetch(path, {
    method,
    headers: { Cookie: cookie, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const { data, ...rest } = text === '' ? {} : JSON.parse(text);
  return { status: response.status, data, ...rest };
}

const GRANTS = '/api/v1/account/view-grants';
const allow = (person: Person, { tokenId: queryTokenId }: Agent, tab: string, minutes = 15) =>
  send(person, 'POST', GRANTS, { queryTokenId, tab, minutes });
const poll = (person: Person, tab: string, shown?: string) =>
  send(
    person,
    'GET',
    `${GRANTS}?tab=${tab}${shown === undefined ? '' : `&shown=${encodeURIComponent(shown)}`}`,
  );

/** A person with an agent whose token may change a tab. */
async function createPair(): Promise<{ person: Tenant; agent: Agent; tab: string; grantId: string }> {
  const person = await createTenant(stack().sql);
  const agent = await createAgent(stack(), person.userId);
  const tab = randomUUID();
  const { status, data } = await allow(person, agent, tab);
  expect(status).toBe(201);
  return { person, agent, tab, grantId: data.id };
}

const auditOf = async ({ projectId }: Tenant): Promise<[string, string][]> => {
  const rows = await stack()
    .sql`select action, result from audit_log where project_id = ${projectId} order by at`;
  return (rows as { action: string; result: string }[])
    .filter(({ action }) => action.startsWith('view'))
    .map(({ action, result }) => [action, result]);
};

test('without consent it answers a link, and notes the call', async () => {
  const person = await createTenant(stack().sql);
  const agent = await createAgent(stack(), person.userId);
  const { data, scope } = await agent.ask('show_view', {
    view: 'goals',
    period: '7d',
    filters: ['country is PT|ES', 'page contains /docs'],
  });
  expect(data).toEqual({
    result: 'consent_required',
    link: `${stack().baseUrl}/sites/${person.siteId}/goals?period=7d&filter_country=PT%7CES&filter_page=%7E%2Fdocs`,
  });
  expect(scope).toMatchObject({ siteId: person.siteId });
  expect(await auditOf(person)).toEqual([['view.show', 'unchanged']]);
});

test('a tab that was allowed shows the view, and says so', async () => {
  const { person, agent, tab } = await createPair();
  const answer = agent.ask('show_view', { from: '2026-11-01', to: '2026-11-07' });
  const path = `/sites/${person.siteId}?from=2026-11-01&to=2026-11-07`;
  await expect.poll(async () => (await poll(person, tab)).data[0]?.view?.path).toBe(path);
  const [{ name, view }] = (await poll(person, tab)).data;
  expect([name, view.isShown]).toEqual(['test', false]);
  expect((await poll(person, tab, view.sentAt)).data[0].view.isShown).toBe(true);
  expect((await answer).data).toMatchObject({ result: 'shown', link: stack().baseUrl + path });
  expect(await auditOf(person)).toEqual([
    ['view-grant.create', 'done'],
    ['view.show', 'done'],
  ]);
});

test('a tab that doesn’t confirm it has been sent it', { timeout: 180_000 }, async () => {
  const { person, agent, tab } = await createPair();
  const [{ data }] = await Promise.all([
    agent.ask('show_view', { view: 'retention' }),
    poll(person, tab, new Date(0).toISOString()),
  ]);
  expect(data.result).toBe('sent');
});

test.each<[string, (pair: Awaited<ReturnType<typeof createPair>>) => Promise<unknown>]>([
  ['one click', ({ person, grantId }) => send(person, 'DELETE', `${GRANTS}/${grantId}`)],
  ['signing out', ({ person }) => send(person, 'POST', '/api/auth/sign-out', {})],
  [
    'revoking the token',
    ({ agent }) => stack().sql`update query_tokens set revoked_at = now() where id = ${agent.tokenId}`,
  ],
  [
    'closing the tab',
    ({ grantId }) =>
      stack().sql`update view_grants set seen_at = now() - interval '11 seconds' where id = ${grantId}`,
  ],
  [
    'the end of its minutes',
    ({ grantId }) => stack().sql`update view_grants set expires_at = now() where id = ${grantId}`,
  ],
])('%s ends it at once', async (_, end) => {
  const pair = await createPair();
  // The function remembers the token for a while: the statement itself must know.
  await pair.agent.ask('get_access');
  await end(pair);
  expect((await pair.agent.ask('show_view')).data.result).toBe('consent_required');
});

test('nobody allows somebody else’s token, one without the scope, or for longer', async () => {
  const { person, agent, tab, grantId } = await createPair();
  const stranger = await createPerson(stack().sql);
  expect((await allow(stranger, agent, randomUUID())).status).toBe(404);
  expect((await poll(stranger, tab)).data).toEqual([]);
  expect((await send(stranger, 'DELETE', `${GRANTS}/${grantId}`)).status).toBe(404);
  expect((await poll(person, randomUUID())).data).toEqual([]);
  for (const minutes of [0, 16, 1.5]) expect((await allow(person, agent, tab, minutes)).status).toBe(400);
  const reader = await createAgent(stack(), person.userId, { scopes: ['analytics:read'] });
  const refused = await allow(person, reader, tab);
  expect([refused.status, refused.error]).toEqual([409, 'CONFLICT']);
  expect((await poll(person, tab)).data).toHaveLength(1);
});

test('another tab replaces the first', async () => {
  const { person, agent, tab } = await createPair();
  const second = randomUUID();
  await allow(person, agent, second, 1);
  expect((await poll(person, tab)).data).toEqual([]);
  expect((await poll(person, second)).data).toHaveLength(1);
});

test.each<[Record<string, unknown>, string]>([
  [{ view: 'traces', site: 'example.com' }, 'view'],
  [{ view: 'goals', environment: 'production' }, 'view'],
  [{ period: '7d', from: '2026-11-01', to: '2026-11-02' }, 'period'],
  [{ from: '2026-11-01' }, 'to'],
  [{ filters: ['country = PT'] }, 'filters.0'],
  [{ traceId: 'x'.repeat(32) }, 'traceId'],
  [{ period: '1y' }, 'period'],
  [{ view: '//evil.example' }, 'view'],
])('%j is refused, with the field %s', async (args, path) => {
  const { agent } = await createPair();
  const { isError, answer } = await agent.call('show_view', args);
  expect([isError, answer.details?.[0]?.path]).toEqual([true, path]);
});
