/** Fills a database through the functions, day after day, with rows in each table. The dump of a release is made of it. */

import { generateDay, startOf } from '../../dev/demo/generate-traffic.ts';
import { demoSender, fillBackend } from '../../dev/demo/telemetry/fill-demo-backend.ts';
import { ensureDemoAccount } from '../../dev/demo-account.ts';
import alerts from '../../functions/alerts/index.ts';
import ingest from '../../functions/ingest/index.ts';
import messages from '../../functions/messages/index.ts';
import receiver from '../../functions/receiver/index.ts';
import type { Sql } from '../../lib/db.ts';
import type { ImportTarget } from '../../lib/imports/send-import.ts';
import { runImport } from '../../scripts/import/run-import.ts';
import { type Ask, type Caller, type Service, signIn } from './service.ts';
import { metricsRequest, tracesRequest } from './telemetry-requests.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Afternoon in Lisbon, three days after its clocks went back: blocks of one, of 7 and of 28 days, an open day, and open visits. */
export const NOW = Date.parse('2026-10-28T15:37:20.000Z');
const DAYS = 66;
const BACKEND_DAYS = 2;
/** On the last days the crons run four times, on those before twice: some days are sealed only on the next one. */
const BUSY_DAYS = 9;
const HOURS = { busy: [0, 6, 12, 18], quiet: [0, 12] };
const BATCH_SIZE = 200;
const VISITS_A_DAY = 9;

const FORGOTTEN_VISITOR = '3b0f7c1e-94a6-4d0b-8d57-5f2f0c1a9e42';
const TRACE_OF_A_PAGE = '4bf92f3577b34da6a3ce929d0e0e4736';

const SITES = [
  { domain: 'six-strings.example', name: 'Six Strings', timezone: 'Europe/Lisbon', jurisdiction: 'PT' },
  { domain: 'kathmandu.example', name: 'Prayer flags', timezone: 'Asia/Kathmandu', jurisdiction: 'NP' },
  { domain: 'st-johns.example', name: 'Puffins', timezone: 'America/St_Johns', jurisdiction: 'CA' },
];
const GOALS = [
  { name: 'Bought', event: 'purchase' },
  { name: 'Put into the basket', event: 'Add to basket' },
  { name: 'Read the journal', page: '/demo/journal/*' },
];
const FUNNELS = [
  {
    name: 'To a purchase',
    steps: [
      { page: '/demo/**' },
      { event: 'Add to basket' },
      { page: '/demo/checkout' },
      { event: 'purchase' },
    ],
  },
  { name: 'To the strings', steps: [{ page: '/demo/journal/*' }, { page: '/demo/strings' }] },
];

export interface Filled {
  userId: string;
  projectId: string;
  environmentId: string;
  /** The last site has only imported days. */
  siteIds: string[];
}

interface Created {
  data: { id: string };
}

