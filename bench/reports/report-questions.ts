import { answerReports } from '../../lib/analytics/answer-reports.ts';
import { reportFunnel } from '../../lib/analytics/behaviour/funnel.ts';
import { reportGoals } from '../../lib/analytics/behaviour/goals.ts';
import { reportJourneys } from '../../lib/analytics/behaviour/journeys.ts';
import { reportRetention } from '../../lib/analytics/behaviour/retention.ts';
import { reportCustomEvents } from '../../lib/analytics/lists/custom-events.ts';
import { reportDropped } from '../../lib/analytics/lists/dropped.ts';
import { reportEdgePages } from '../../lib/analytics/lists/edge-pages.ts';
import { reportEventProps } from '../../lib/analytics/lists/event-props.ts';
import { reportPages } from '../../lib/analytics/lists/pages.ts';
import { reportVisitValues } from '../../lib/analytics/lists/visit-values.ts';
import { reportEngagement } from '../../lib/analytics/measures/engagement.ts';
import { reportVitals } from '../../lib/analytics/measures/vitals.ts';
import type { Filter, FilterDimension } from '../../lib/analytics/reading/filters.ts';
import { reportLive } from '../../lib/analytics/series/live.ts';
import { reportOverview } from '../../lib/analytics/series/overview.ts';
import { reportTimeseries } from '../../lib/analytics/series/timeseries.ts';
import type { AuditedContext } from '../../lib/audit.ts';
import { resealTargets } from '../../lib/collection/seal-visits.ts';
import { createCursors } from '../../lib/cursor.ts';
import type { Sql } from '../../lib/db.ts';
import { createFunnel } from '../../lib/goals/funnel-definitions.ts';
import { createGoal } from '../../lib/goals/goal-definitions.ts';
import type { Dimension } from '../../lib/visits/dimensions.ts';
import type { FilledSite } from './fill-report-site.ts';

/** A report over 90 days, as a user requests it. */
export interface Question {
  name: string;
  ask(): Promise<{ data: unknown }>;
}

const GOALS = [
  { name: 'Signed up', event: 'signup' },
  { name: 'Bought', event: 'purchase' },
  { name: 'Read the first article', page: '/articles/1' },
  { name: 'Read the second article', page: '/articles/2' },
  { name: 'Read anything', page: '/articles/*' },
];
/** A page of the dashboard asks for twelve reports by one request. */
const TWELVE = ['overview', 'timeseries', 'pages', 'entry-pages', 'exit-pages'].concat([
  'sources',
  'channels',
  'countries',
  'regions',
  'devices',
  'browsers',
  'operating-systems',
]);
const OWN_INPUT: Record<string, object> = {
  overview: {},
  timeseries: { interval: 'day' },
  pages: { sort: 'reach', limit: 10 },
};
export const is = (dimension: FilterDimension, value: string): Filter => ({
  dimension,
  operator: 'is',
  values: [value],
});
const STEPS = [{ page: '/articles/1' }, { page: '/articles/*' }, { event: 'signup' }];

type ReportSite = Pick<FilledSite, 'siteId' | 'userId' | 'now'>;

/** Of the person who may see the site. */
export const contextOf = (sql: Sql, { userId, now }: ReportSite): AuditedContext => ({
  ...{ sql, now: () => now, actor: { kind: 'session', sessionId: '', userId } },
  ...{ requestId: '', tool: 'bench', inputHash: null },
});

/** Creates the goals and the funnel that two reports need, instead of what an interrupted call created. Returns the funnel's id. */
export async function defineTargets(sql: Sql, site: ReportSite): Promise<string> {
  const { siteId } = site;
  const ctx = contextOf(sql, site);
  await sql`delete from site_goals where site_id = ${siteId}`;
  await sql`delete from site_funnels where site_id = ${siteId}`;
  for (const goal of GOALS) await createGoal(ctx, { siteId, ...goal });
  return (await createFunnel(ctx, { siteId, name: 'To sign up', steps: STEPS })).id;
}

