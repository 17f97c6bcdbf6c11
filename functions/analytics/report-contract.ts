import * as v from 'valibot';
import { AssociationsMeta } from '../../lib/analytics/answers/association-schemas.ts';
import { ReachMeta } from '../../lib/analytics/answers/goal-schemas.ts';
import { VitalsMeta } from '../../lib/analytics/answers/measure-schemas.ts';
import { ListMeta, ReportMeta } from '../../lib/analytics/answers/schemas.ts';
import { AnyReport } from '../../lib/analytics/reading/report-inputs.ts';
import { REPORTS, reportNamed } from '../../lib/analytics/reports.ts';
import type { Contracts, RouteContract } from '../../lib/http/contract.ts';
import { VALUE_LISTS } from '../../lib/visits/dimensions.ts';
import { QUERIES } from './limits.ts';

const BY_PAGE_ALONE =
  'Only the filter `page` is allowed; it chooses pages here, because these sums know no visit.';

const OF_LOADS =
  'The 75th percentile (p75) of each web vital over consented page loads (tier 3), and how many loads were good, need improvement or were poor ' +
  'by the bounds of web.dev. `filter_page` chooses pages here, other filters choose visits. By page and by site without other filters than `page` ' +
  'it is read from sums, and covers all loads; otherwise from visits, which know their loads since `meta.coverage.vitalsFrom`. ' +
  'Tiers 1 and 2 measure no vitals.';

const BY_PROPERTY =
  'Besides the parameters below, `filter_prop_<key>` chooses visits by a property of their page views and custom events, written like the other filters.';

type AnyMeta = v.ObjectSchema<v.ObjectEntries, undefined>;

interface ReportTexts extends Pick<RouteContract, 'summary' | 'description'> {
  /** The path below `.../analytics/`. Default: the report's name. */
  path?: string;
  operationId?: string;
  tag?: string;
  /** The schema of `meta`, if it has more fields than usual. */
  meta?: AnyMeta;
}