/** Fills the days until `NOW`. The clock shows `NOW` afterwards. */
export async function fill({ sql, env, at, ask }: Service): Promise<Filled> {
  at(NOW - DAYS * DAY_MS);
  const account = await ensureDemoAccount(sql);
  const { projectId, environmentId } = account;
  const [person] = await sql`select id from users`;
  const by = { token: account.apiToken, cookie: '' };
  const siteIds = [account.siteId];
  for (const site of SITES)
    siteIds.push((await ask<Created>(by, 'POST', '/api/v1/sites', { ...site, projectId })).data.id);
  const [first = '', second = '', third = ''] = siteIds;

  await ask(by, 'PUT', `/api/v1/sites/${second}/privacy`, {
    ...{ jurisdiction: 'PT', consentMode: 'required', preConsentTier: 'counts', retentionMonths: 25 },
  });
  await ask(by, 'PUT', `/api/v1/sites/${third}/privacy`, {
    ...{ jurisdiction: 'NP', consentMode: 'regional', preConsentTier: 'sessions', retentionMonths: 2 },
  });
  const analytics = (site: string) => `/api/v1/sites/${site}/analytics`;
  for (const site of [first, second]) {
    for (const goal of GOALS) await ask(by, 'POST', `${analytics(site)}/goals`, goal);
    for (const funnel of FUNNELS) await ask(by, 'POST', `${analytics(site)}/funnels`, funnel);
  }

  // The clock advances day by day.
  const visited = siteIds.slice(0, 3);
  for (let ago = DAYS; ago >= 0; ago -= 1) {
    const day = NOW - (NOW % DAY_MS) - ago * DAY_MS;
    if (ago === 0) await stayOvernight(env, at, second, day);
    if (ago === 2) await visitWithRequests(env, at, second, day + 9 * HOUR_MS);
    for (const [index, siteId] of visited.entries()) {
      const messages = generateDay({ siteId, seed: 7 + index, visitsPerDay: VISITS_A_DAY }, day).filter(
        (message) => message.events.every((event) => event.at <= NOW),
      );
      for (let from = 0; from < messages.length; from += BATCH_SIZE) {
        const batch = messages.slice(from, from + BATCH_SIZE);
        at(Math.max(...batch.map(startOf)));
        await queue(env, batch);
      }
    }
    for (const hour of ago > BUSY_DAYS ? HOURS.quiet : HOURS.busy) {
      const instant = day + DAY_MS + hour * HOUR_MS;
      // The last day isn't sealed yet.
      if (instant > NOW - DAY_MS) break;
      at(instant);
      await cron(env, instant);
    }
  }

  at(NOW - HOUR_MS);
  await ask(by, 'DELETE', `/api/v1/sites/${second}/visitors/${FORGOTTEN_VISITOR}`);
  await addFaults(sql, env, third);
  for (const shared of [true, false])
    await ask(by, 'POST', `/api/v1/sites/${second}/segments`, {
      ...{ name: shared ? 'Portugal' : 'Mine', filters: { country: 'PT', page: '~/demo/' }, shared },
    });
  await ask(by, 'POST', `/api/v1/sites/${second}/events`, {
    events: [
      {
        id: crypto.randomUUID(),
        name: 'purchase',
        revenue: { amount: '129.90', currency: 'EUR' },
        props: { plan: 'yearly', seats: 3 },
        visitorId: crypto.randomUUID(),
        consent: 'granted',
      },
    ],
  });
  await queue(env, [{ version: 1, siteId: second, tier: 3, events: 'not a list' }, { version: 9 }]);
  await ask(by, 'POST', `${analytics(first)}/goals`, { name: 'Saw a guitar', page: '/demo/guitars/**' });
  for (const [date, text] of [
    ['2026-10-02', 'A post goes round'],
    ['2026-10-25', 'Clocks go back'],
  ])
    for (const site of [first, second])
      await ask(by, 'POST', `${analytics(site)}/annotations`, { date, text });
  await ask(by, 'PATCH', `/api/v1/sites/${first}`, { aliases: ['six-strings'] });
  await ask(by, 'POST', `/api/v1/sites/${first}/shares`, { name: 'Open numbers' });
  await ask(by, 'POST', `/api/v1/sites/${second}/shares`, {
    ...{ name: 'For the board', reports: ['overview', 'pages'], password: 'salt and brine' },
    expiresAt: '2098-12-31T23:00:00.000Z',
  });

  // The other tools counted last spring.
  const [, , , imported = ''] = siteIds;
  await importDays(ask, by, imported, 'plausible');
  await importDays(ask, by, second, 'umami');

  await fillTelemetry({ sql, env, at, ask }, { projectId, environmentId, key: account.ingestKey });
  await ask.raw('POST', '/api/auth/sign-in', { email: account.email, password: account.password });
  by.cookie = await signIn(sql, person?.id);
  const environment = `/api/v1/telemetry/projects/${projectId}/environments/${environmentId}`;
  await ask(by, 'PUT', `${environment}/origins`, {
    origins: [
      { origin: 'https://api.six-strings.example', siteIds: [first] },
      { origin: 'http://localhost:3000' },
    ],
  });
  await ask(by, 'PUT', `${environment}/retention`, { traces: 14, logs: 30, metrics: 90 });

  await fillMessages({ env, ask }, by, { projectId, siteId: second });
  await sumUpFilter(sql, second);
  // After the last cron, so that it waits for its group.
  await ask({ token: account.ingestKey }, 'POST', '/v1/logs', {
    resourceLogs: [
      { scopeLogs: [{ logRecords: [{ severityNumber: 17, body: { stringValue: 'card declined' } }] }] },
    ],
  });

  await ask(by, 'POST', `/api/v1/projects/${projectId}/members`, { role: 'viewer' });
  await ask(by, 'POST', '/api/v1/account/query-tokens', {
    name: 'Reports',
    scopes: ['sites:read'],
    projectIds: [projectId],
  });
  const agent = await ask<Created>(by, 'POST', '/api/v1/account/query-tokens', {
    name: 'Agent',
    scopes: ['sites:read', 'view:write'],
  });
  await ask(by, 'POST', '/api/v1/account/view-grants', {
    ...{ queryTokenId: agent.data.id, tab: crypto.randomUUID(), minutes: 15 },
  });
  await ask(by, 'POST', '/api/auth/second-factor', { password: account.password });
  await ask(by, 'POST', '/api/auth/password/reset-request', { email: account.email });
  const gone = await ask<Created>(by, 'POST', '/api/v1/sites', {
    domain: 'gone.example',
    name: 'Gone',
    projectId,
  });
  await ask(by, 'DELETE', `/api/v1/sites/${gone.data.id}`);
  const staging = await ask<Created>(by, 'POST', `/api/v1/projects/${projectId}/environments`, {
    name: 'staging',
  });
  await ask(by, 'DELETE', `/api/v1/projects/${projectId}/environments/${staging.data.id}`);
  at(NOW);
  return { userId: person?.id, projectId, environmentId, siteIds };
}

