/** A service's answers to every report, to compare them before and after an upgrade. */
import type { Sql } from '../../lib/db.ts';
import { hashToken } from '../../lib/tokens.ts';
import { newToken } from '../security/tenant.ts';
import type { Filled } from './fill.ts';
import { type Caller, type Service, signIn } from './service.ts';

/** The answers by path. */
export type Answers = Record<string, unknown>;

const LISTS = [
  ...[
    'pages',
    'entry-pages',
    'exit-pages',
    'sources',
    'channels',
    'countries',
    'regions',
    'cities',
    'devices',
  ],
  ...['browsers', 'operating-systems', 'languages', 'hostnames', 'engagement', 'vitals', 'events'],
  ...['events/purchase/props', 'journeys', 'utm?by=campaign', 'utm?by=source'],
];
const REPORTS = ['overview', 'timeseries', 'dropped', 'goals/report', 'retention', 'heatmap', ...LISTS];
const RANGES = ['period=24h', 'period=7d', 'period=30d', 'from=2026-08-26&to=2026-10-26'];
const FILTERS = [
  ...[
    'filter_privacy_tier=2',
    'filter_country=PT',
    'filter_page=!/demo/checkout',
    'filter_source=Google|Direct',
  ],
  ...['filter_goal=Bought', 'filter_browser=~Fire'],
];
const OTHERS = [
  ...['live', 'annotations', 'goals', 'timeseries?period=7d&interval=hour'],
  ...[
    'pages?period=90d&sort=pageviews',
    'journeys?end=/demo/checkout',
    'export?report=timeseries&period=90d',
  ],
  ...[
    'timeseries?period=30d&by=source&limit=3',
    'timeseries?period=30d&by=tier',
    'pages?period=30d&search=journal',
  ],
  ...[
    'overview?period=7d&compare=previous',
    'sources?period=7d&compare=previous',
    'utm?by=campaign&period=24h',
  ],
  'associations?page=/demo/checkout&period=7d',
  'reports?report=overview,timeseries,pages:3,sources&period=7d',
];
const OF_SITES = '/api/v1/sites/';
const IMPORTED = 'from=2026-03-28&to=2026-03-30';
/** Requests per person with an API key. The limit is 100 per minute, and the clock of the test doesn't advance. */
const ASKED_BY_ONE = 90;

/** Requests every report of every site, and every query of the backend's telemetry. */
export async function collectAnswers(service: Service, filled: Filled): Promise<Answers> {
  const { answers, ask, leave } = askInTurn(service, filled.userId);
  for (const siteId of filled.siteIds) {
    const base = `/api/v1/sites/${siteId}/analytics`;
    for (const range of [...RANGES, IMPORTED])
      for (const report of REPORTS)
        if (takes(report, range)) await ask(`${base}/${withQuery(report, range)}`);
    for (const other of OTHERS) await ask(`${base}/${other}`);
    const funnels = await ask<{ data: { id: string }[] }>(`${base}/funnels`);
    for (const { id } of funnels.data)
      for (const range of RANGES) await ask(`${base}/funnels/${id}/report?${range}`);
    const segments = await ask<{ data: { id: string }[] }>(`/api/v1/sites/${siteId}/segments`);
    for (const { id } of segments.data) await ask(`${base}/overview?period=30d&segment=${id}`);
  }
  const base = `/api/v1/sites/${filled.siteIds[1]}/analytics`;
  for (const filter of FILTERS)
    for (const report of REPORTS)
      if (takes(report, filter)) await ask(`${base}/${withQuery(report, `${RANGES[2]}&${filter}`)}`);
  await leave();
  await collectTelemetry(ask, filled);
  return answers;
}

/** Requests the same paths, in their order. */
export async function askAgain(service: Service, filled: Filled, paths: readonly string[]): Promise<Answers> {
  const { answers, ask, leave } = askInTurn(service, filled.userId);
  const first = paths.findIndex((path) => !path.startsWith(OF_SITES));
  for (const path of paths.slice(0, first)) await ask(path);
  await leave();
  for (const path of paths.slice(first)) await ask(path);
  return answers;
}

