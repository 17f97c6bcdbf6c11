import * as v from 'valibot';
import { VALUE_LISTS } from '../../lib/analytics/dimensions.ts';
import { ReachMeta } from '../../lib/analytics/goal-schemas.ts';
import { VitalsMeta } from '../../lib/analytics/measure-schemas.ts';
import { REPORTS, reportNamed } from '../../lib/analytics/reports.ts';
import { ListMeta, ReportMeta } from '../../lib/analytics/schemas.ts';
import type { Contracts, RouteContract } from '../../lib/http/contract.ts';
import { QUERIES } from './limits.ts';

const BY_PAGE_ALONE = 'It can be filtered by page alone. Others are refused.';

interface Told extends Pick<RouteContract, 'summary' | 'description'> {
  /** Below `.../analytics/`. Default: the report's name. */
  path?: string;
  operationId?: string;
  tag?: string;
  /** Where `meta` says more than that of others. */
  meta?: v.GenericSchema;
}

/** What the document says of each report. */
const TOLD: Readonly<Record<string, Told>> = {
  overview: { summary: 'Totals of a range, and how they changed' },
  timeseries: {
    summary: 'A range in hours, days, weeks or months',
    description:
      'Every bucket of the range is there, those to come too. Visitors are told apart in a bucket.',
  },
  pages: { summary: 'Top pages' },
  'entry-pages': { summary: 'Pages on which visits began' },
  'exit-pages': {
    summary: 'Pages on which visits ended',
    description: 'Of visits at tiers 2 and 3: where others ended is not known.',
  },
  ...Object.fromEntries(
    VALUE_LISTS.map(({ path, summary, description }) => [
      path,
      { summary, ...(description !== undefined && { description }) },
    ]),
  ),
  utm: {
    summary: 'Campaigns',
    description: 'Values of a campaign parameter. Visits without it are not listed.',
  },
  dropped: {
    summary: 'What was refused, by reason and day',
    description: 'Nothing is kept of who sent it. The numbers are of whole days, of all tiers.',
  },
  live: { summary: 'Activity of the last 5 minutes' },
  engagement: {
    summary: 'How long and how far down pages were looked at',
    description: `Of consented page views (tier 3), by how many were measured; each counts when it happened. ${BY_PAGE_ALONE}`,
  },
  vitals: {
    summary: 'How fast pages were',
    description: `The 75th percentile of each web vital, of consented loads (tier 3), by how many there were. ${BY_PAGE_ALONE}`,
    meta: v.object({ ...ListMeta.entries, ...VitalsMeta.entries }),
  },
  events: {
    summary: 'Custom events, and what they brought',
    description: 'By how often they happened in the range. Filters choose visits, with all of their events.',
  },
  'event-props': {
    path: 'events/:name/props',
    summary: 'Properties of a custom event',
    description:
      'Its keys, or with `key` the values of that one. An event that never happened is like one without properties. Not shown ' +
      'by shares.',
  },
  journeys: {
    summary: 'Paths that visits took',
    description:
      'Up to 5 pages of each visit at tiers 2 and 3 that began in the range, the first ones unless `end` comes alone. A ' +
      'consented journey may start on the page where consent was given: nothing joins it to what came before. Filters ' +
      'choose visits, with all of their pages.',
  },
  retention: {
    summary: 'Who came back, by the week of the first visit',
    description:
      'Of consented visitors (tier 3): others can’t be known again the next day. ISO weeks in the site’s zone, all that the ' +
      'range touches and that have begun, oldest first. Filters are about the first visit.',
  },
  goals: {
    path: 'goals/report',
    operationId: 'getGoalsReport',
    tag: 'Goals',
    summary: 'How many visits reached each goal',
    description:
      'All goals, those reached by most visits first. Everything is counted among the visits that began in the range. ' +
      '`meta.approximate` says whether the rates are exact.',
    meta: ReachMeta,
  },
  funnels: {
    path: 'funnels/:funnelId/report',
    operationId: 'getFunnelReport',
    tag: 'Funnels',
    summary: 'How far visits came in a funnel',
    description:
      'Of visits at tiers 2 and 3 that began in the range. Steps are taken in order within one visit, with anything in ' +
      'between; one page view or event may be several steps at once. A visitor who consents on the way goes on as another visit.',
    meta: ReachMeta,
  },
};

/** `entry-pages` is asked by `getEntryPages`. */
const operationIdOf = (name: string): string =>
  TOLD[name]?.operationId ??
  `get${name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;

/** The report that an operation answers. */
export const REPORT_OF = new Map(Object.keys(REPORTS).map((name) => [operationIdOf(name), name]));

function contractOf(name: string): RouteContract {
  const { input, data, isList } = reportNamed(name);
  const { summary = name, description, path = name, tag = 'Analytics', meta } = TOLD[name] ?? {};
  return {
    method: 'GET',
    path: `/api/v1/sites/:siteId/analytics/${path}`,
    tag,
    summary,
    ...(description !== undefined && { description }),
    auth: 'member',
    input,
    limit: QUERIES,
    responses: {
      200: {
        description: 'The report.',
        schema: v.object({ data, meta: meta ?? (isList ? ListMeta : ReportMeta) }),
      },
    },
    errors: isList ? ['NOT_FOUND', 'CONFLICT'] : ['NOT_FOUND'],
  };
}

/** A site's reports, one route each. */
export const reportRoutes: Contracts & { readonly [id: string]: { auth: 'member' } } = Object.fromEntries(
  [...REPORT_OF].map(([operationId, name]) => [
    operationId,
    { ...contractOf(name), auth: 'member' as const },
  ]),
);