/** Channels, an alert that fires at once and whose message finds no receiver, and a report by mail. */
async function fillMessages(
  { env, ask }: Pick<Service, 'env' | 'ask'>,
  by: Caller,
  { projectId, siteId }: { projectId: string; siteId: string },
): Promise<void> {
  const channel = await ask<Created>(by, 'POST', `/api/v1/projects/${projectId}/channels`, {
    ...{ kind: 'webhook', name: 'Incidents', url: 'https://hooks.invalid/vendor', events: ['alert.firing'] },
  });
  await ask(by, 'POST', `/api/v1/sites/${siteId}/alerts`, {
    ...{ name: 'Few visits', metric: 'visits', compare: 'below', threshold: 1000, forMinutes: 60 },
    channels: [channel.data.id],
  });
  await ask(by, 'POST', `/api/v1/sites/${siteId}/mail-reports`, {
    ...{ every: 'week', weekday: 1, recipients: ['ada@six-strings.example'], language: 'pt-PT' },
  });
  await alerts.scheduled(undefined, env);
  await messages.scheduled(undefined, env);
}

/** The sums of a filter for the days that are sealed for good. The site has too few visits for the cron to do it. */
async function sumUpFilter(sql: Sql, siteId: string): Promise<void> {
  const [filter] = await sql`
    insert into site_filters (site_key, clauses, asked_on)
    select key, '[{"dimension": "country", "operator": "is", "wanted": ["PT"]}]', '2026-10-28' from sites where id = ${siteId}
    returning site_key, id`;
  await sql`
    select seal_filter(${filter?.site_key}, ${filter?.id}, day)
    from days_of_filter(${filter?.site_key}, ${filter?.id}, 400)`;
}

/** A visitor is on the site around its midnight while the previous day is sealed. */
async function stayOvernight(
  env: object,
  at: Service['at'],
  siteId: string,
  midnight: number,
): Promise<void> {
  const visitorId = crypto.randomUUID();
  const pageview = (minute: number) => ({
    ...{ type: 'pageview', id: crypto.randomUUID(), at: midnight + minute * 60_000, entry: true },
    ...{ hostname: 'six-strings.example', path: '/demo/journal/winter', pageId: crypto.randomUUID() },
  });
  for (const minute of [-10, 15, 40]) {
    at(midnight + minute * 60_000);
    await queue(env, [
      {
        version: 1,
        siteId,
        tier: 3,
        visitorId,
        continued: false,
        country: 'PT',
        device: 'desktop',
        events: [pageview(minute)],
      },
    ]);
  }
  at(midnight + 42 * 60_000);
  await cron(env, midnight + 42 * 60_000);
}

/** A visit whose pages asked a backend, with properties of page views; and one of a visitor who is deleted later. */
async function visitWithRequests(
  env: object,
  at: Service['at'],
  siteId: string,
  start: number,
): Promise<void> {
  const send = (visitorId: string, path: string, events: object[] = []) => {
    const pageId = crypto.randomUUID();
    const page = { hostname: 'six-strings.example', path, pageId, entry: true, props: { plan: 'yearly' } };
    return queue(env, [
      {
        ...{ version: 1, siteId, tier: 3, visitorId, continued: false, country: 'PT', device: 'desktop' },
        events: [
          { type: 'pageview', id: crypto.randomUUID(), at: start, ...page },
          ...events.map((event) => ({ id: crypto.randomUUID(), at: start + 1000, pageId, ...event })),
        ],
      },
    ]);
  };
  at(start);
  await send(FORGOTTEN_VISITOR, '/demo/only-the-forgotten-was-here');
  await send(crypto.randomUUID(), '/demo/checkout', [
    { type: 'association', traceId: TRACE_OF_A_PAGE, origin: 'https://api.six-strings.example', status: 201 },
  ]);
}

