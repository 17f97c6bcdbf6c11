import type { Tier } from '../../lib/analytics/answers/schemas.ts';
import { EXAMPLES } from '../../lib/analytics/lists/dropped.ts';
import { reportNamed } from '../../lib/analytics/reports.ts';
import { type Examples, NOBODYS, type RouteExample, SAMPLE, unknownSite } from '../../lib/http/examples.ts';
import { VALUE_LISTS } from '../../lib/visits/dimensions.ts';
import { REPORT_OF, type reportRoutes } from './report-contract.ts';
import { sampleMeta } from './sample-meta.ts';

const ok = (summary: string, query: Record<string, string>): RouteExample => ({
  summary,
  status: 200,
  query,
});
const bad = (summary: string, query: Record<string, string>): RouteExample => ({
  summary,
  status: 400,
  query,
});

const ranges = [
  ok('The last 7 days', { period: '7d' }),
  ok('Two months, by date', { from: '2026-09-01', to: '2026-10-31' }),
  ok('Only consented analytics', { period: '24h', filter_privacy_tier: '3' }),
  ok('From two countries, not by a search', { filter_country: 'PT|ES', filter_source: '!Google|Bing' }),
  ok('Visits that saw the blog', { period: '7d', filter_page: '~/blog/' }),
  ok('Visits with an event that has the property plan', { period: '7d', filter_prop_plan: 'pro|team' }),
  bad('An empty filter', { period: '7d', filter_source: '' }),
  bad('A tier that does not exist', { period: '7d', filter_privacy_tier: '4' }),
  bad('Half a range', { from: '2026-09-01' }),
];
const compared = [
  ok('Beside the week before', { period: '7d', compare: 'previous' }),
  ok('Beside the year before', { period: '30d', compare: 'year', filter_country: 'PT' }),
  ok('Beside other dates', { from: '2026-11-01', to: '2026-11-07', compare: '2026-10-01..2026-10-07' }),
  bad('Beside nothing that there is', { compare: 'tomorrow' }),
  bad('Beside dates in the wrong order', { compare: '2026-10-07..2026-10-01' }),
];
const limits = [
  ok('The first 100', { period: '90d', limit: '100' }),
  bad('More than 100', { period: '90d', limit: '101' }),
];
const lists = [...ranges, ...limits];
const searched = [
  ok('Rows with a part of a name', { period: '7d', search: 'O', limit: '100' }),
  bad('A search for nothing', { search: '' }),
];
const comparable = [...lists, ...compared, ...searched];
const sorted = [
  ok('By page views', { period: '7d', sort: 'pageviews' }),
  bad('By what rows don’t have', { sort: 'bounces' }),
];
const converted = [
  ok('With the conversions of a goal', { period: '7d', goal: 'Signed up', sort: 'conversions' }),
  bad('By conversions without a goal', { period: '7d', sort: 'conversions' }),
];
const panels = [...comparable, ...sorted, ...converted];
const measures = [
  ok('The last 7 days', { period: '7d' }),
  ok('Two months, by date', { from: '2026-09-01', to: '2026-10-31' }),
  ok('Only consented analytics, which is all there is', { period: '24h', filter_privacy_tier: '3' }),
  ok('Of the blog', { period: '7d', filter_page: '~/blog/' }),
  bad('By country, which sums by page don’t know', { period: '7d', filter_country: 'PT' }),
  bad('A tier that does not exist', { period: '7d', filter_privacy_tier: '4' }),
  bad('Half a range', { from: '2026-09-01' }),
  ...limits,
  ...searched,
];
const reached = [
  ok('The last 7 days', { period: '7d' }),
  ok('Of visits from Portugal', { filter_country: 'PT' }),
  ok('Of visits that reached a goal', { filter_goal: 'Signed up' }),
  ok('Of visits with an event whose property plan is not free', { filter_prop_plan: '!free' }),
  bad('A list’s parameter', { limit: '10' }),
];