/** Requests of sites by API keys of several people, all others by the person's session. `leave` comes between them. */
function askInTurn(service: Service, userId: string) {
  const answers: Answers = {};
  const standIns = takeTurns(service.sql, userId);
  let cookie = '';
  const ask = async <T>(path: string): Promise<T> => {
    const isOfSite = path.startsWith(OF_SITES);
    if (!isOfSite) cookie ||= await signIn(service.sql, userId);
    const by = isOfSite ? await standIns.next() : { cookie };
    const answer = await service.ask<T>(by, 'GET', path);
    answers[path] = answer;
    return answer;
  };
  return { answers, ask, leave: standIns.leave };
}

const takes = (report: string, query: string): boolean =>
  !(
    (report === 'retention' && query === 'period=24h') ||
    (report === 'dropped' && query.startsWith('filter_')) ||
    (/^(engagement|vitals)/.test(report) && /filter_(?!page|privacy_tier)/.test(query))
  );

function withQuery(report: string, query: string): string {
  const asked = report.includes('?') ? `${report}&${query}` : `${report}?${query}`;
  return LISTS.includes(report) ? `${asked}&limit=8` : asked;
}

async function collectTelemetry(ask: <T>(path: string) => Promise<T>, filled: Filled): Promise<void> {
  const base = `/api/v1/telemetry/projects/${filled.projectId}/environments/${filled.environmentId}`;
  await ask(`/api/v1/projects/${filled.projectId}/members`);
  await ask(`/api/v1/projects/${filled.projectId}/environments`);
  for (const path of ['origins', 'retention', 'services?period=24h', 'service-map?period=24h'])
    await ask(`${base}/${path}`);
  for (const service of ['shop', 'warehouse', 'basket']) {
    await ask(`${base}/service-summary?service=${service}&period=24h&interval=1h`);
    await ask(`${base}/latency-histogram?service=${service}&period=24h`);
  }
  const { data: traces } = await ask<{ data: { traceId: string }[] }>(`${base}/traces?period=24h&limit=5`);
  await ask(`${base}/traces?status=error&limit=5&period=7d`);
  for (const { traceId } of traces) {
    await ask(`${base}/traces/${traceId}`);
    await ask(`${base}/traces/${traceId}/journey`);
  }
  await ask(`${base}/logs?severity=error&limit=5&period=7d`);
  await ask(`${base}/log-volume?period=24h`);
  await ask(`${base}/outcomes?period=7d&limit=5`);
  const { data: metrics } = await ask<{ data: { name: string; aggregations: string[] }[] }>(
    `${base}/metric-catalog?period=24h`,
  );
  for (const { name, aggregations } of metrics)
    for (const aggregation of aggregations)
      for (const period of ['1h', '24h'])
        await ask(
          `${base}/metrics?${new URLSearchParams({ name, aggregation, period, groupBy: 'service' })}`,
        );
  for (const { name } of metrics) await ask(`${base}/metric-exemplars?name=${name}&period=24h`);
}

/** A caller for each request: other members of the person's projects, one after the other, so that nobody exceeds the limit. */
function takeTurns(
  sql: Sql,
  userId: string,
): { next: () => Promise<Caller> /** Ends their memberships. */; leave: () => Promise<void> } {
  const emails: string[] = [];
  let asked = 0;
  let caller: Caller = {};
  return {
    next: async () => {
      if (asked % ASKED_BY_ONE === 0) {
        const email = `${crypto.randomUUID()}@example.com`;
        const token = newToken();
        await sql`
          with person as (
            insert into users (email, email_verified) values (${email}, true) returning id
          ), membership as (
            insert into project_members (project_id, user_id, role)
            select project_id, person.id, role from project_members, person where user_id = ${userId}
          )
          insert into api_tokens (user_id, name, hash)
          select id, 'answers', decode(${await hashToken(token)}, 'hex') from person`;
        emails.push(email);
        caller = { token };
      }
      asked += 1;
      return caller;
    },
    leave: async () => {
      await sql`delete from project_members using users where users.id = user_id and email = any(${emails})`;
    },
  };
}