/** Texts of the OpenAPI document for each report. */
const TEXTS: Readonly<Record<string, ReportTexts>> = {
  overview: { summary: 'Totals of a range, and their change' },
  timeseries: {
    summary: 'A range in hours, days, weeks or months',
    description:
      'Has every bucket of the range, future ones too. Visitors are distinct within a bucket. With `by`, each point has its parts by a ' +
      'dimension: their visits add up to those of the point where each of its visits has a value.',
  },
  heatmap: {
    summary: 'Visits by weekday and hour',
    description:
      'Has all 168 hours of a week in the site’s zone, from Monday on. A visit counts when it began. Imported days are not in it.',
  },
  pages: { summary: 'Top pages' },
  'entry-pages': { summary: 'Pages on which visits began' },
  'exit-pages': {
    summary: 'Pages on which visits ended',
    description: 'Covers visits at tiers 2 and 3: other visits have no known end.',
  },
  ...Object.fromEntries(
    VALUE_LISTS.map(({ path, summary, description }) => [
      path,
      { summary, ...(description !== undefined && { description }) },
    ]),
  ),
  'visit-quality': {
    summary: 'How many visits bounce, and how long they last, by value or page',
    description:
      'Bounce rate and duration are of consented visits (tier 3). The visits of a range that began in it, grouped by `by`; with `page` a visit is in the ' +
      'row of each page that it saw. Imported days are not in it. Shares don’t show this report.',
  },
  utm: {
    summary: 'Campaigns',
    description: 'Values of a campaign parameter. Visits without the parameter are not listed.',
  },
  dropped: {
    summary: 'Refused events, by reason and day',
    description:
      'Nothing is stored about the senders. The numbers cover whole days and all tiers. Events counted under `properties` weren’t ' +
      'refused: they were counted without their properties, which were too many.',
  },
  live: { summary: 'Activity of the last 5 minutes' },
  engagement: {
    summary: 'How long pages had attention, and how far they were scrolled',
    description:
      'Covers consented page views (tier 3), most measured pages first. Each measurement counts at its own time. ' +
      BY_PAGE_ALONE,
  },
  vitals: {
    summary: 'Web vitals by page, device, country and so on',
    description: OF_LOADS,
    meta: v.object({ ...ListMeta.entries, ...VitalsMeta.entries }),
  },
  events: {
    summary: 'Custom events and their revenue',
    description: 'Most frequent events first.',
  },
  'page-props': {
    summary: 'Properties of page views',
    description:
      'The keys of page views’ properties, or with `key` the values of one key. Shares don’t show this report.',
  },
  'event-props': {
    path: 'events/:name/props',
    summary: 'Properties of a custom event',
    description:
      'The keys of an event’s properties, or with `key` the values of one key. An event that never happened looks like an ' +
      'event without properties. Shares don’t show this report.',
  },
  journeys: {
    summary: 'Journeys of visits',
    description:
      'Up to 5 pages of each visit at tiers 2 and 3 that began in the range: the first pages, the pages from `start` on, or, ' +
      'with `end` alone, the last pages up to `end`. A consented journey may start on the page where consent was given, ' +
      'because nothing links it to earlier pages.',
  },
  retention: {
    summary: 'Returning visitors, by the week of the first visit',
    description:
      'Covers consented visitors (tier 3): other visitors can’t be recognised the next day. Has all ISO weeks in the site’s ' +
      'zone that the range touches and that have begun, oldest first. Filters apply to the first visit.',
  },
  associations: {
    summary: 'What a page’s visits asked of backends, how slow it was and how often it failed',
    description:
      'By operation, most requests first: requests that the tracker linked to traces, on consented page views (tier 3), of environments ' +
      'whose origins are tied to the site and that you may read. Each row says by what its requests are linked. Nothing that isn’t linked ' +
      'is in it, so it counts no requests of a backend. Shares don’t show this report.',
    meta: v.object({ ...ListMeta.entries, ...AssociationsMeta.entries }),
  },
  goals: {
    path: 'goals/report',
    operationId: 'getGoalsReport',
    tag: 'Goals',
    summary: 'How many visits reached each goal',
    description:
      'All goals, those with the most visits first. All numbers cover visits that began in the range. `meta.approximate` ' +
      'lists why the rates may be approximate.',
    meta: ReachMeta,
  },
  funnels: {
    path: 'funnels/:funnelId/report',
    operationId: 'getFunnelReport',
    tag: 'Funnels',
    summary: 'How many visits reached each step of a funnel',
    description:
      'Covers visits at tiers 2 and 3 that began in the range. A visit takes the steps in order, with anything in between. ' +
      'One page view or event may match several steps. A visitor who consents during a visit continues as another visit.',
    meta: ReachMeta,
  },
};

/** The operation of `entry-pages` is `getEntryPages`. */
const operationIdOf = (name: string): string =>
  TEXTS[name]?.operationId ??
  `get${name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;

/** The report's name, by operation id. */
export const REPORT_OF = new Map(Object.keys(REPORTS).map((name) => [operationIdOf(name), name]));

/** The schemas of a report's answer. */
export function answerOf(name: string): { data: v.GenericSchema; meta: AnyMeta } {
  const { data, isList } = reportNamed(name);
  return { data, meta: TEXTS[name]?.meta ?? (isList ? ListMeta : ReportMeta) };
}

function contractOf(name: string): RouteContract {
  const { input, isList } = reportNamed(name);
  const texts = TEXTS[name];
  if (texts === undefined)
    throw new Error(`functions/analytics/report-contract.ts has no summary of ${name}.`);
  const { summary, description, path = name, tag = 'Analytics' } = texts;
  const takesAllFilters = input.entries.filters === AnyReport.entries.filters;
  const sentences = [description, takesAllFilters ? BY_PROPERTY : undefined].filter(
    (text) => text !== undefined,
  );
  return {
    method: 'GET',
    path: `/api/v1/sites/:siteId/analytics/${path}`,
    tag,
    summary,
    ...(sentences.length > 0 && { description: sentences.join(' ') }),
    auth: 'member',
    input,
    limit: QUERIES,
    responses: {
      200: {
        description: 'The report.',
        schema: v.object(answerOf(name)),
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