interface Sampled {
  /** An answer's `data`. */
  sample: unknown;
  examples: RouteExample[];
  /** Required parameters. */
  needs?: Record<string, string>;
  /** Parameters of the path beside the site. */
  params?: Record<string, string>;
  /** The tiers that the report covers, if not all. */
  tiers?: Tier[];
  meta?: object;
}

const totals = { visitors: 312, visits: 402, pageviews: 1177 };
const page = [{ path: '/', ...totals, reach: 430 }];
const measured = { coverage: { ...sampleMeta.coverage, measured: 341 } };

const SAMPLED: Readonly<Record<string, Sampled>> = {
  overview: {
    sample: {
      ...totals,
      bounceRate: 41.3,
      avgDuration: 96.4,
      visitorsChange: 12.5,
      visitsChange: 8.1,
      pageviewsChange: -3.9,
      tiers: {
        visits: { anonymousCounts: 61, anonymousSessions: 0, consented: 341 },
        pageviews: { anonymousCounts: 118, anonymousSessions: 0, consented: 1059 },
        visitors: { anonymousSessions: 0, consented: 312 },
      },
    },
    examples: [...ranges, ...compared],
    meta: measured,
  },
  timeseries: {
    meta: measured,
    sample: [{ time: '2026-10-22T23:00:00.000Z', ...totals, bounceRate: 41.3, avgDuration: 96.4 }],
    examples: [
      ...ranges,
      ...compared,
      {
        ...ok('Each day by its three first sources', { period: '7d', by: 'source', limit: '3' }),
        response: {
          data: [
            {
              time: '2026-11-15T23:00:00.000Z',
              ...totals,
              bounceRate: 41.3,
              avgDuration: 96.4,
              parts: [
                { value: 'Google', visitors: 120, visits: 151, pageviews: 402 },
                { value: 'Direct', visitors: 97, visits: 130, pageviews: 391 },
                { value: 'newsletter', visitors: 41, visits: 60, pageviews: 211 },
                { value: '(other)', visitors: 58, visits: 61, pageviews: 173 },
              ],
            },
          ],
          meta: sampleMeta,
        },
      },
      ok('By privacy tier, beside the week before', { period: '7d', by: 'tier', compare: 'previous' }),
      ok('By entry page and hour, of visits from Portugal', {
        period: '24h',
        by: 'entry_page',
        filter_country: 'PT',
      }),
      bad('By what a visit has several of', { period: '7d', by: 'page' }),
      bad('By more values than are shown', { period: '7d', by: 'source', limit: '11' }),
      bad('A number of values without a dimension', { period: '7d', limit: '3' }),
      bad('Beside three months by hour', { period: '24h', compare: '2026-07-01..2026-09-30' }),
      ok('By ISO week', { period: '90d', interval: 'week' }),
      bad('By hour for three months', { period: '90d', interval: 'hour' }),
    ],
  },
  heatmap: { sample: [{ weekday: 1, hour: 9, visits: 31, hours: 4 }], examples: ranges },
  pages: {
    sample: page,
    examples: panels,
  },
  'entry-pages': { sample: page, examples: panels },
  'exit-pages': { sample: page, examples: panels },
  ...Object.fromEntries(
    VALUE_LISTS.map(({ path, sample }) => [
      path,
      { sample: [{ value: sample, ...totals }], examples: panels },
    ]),
  ),
  'visit-quality': {
    sample: [
      { value: '/pricing', visits: 402, pageviews: 1177, measured: 341, bounceRate: 41.3, avgDuration: 96.4 },
    ],
    needs: { by: 'entry_page' },
    examples: [
      ok('The entry pages that keep the fewest', { by: 'entry_page', sort: 'bounceRate', minVisits: '50' }),
      ok('The sources whose visits last longest', {
        by: 'source',
        period: '7d',
        sort: 'avgDuration',
        minVisits: '10',
      }),
      ok('Of phones, by each page that they saw', { by: 'page', filter_device: 'mobile' }),
      ok('Rows with a part of a name', { by: 'entry_page', search: 'blog' }),
      bad('By nothing', { period: '7d' }),
      bad('By what visits don’t have', { by: 'title' }),
      bad('Beside the week before', { by: 'source', compare: 'previous' }),
      bad('Rows of no visit', { by: 'source', minVisits: '0' }),
    ],
  },
  utm: {
    sample: [{ value: 'spring', ...totals }],
    needs: { by: 'campaign' },
    examples: [
      ok('By medium', { by: 'medium', period: '7d' }),
      ok('Beside the week before', { by: 'campaign', period: '7d', compare: 'previous' }),
      ok('By visitors', { by: 'campaign', period: '7d', sort: 'visitors' }),
      bad('By nothing', { period: '7d' }),
    ],
  },
  dropped: {
    sample: [
      {
        reason: 'bot',
        events: 1204,
        example: EXAMPLES.bot,
        days: [{ time: '2026-11-20T00:00:00.000Z', events: 1204 }],
      },
    ],
    examples: [
      ok('The last 7 days', { period: '7d' }),
      bad('A filter', { period: '7d', filter_country: 'PT' }),
    ],
  },
  live: {
    sample: { visitors: 4, anonymousPageviews: 1, count: 4, pages: [{ path: '/pricing', visitors: 3 }] },
    examples: [
      ok('Only anonymous counts', { filter_privacy_tier: '1' }),
      bad('A tier that does not exist', { filter_privacy_tier: '0' }),
    ],
  },
  engagement: {
    sample: [
      {
        path: '/pricing',
        measured: 204,
        seconds: 41.7,
        scrollDepth: 68.4,
        scrolled25: 201,
        scrolled50: 160,
        scrolled75: 88,
        scrolled100: 37,
      },
    ],
    tiers: [3],
    examples: measures,
  },
  vitals: {
    sample: [
      {
        ...{ path: '/pricing', measured: 131, lcp: 2893.2, inp: 88.4, cls: 0.0131, fcp: 1104.6, ttfb: 312.5 },
        shares: {
          lcp: { good: 68.7, needsImprovement: 22.1, poor: 9.2 },
          inp: { good: 91.8, needsImprovement: 6.6, poor: 1.6 },
          cls: { good: 95.4, needsImprovement: 3.1, poor: 1.5 },
          fcp: { good: 88.5, needsImprovement: 7.6, poor: 3.8 },
          ttfb: { good: 93.9, needsImprovement: 4.6, poor: 1.5 },
        },
      },
    ],
    tiers: [3],
    meta: { approximate: { relativeError: 0.01 } },
    examples: [
      ...comparable,
      ok('The slowest pages of phones', { filter_device: 'mobile', sort: 'lcp', minMeasured: '20' }),
      ok('By device', { by: 'device', period: '7d' }),
      ok('By country, of one page', { by: 'country', filter_page: '/pricing', sort: 'inp' }),
      ok('Of the whole site', { by: 'site', period: '90d' }),
      bad('By what loads don’t have', { by: 'title' }),
      bad('Sorted by what rows don’t have', { sort: 'visits' }),
      bad('Rows of no load', { minMeasured: '0' }),
    ],
  },
  events: {
    sample: [
      {
        name: 'purchase',
        visitors: 28,
        visits: 31,
        events: 33,
        revenue: [{ currency: 'EUR', amount: '1240.50' }],
      },
    ],
    examples: comparable,
  },
  'page-props': {
    sample: [{ key: 'author', value: null, visitors: 28, visits: 31, pageviews: 33 }],
    examples: [
      ...comparable,
      ok('Values of a key', { key: 'author', period: '7d' }),
      bad('An empty key', { key: '' }),
    ],
  },
  'event-props': {
    sample: [{ key: 'plan', value: null, visitors: 28, visits: 31, events: 33 }],
    params: { name: 'purchase' },
    examples: [
      ...comparable,
      { ...ok('Values of a key', { key: 'plan', period: '7d' }), params: { name: 'Signed up/€' } },
      bad('An empty key', { key: '' }),
      { summary: 'A name that no event can have', status: 400, params: { name: 'x'.repeat(65) } },
    ],
  },
  journeys: {
    sample: [{ pages: ['/', '/pricing', '/signup'], visitors: 40, visits: 41, journeys: 44 }],
    tiers: [2, 3],
    examples: [
      ...lists,
      ok('From the prices on', { start: '/pricing', period: '7d' }),
      ok('What led to the signup', { end: '/signup', limit: '100' }),
      ok('Between the two', { start: '/pricing', end: '/signup' }),
      bad('From no page', { start: '' }),
    ],
  },
  retention: {
    sample: [
      { week: '2026-11-08T23:00:00.000Z', visitors: 120, returned: [31], cameBack: 31 },
      { week: '2026-11-15T23:00:00.000Z', visitors: 97, returned: [], cameBack: 0 },
    ],
    tiers: [3],
    examples: [
      ...lists,
      ok('13 weeks', { from: '2026-08-24', to: '2026-11-22' }),
      bad('A day more', { from: '2026-08-24', to: '2026-11-23' }),
    ],
  },
  associations: {
    sample: [
      {
        environmentId: SAMPLE.environmentId,
        environment: 'production',
        origin: 'https://api.example.com',
        service: 'shop',
        operation: 'POST /orders',
        requests: 41,
        failed: 2,
        p50Ms: 38.4,
        p95Ms: 212.7,
        bothSides: 40,
        responseContext: 1,
        traceparentSent: 0,
        notConfirmed: 0,
        slowestTraceId: '5b8efff798038103d269b633813fc60c',
        failedTraceId: 'eee19b7ec3c1b174dc5b6d1e2f3a4b5c',
        failedTraceIds: ['eee19b7ec3c1b174dc5b6d1e2f3a4b5c', '0af7651916cd43dd8448eb211c80319c'],
      },
    ],
    tiers: [3],
    needs: { page: '/checkout' },
    examples: [
      ok('The last 7 days', { page: '/checkout', period: '7d' }),
      ok('Of visits from Portugal', { page: '/checkout', period: '7d', filter_country: 'PT' }),
      bad('Of no page', { period: '7d' }),
    ],
  },
  goals: {
    sample: [
      {
        id: SAMPLE.goalId,
        name: 'Signed up',
        event: 'signup',
        exact: { conversions: 25, visits: 312, conversionRate: 8 },
        apart: { anonymousCounts: 5, continuations: 1, serverEvents: 0 },
        conversions: 31,
        conversionRate: 7.7,
        events: 33,
        visitors: 28,
        revenue: [{ currency: 'EUR', amount: '1240.50' }],
      },
    ],
    meta: { approximate: ['anonymousCounts'] },
    examples: reached,
  },
  funnels: {
    sample: {
      id: SAMPLE.funnelId,
      name: 'From prices to an account',
      steps: [
        { page: '/pricing', visits: 120, share: 100, dropOff: 0 },
        { page: '/signup/**', visits: 48, share: 40, dropOff: 60 },
        { event: 'signup', visits: 31, share: 25.8, dropOff: 35.4 },
      ],
    },
    meta: { approximate: [] },
    examples: [...reached, { summary: 'Nobody’s funnel', status: 404, params: { funnelId: NOBODYS } }],
  },
};

function examplesOf(name: string): RouteExample[] {
  const sampled = SAMPLED[name];
  if (sampled === undefined)
    throw new Error(`functions/analytics/report-examples.ts has no example of ${name}.`);
  const { sample, examples, needs, params = {}, tiers, meta } = sampled;
  const scope = tiers === undefined ? sampleMeta.scope : { ...sampleMeta.scope, tiers };
  const paging = reportNamed(name).isList ? { nextCursor: null } : {};
  return [
    {
      summary: 'As it comes',
      status: 200,
      ...(needs !== undefined && { query: needs }),
      response: { data: sample, meta: { ...sampleMeta, scope, ...meta, ...paging } },
    },
    ...examples,
    bad('A parameter that does not exist', { offset: '2' }),
    { ...unknownSite, ...(needs !== undefined && { query: needs }) },
  ].map((example) => ({ ...example, params: { ...params, ...example.params } }));
}

export const reportExamples: Examples<typeof reportRoutes> = Object.fromEntries(
  [...REPORT_OF].map(([operationId, name]) => [operationId, examplesOf(name)]),
);