/** A day that could not be sealed, and one that has taken all new campaigns that it may. */
async function addFaults(sql: Sql, env: object, siteId: string): Promise<void> {
  const now = NOW - HOUR_MS;
  await sql`
    select note_seal_fault(key, '2026-10-27', '57014', to_timestamp(${now / 1000}::float8)) from sites where id = ${siteId}`;
  await sql`
    insert into new_values (site_key, day, kind, taken)
    select key, '2026-10-28', 'campaigns', most_new_values('campaigns') from sites where id = ${siteId}
    on conflict (site_key, day, kind) do update set taken = excluded.taken`;
  await queue(env, [
    {
      ...{ version: 1, siteId, tier: 1, continued: false, country: 'NP', device: 'mobile' },
      events: [
        {
          ...{ type: 'pageview', id: crypto.randomUUID(), at: now, entry: true },
          ...{ hostname: 'kathmandu.example', path: '/demo', utmCampaign: 'one campaign too many' },
        },
      ],
    },
  ]);
}

async function fillTelemetry(
  { sql, env, at, ask }: Pick<Service, 'sql' | 'env' | 'at' | 'ask'>,
  { key, ...ids }: { projectId: string; environmentId: string; key: string },
): Promise<void> {
  // The clock is one hour before `NOW`.
  const ctx = { ...(await demoSender(sql, ids)), now: () => NOW - HOUR_MS };
  await fillBackend({ ctx, days: BACKEND_DAYS, seed: 5, onDay: () => {} });
  await receiver.scheduled(undefined, env);
  for (let minute = 30; minute >= 0; minute -= 1) {
    at(NOW - minute * 60_000);
    await ask({ token: key }, 'POST', '/v1/metrics', metricsRequest(NOW - minute * 60_000));
    // A minute with several points.
    if (minute === 20)
      await ask({ token: key }, 'POST', '/v1/metrics', metricsRequest(NOW - minute * 60_000 + 30_000));
    if (minute === 5) await receiver.scheduled(undefined, env);
  }
  const order = (ago: number) => ask({ token: key }, 'POST', '/v1/traces', tracesRequest(NOW - ago * 1000));
  at(NOW - 20_000);
  await order(25);
  await receiver.scheduled(undefined, env);
  at(NOW - 10_000);
  await order(12);
  // The answer tells the sender about a span without a time.
  await ask({ token: key }, 'POST', '/v1/traces', {
    resourceSpans: [
      {
        scopeSpans: [
          {
            spans: [
              { traceId: '5b8efff798038103d269b633813fc60c', spanId: 'eee19b7ec3c1b174', name: 'GET /cart' },
            ],
          },
        ],
      },
    ],
  });
}

async function queue(env: object, bodies: readonly unknown[]): Promise<void> {
  const messages = bodies.map((body) => ({ body, attempts: 1 }));
  const retryAll = (): never => {
    throw new Error('A batch of the fixture was not stored: see the log');
  };
  await ingest.queue({ queue: 'vendor-events', messages, retryAll } as never, env);
}

const cron = (env: object, scheduledTime: number) => ingest.scheduled({ scheduledTime } as never, env);

/** The tables that have no row. */
export async function listEmptyTables(sql: Sql): Promise<string[]> {
  const tables = await sql`
    select c.oid::regclass::text as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`;
  const empty: string[] = [];
  for (const { name } of tables) {
    const [row] = await sql.query(`select exists (select from ${name}) as found`);
    if (row?.found !== true) empty.push(name);
  }
  return empty.sort();
}

const importDays = (ask: Ask, by: Caller, siteId: string, source: 'plausible' | 'umami') => {
  const path = `/api/v1/sites/${siteId}/imports`;
  const dataOf = async <Data>(method: string, more: string, body?: object) =>
    (await ask<{ data: Data }>(by, method, path + more, body))?.data;
  const target: ImportTarget = {
    list: () => dataOf('GET', ''),
    get: (id) => dataOf('GET', `/${id}`),
    begin: (begin) => dataOf('POST', '', begin),
    add: (id, piece) => dataOf('POST', `/${id}/pieces`, piece),
    finish: (id, pieces) => dataOf('POST', `/${id}/finish`, { pieces }),
    undo: (id) => dataOf('DELETE', `/${id}`),
  };
  return runImport(target, {
    ...{ siteId, source, dryRun: false, now: NOW, terminal: { write: () => {} } },
    paths: [new URL(`../scripts/import/fixtures/${source}`, import.meta.url).pathname],
  });
};