/** What a page of the dashboard asks. */
export function twelveReports(sql: Sql, site: ReportSite, filters: readonly Filter[]): Question {
  const ctx = { ...contextOf(sql, site), cursors: createCursors('c'.repeat(32)) };
  const common = {
    siteId: site.siteId,
    range: { period: '90d' as const },
    filters: [...filters],
    tier: undefined,
  };
  const reports = TWELVE.map((report) => ({
    ...{ name: report, report },
    input: { ...common, ...(OWN_INPUT[report] ?? { limit: 10 }) },
  }));
  return {
    name: ['twelve reports', ...filters.map(({ values: [value] }) => value)].join(', '),
    ask: () => answerReports(ctx, { common, reports }),
  };
}

/** Every report of the service for a site. Creates the goals and the funnel that two reports need. */
export async function questionsOn(sql: Sql, site: FilledSite): Promise<Question[]> {
  const { siteId } = site;
  const ctx = contextOf(sql, site);
  const funnelId = await defineTargets(sql, site);
  await resealTargets({ sql, now: Date.now }, { siteId, timeMs: 600_000 });

  const inGermany = is('country', 'DE');
  const input = { siteId, range: { period: '90d' as const } };
  const list = { ...input, limit: 10 };
  const twelve = (...filters: Filter[]) => twelveReports(sql, site, filters);
  const values = (dimension: Dimension) => () => reportVisitValues(ctx, { ...list, dimension });
  return [
    { name: 'overview', ask: () => reportOverview(ctx, input) },
    { name: 'timeseries', ask: () => reportTimeseries(ctx, { ...input, interval: 'day' }) },
    {
      name: 'timeseries?by=source',
      ask: () => reportTimeseries(ctx, { ...input, interval: 'day', stack: { by: 'source', limit: 5 } }),
    },
    { name: 'pages', ask: () => reportPages(ctx, { ...list, sort: 'reach' }) },
    { name: 'entry-pages', ask: () => reportEdgePages(ctx, { ...list, edge: 'entry' }) },
    { name: 'exit-pages', ask: () => reportEdgePages(ctx, { ...list, edge: 'exit' }) },
    { name: 'sources', ask: values('source') },
    { name: 'channels', ask: values('channel') },
    { name: 'utm?by=campaign', ask: values('utm_campaign') },
    { name: 'countries', ask: values('country') },
    { name: 'regions', ask: values('region') },
    { name: 'cities', ask: values('city') },
    { name: 'devices', ask: values('device') },
    { name: 'browsers', ask: values('browser') },
    { name: 'operating-systems', ask: values('os') },
    { name: 'languages', ask: values('language') },
    { name: 'hostnames', ask: values('hostname') },
    { name: 'live', ask: () => reportLive(ctx, { siteId }) },
    { name: 'dropped', ask: () => reportDropped(ctx, input) },
    { name: 'goals/report', ask: () => reportGoals(ctx, input) },
    { name: 'funnels/:id/report', ask: () => reportFunnel(ctx, { ...input, funnelId }) },
    { name: 'journeys', ask: () => reportJourneys(ctx, list) },
    { name: 'events', ask: () => reportCustomEvents(ctx, list) },
    { name: 'events/:name/props', ask: () => reportEventProps(ctx, { ...list, name: 'purchase' }) },
    { name: 'retention', ask: () => reportRetention(ctx, { ...list, limit: 100 }) },
    { name: 'engagement', ask: () => reportEngagement(ctx, list) },
    { name: 'vitals', ask: () => reportVitals(ctx, list) },
    {
      name: 'overview, one country',
      ask: () => reportOverview(ctx, { ...input, filters: [inGermany] }),
    },
    {
      name: 'pages, one country',
      ask: () => reportPages(ctx, { ...list, sort: 'reach', filters: [inGermany] }),
    },
    twelve(),
    twelve(inGermany),
    twelve(is('city', 'JP city 11')),
    twelve(is('source', 'Google')),
    twelve(is('page', '/articles/1')),
    twelve(is('device', 'desktop')),
    twelve(inGermany, is('device', 'desktop')),
  ];
}
