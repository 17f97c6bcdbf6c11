import * as v from 'valibot';
import type { Dimension } from '../../lib/analytics/dimensions.ts';
import { EXAMPLES } from '../../lib/analytics/dropped.ts';
import {
  DroppedItem,
  ListMeta,
  Live,
  Overview,
  PageItem,
  ReportMeta,
  TimeseriesPoint,
  ValueItem,
} from '../../lib/analytics/schemas.ts';
import type { RouteContract } from '../../lib/http/contract.ts';
import { annotationComponents, annotationRoutes } from './annotation-contract.ts';
import { behaviourComponents, behaviourRoutes } from './behaviour-contract.ts';
import { exportRoutes } from './export-contract.ts';
import { goalComponents, goalRoutes } from './goal-contract.ts';
import { VALUE_LISTS } from './lists.ts';
import { measureComponents, measureRoutes } from './measure-contract.ts';
import { privacyComponents, privacyRoutes } from './privacy-contract.ts';
import {
  DroppedQuery,
  LiveQuery,
  OverviewQuery,
  PagesQuery,
  TimeseriesQuery,
  UtmQuery,
  ValuesQuery,
} from './query.ts';
import { bad, limits, ok, ranges, report } from './report-contract.ts';
import { shareComponents, shareRoutes } from './share-contract.ts';

/** What a reader must know of a dimension beyond its name. */
const DESCRIPTIONS: Partial<Record<Dimension, string>> = {
  source: 'Sites by their names; visits without a referrer are `Direct`.',
  channel: 'Kinds of sources: search, social, e-mail, AI assistants and so on, paid apart from not.',
  country: 'ISO 3166-1 alpha-2, as the edge saw it.',
  region: 'ISO 3166-2. Tiers 2 and 3.',
  city: 'Tiers 2 and 3.',
  os: 'Tier 3 only.',
  language: 'Tags as browsers send them. Tiers 2 and 3.',
};
const describe = (dimension: Dimension) => {
  const description = DESCRIPTIONS[dimension];
  return description === undefined ? {} : { description };
};

const totals = { visitors: 312, visits: 402, pageviews: 1177 };
const values = (value: string) => ({
  query: ValuesQuery,
  data: v.array(ValueItem),
  sample: [{ value, ...totals }],
  isList: true,
});

/** What the OpenAPI document says of a site's reports. */
export const routes: RouteContract[] = [
  report(
    'overview',
    {
      summary: 'Totals of a range, and how they changed',
      query: OverviewQuery,
      data: Overview,
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
    },
    ranges,
  ),
  report(
    'timeseries',
    {
      summary: 'A range in hours, days, weeks or months',
      description:
        'Every bucket of the range is there, those to come too. Visitors are told apart in a bucket.',
      query: TimeseriesQuery,
      data: v.array(TimeseriesPoint),
      sample: [{ time: '2026-10-22T23:00:00.000Z', ...totals }],
    },
    [
      ...ranges,
      ok('By ISO week', { period: '90d', interval: 'week' }),
      bad('By hour for three months', { period: '90d', interval: 'hour' }),
    ],
  ),
  report(
    'pages',
    {
      summary: 'Top pages',
      query: PagesQuery,
      data: v.array(PageItem),
      sample: [{ path: '/', ...totals, reach: 430 }],
      isList: true,
    },
    [...ranges, ...limits, ok('By page views', { period: '7d', sort: 'pageviews' })],
  ),
  ...(['entry', 'exit'] as const).map((edge) =>
    report(
      `${edge}-pages`,
      {
        summary: `Pages on which visits ${edge === 'entry' ? 'began' : 'ended'}`,
        ...(edge === 'exit' && {
          description: 'Of visits at tiers 2 and 3: where others ended is not known.',
        }),
        query: ValuesQuery,
        data: v.array(PageItem),
        sample: [{ path: '/', ...totals, reach: 430 }],
        isList: true,
      },
      [...ranges, ...limits],
    ),
  ),
  ...VALUE_LISTS.map(({ path, dimension, summary, sample }) =>
    report(path, { summary, ...describe(dimension), ...values(sample) }, [...ranges, ...limits]),
  ),
  report(
    'utm',
    {
      summary: 'Campaigns',
      description: 'Values of a campaign parameter. Visits without it are not listed.',
      ...values('spring'),
      query: UtmQuery,
      needs: { by: 'campaign' },
    },
    [ok('By medium', { by: 'medium', period: '7d' }), bad('By nothing', { period: '7d' })],
  ),
  report(
    'dropped',
    {
      summary: 'What was refused, by reason and day',
      description: 'Nothing is kept of who sent it. The numbers are of whole days, of all tiers.',
      query: DroppedQuery,
      data: v.array(DroppedItem),
      sample: [
        {
          reason: 'bot',
          events: 1204,
          example: EXAMPLES.bot,
          days: [{ time: '2026-11-20T00:00:00.000Z', events: 1204 }],
        },
      ],
    },
    [ok('The last 7 days', { period: '7d' }), bad('A filter', { period: '7d', filter_country: 'PT' })],
  ),
  report(
    'live',
    {
      summary: 'Activity of the last 5 minutes',
      query: LiveQuery,
      data: Live,
      sample: {
        visitors: 4,
        anonymousPageviews: 1,
        count: 4,
        pages: [{ path: '/pricing', visitors: 3 }],
      },
    },
    [
      ok('Only anonymous counts', { filter_privacy_tier: '1' }),
      bad('A tier that does not exist', { filter_privacy_tier: '0' }),
    ],
  ),
  ...measureRoutes,
  ...behaviourRoutes,
  ...annotationRoutes,
  ...goalRoutes,
  ...shareRoutes,
  ...exportRoutes,
  ...privacyRoutes,
];

export const components = {
  Overview,
  TimeseriesPoint,
  PageItem,
  ValueItem,
  Live,
  ReportMeta,
  ListMeta,
  ...measureComponents,
  ...behaviourComponents,
  ...annotationComponents,
  ...goalComponents,
  ...shareComponents,
  ...privacyComponents,
};
