/** Tools about websites (docs/mcp.md#tools). Each asks the verbs of the reports, with the input that REST checks. */
import * as v from 'valibot';
import { findOpenedEnvironments, findOpenedSites } from '../../lib/accounts/opened-places.ts';
import { VALUE_LISTS } from '../../lib/analytics/dimensions.ts';
import { daysOf } from '../../lib/analytics/range.ts';
import { CAMPAIGN_PARAMETERS } from '../../lib/analytics/report-inputs.ts';
import { listAnnotations } from '../../lib/annotations/annotations.ts';
import { listFunnels } from '../../lib/goals/funnel-definitions.ts';
import { type AgentContext, hasScope } from './agent-context.ts';
import { type AgentTool, reading } from './agent-tool.ts';
import { answerTogether } from './answer-together.ts';
import { ChoiceError } from './choice-error.ts';
import { compareVisits } from './compare-visits.ts';
import { findSite } from './find-place.ts';
import { aboutSite, namedIn, tellReport } from './report-rows.ts';
import {
  fieldsOf,
  filterFields,
  notesOf,
  Place,
  pagingFields,
  rangeOf,
  siteFields,
} from './site-question.ts';
import { type NextCall, tell } from './tool-answer.ts';

const MAX_PLACES = 50;
const MAX_PATH_LENGTH = 1024;

const text = (maxLength: number) => v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(maxLength)));

/** Dimensions by which visits break down: the report of each. */
const LISTS: Readonly<Record<string, { name: string; fields?: object; label: 'value' | 'path' }>> = {
  page: { name: 'pages', label: 'path' },
  entry_page: { name: 'entry-pages', label: 'path' },
  exit_page: { name: 'exit-pages', label: 'path' },
  ...Object.fromEntries(
    VALUE_LISTS.map(({ dimension, path }) => [dimension, { name: path, label: 'value' }]),
  ),
  ...Object.fromEntries(
    CAMPAIGN_PARAMETERS.map((by) => [`utm_${by}`, { name: 'utm', fields: { by }, label: 'value' }]),
  ),
};
const INTERVALS = ['hour', 'day', 'week', 'month'] as const;
const BY_VALUE = Object.keys(LISTS) as [string, ...string[]];
const analytics = ['analytics:read'] as const;

/** A report for the batch of a comparison, where each campaign parameter has a name of its own. */
const batchedList = (by: string): { name: string; label: 'value' | 'path' } => {
  const { name, label } = LISTS[by] as (typeof LISTS)[string];
  return { name: name === 'utm' ? by : name, label };
};

const breakDown = (args: Record<string, unknown>, why: string): NextCall => ({
  tool: 'break_down_visits',
  arguments: args,
  why,
  scope: 'analytics:read',
});

/** About 30 points of a range, so that a trend stays short. */
function intervalOf(days: number): (typeof INTERVALS)[number] {
  if (days <= 2) return 'hour';
  if (days <= 31) return 'day';
  return days <= 217 ? 'week' : 'month';
}

async function getAccess(ctx: AgentContext, search: string | undefined): Promise<object> {
  const seesSites = hasScope(ctx, 'sites:read') || hasScope(ctx, 'analytics:read');
  const seesEnvironments = hasScope(ctx, 'telemetry:read') || hasScope(ctx, 'outcomes:read');
  const asked = { named: search, limit: MAX_PLACES + 1 };
  const [sites, environments] = await Promise.all([
    seesSites ? findOpenedSites(ctx, asked) : [],
    seesEnvironments ? findOpenedEnvironments(ctx, asked) : [],
  ]);
  const [site] = sites;
  const listed = <Row extends { named: boolean }>(rows: readonly Row[]) =>
    rows
      .filter(({ named }) => named)
      .slice(0, MAX_PLACES)
      .map(({ named: _, ...row }) => row);
  const isCut = sites.length > MAX_PLACES || environments.length > MAX_PLACES;
  return tell(ctx, {
    data: { scopes: ctx.actor.scopes, sites: listed(sites), environments: listed(environments) },
    notes: [
      isCut && `At most ${MAX_PLACES} of each are listed: name one with \`search\`.`,
      !seesSites && 'The token may not read websites: it has neither `sites:read` nor `analytics:read`.',
      !seesEnvironments &&
        'The token may not read backends: it has neither `telemetry:read` nor `outcomes:read`.',
    ],
    next: site === undefined ? [] : [summary({ site: site.id }, 'How is this website doing?')],
    untrusted: [
      'data.sites[].name',
      'data.sites[].project',
      'data.environments[].name',
      'data.environments[].project',
    ],
  });
}

const summary = (args: Record<string, unknown>, why: string): NextCall => ({
  tool: 'summarize_site',
  arguments: args,
  why,
  scope: 'analytics:read',
});

const CONVERSIONS =
  'A goal is a page view or an event in a browser. It does not confirm a purchase: only outcomes of the backend do.';

export const siteTools: readonly AgentTool[] = [
  reading({
    name: 'get_access',
    title: 'What the token opens',
    description:
      'Which websites and backends can I ask about, and with which scopes? Lists sites (id, domain, time zone) and environments. Other tools take these names; they can be left out if there is one only. `search` is a name, domain or id.',
    scopes: [],
    entries: { search: Place() },
    run: (ctx, { search }) => getAccess(ctx, search),
  }),
  reading({
    name: 'summarize_site',
    title: 'Summarize a website',
    description:
      'How is this website doing? Totals with change against the range before, trend, top pages, sources, countries and devices, goals and annotations, in one call.',
    scopes: analytics,
    entries: { ...siteFields, ...filterFields },
    run: async (ctx, input) => {
      const site = await findSite(ctx, input.site);
      const fields = fieldsOf(site.id, input);
      const { from, to, period = '30d' } = input;
      const range = from !== undefined && to !== undefined ? { from, to } : { period };
      const interval = intervalOf(daysOf(range) || 1);
      const [{ data, meta }, annotations] = await Promise.all([
        answerTogether(ctx, { ...fields, interval }, [
          ...['overview', 'timeseries', 'pages:5', 'sources:5', 'countries:5', 'devices:5', 'goals'],
        ]),
        listAnnotations(ctx, { siteId: site.id, range }),
      ]);
      const { overview, timeseries, pages, sources, countries, devices, goals } = data;
      const around = { site: site.id, ...rangeOf(input) };
      return tell(ctx, {
        data: {
          totals: overview,
          trend: { interval, points: timeseries },
          ...{ pages, sources, countries, devices },
          goals: (goals as object[]).slice(0, 10),
          annotations: annotations.slice(-10).map(({ date, text: note }) => ({ date, text: note })),
        },
        ...aboutSite(meta, site),
        notes: [...notesOf(meta), (goals as object[]).length > 0 && CONVERSIONS],
        next: meta.coverage.observed
          ? [
              breakDown({ ...around, by: 'page' }, 'All pages.'),
              {
                tool: 'compare_visits',
                arguments: { ...around, by: 'source' },
                why: 'What changed, by source.',
                scope: 'analytics:read',
              },
              {
                tool: 'report_conversions',
                arguments: around,
                why: 'All goals, and which funnels there are.',
                scope: 'analytics:read',
              },
            ]
          : [summary({ site: site.id, period: '90d' }, 'See when there was traffic.')],
        untrusted: [
          ...['data.pages[].path', 'data.sources[].value', 'data.countries[].value', 'data.devices[].value'],
          ...['data.goals[].name', 'data.goals[].page', 'data.goals[].event', 'data.annotations[].text'],
          'scope.filters',
        ],
      });
    },
  }),
  reading({
    name: 'break_down_visits',
    title: 'Break down visits',
    description:
      'Where do visits come from, what do they see, when and on what? Visitors, visits and page views by one dimension, most first, or by hour, day, week or month.',
    scopes: analytics,
    entries: {
      by: v.picklist([...BY_VALUE, ...INTERVALS]),
      ...siteFields,
      ...filterFields,
      ...pagingFields,
    },
    run: async (ctx, { by, limit, cursor, ...input }) => {
      const site = await findSite(ctx, input.site);
      const list = LISTS[by];
      const isInterval = list === undefined;
      const fields = { ...fieldsOf(site.id, input), ...(isInterval ? { interval: by } : list.fields) };
      const { name: report, label } = list ?? { name: 'timeseries', label: 'time' };
      const around = { site: site.id, ...rangeOf(input) };
      return tellReport(
        ctx,
        site,
        {
          tool: 'break_down_visits',
          report,
          fields,
          limit: isInterval && limit === 10 ? 100 : limit,
          cursor,
        },
        {
          next: isInterval
            ? [summary(around, 'What else is there in this range?')]
            : [
                {
                  tool: 'compare_visits',
                  arguments: { ...around, by },
                  why: 'What changed against the range before.',
                  scope: 'analytics:read',
                },
              ],
          untrusted: [...(isInterval ? [] : [`data[].${label}`]), 'scope.filters'],
        },
      );
    },
  }),
  reading({
    name: 'compare_visits',
    title: 'Compare two ranges',
    description:
      'What changed? Totals of a range of whole days against the range just before (or the same weekdays a year before), and the values of a dimension that gained or lost most visits.',
    scopes: analytics,
    entries: {
      by: v.optional(v.picklist(BY_VALUE), 'source'),
      with: v.optional(v.picklist(['previous', 'year']), 'previous'),
      ...siteFields,
      ...filterFields,
      limit: pagingFields.limit,
    },
    run: async (ctx, { by, ...input }) =>
      compareVisits(ctx, await findSite(ctx, input.site), input, batchedList(by)),
  }),
  reading({
    name: 'report_conversions',
    title: 'Goals and funnels',
    description:
      'How many visits reached a goal, and at which step of a funnel are they lost? Without `funnel`: all goals with rate and revenue by currency, and the names of funnels.',
    scopes: analytics,
    entries: { funnel: Place(), ...siteFields, ...filterFields, ...pagingFields },
    run: async (ctx, { funnel, limit, cursor, ...input }) => {
      const site = await findSite(ctx, input.site);
      const funnels = await listFunnels(ctx, { siteId: site.id });
      const choices = funnels.map(({ id, name }) => ({ id, name }));
      const around = { site: site.id, ...rangeOf(input) };
      const fields = fieldsOf(site.id, input);
      const tool = 'report_conversions';
      if (funnel === undefined)
        return tellReport(
          ctx,
          site,
          { tool, report: 'goals', fields, limit, cursor },
          {
            dataOf: (goals) => ({ goals, funnels: choices.slice(0, 20) }),
            notes: [CONVERSIONS],
            next: [
              ...funnels.slice(0, 1).map(({ id }) => ({
                ...{ tool, arguments: { ...around, funnel: id }, why: 'Where does this funnel lose visits?' },
                scope: 'analytics:read' as const,
              })),
            ],
            untrusted: [
              ...['data.goals[].name', 'data.goals[].page', 'data.goals[].event', 'data.funnels[].name'],
              'scope.filters',
            ],
          },
        );
      const named = namedIn(funnels, funnel);
      if (named === undefined)
        throw new ChoiceError(
          'NOT_FOUND',
          'The site has no such funnel. Use an `id` or `name` from `choices`.',
          {
            choices,
          },
        );
      return tellReport(
        ctx,
        site,
        { tool, report: 'funnels', fields: { ...fields, funnelId: named.id }, limit, cursor },
        {
          dataOf: (steps) => ({ id: named.id, name: named.name, steps }),
          notes: [CONVERSIONS],
          next: [breakDown({ ...around, by: 'exit_page' }, 'Where do visits end?')],
          untrusted: ['data.name', 'data.steps[].page', 'data.steps[].event', 'scope.filters'],
        },
      );
    },
  }),
  reading({
    name: 'report_events',
    title: 'Custom events and properties',
    description:
      'Which custom events happened, and with which properties? Without `event`: all events with revenue. With `event`: its property keys, and with `property` the values of that key. `of: pages` does the same for properties of page views.',
    scopes: analytics,
    entries: {
      of: v.optional(v.picklist(['events', 'pages']), 'events'),
      event: text(64),
      property: text(64),
      ...siteFields,
      ...filterFields,
      ...pagingFields,
    },
    run: async (ctx, { of, event, property, limit, cursor, ...input }) => {
      const site = await findSite(ctx, input.site);
      const isEvents = of === 'events';
      if (isEvents && event === undefined && property !== undefined)
        throw new ChoiceError(
          'VALIDATION_ERROR',
          'Name the `event` whose `property` is meant, or `of: pages`.',
          {
            choices: [],
            details: [{ path: 'event', message: 'is required with `property`' }],
          },
        );
      const report = !isEvents ? 'page-props' : event === undefined ? 'events' : 'event-props';
      const fields = {
        ...fieldsOf(site.id, input),
        ...(isEvents && event !== undefined && { name: event }),
        ...(property !== undefined && { key: property }),
      };
      return tellReport(
        ctx,
        site,
        { tool: 'report_events', report, fields, limit, cursor },
        {
          notes: [report === 'events' && CONVERSIONS],
          next: [
            {
              tool: 'report_conversions',
              arguments: { site: site.id, ...rangeOf(input) },
              why: 'How many visits reached a goal?',
              scope: 'analytics:read',
            },
          ],
          untrusted: [
            ...(report === 'events' ? ['data[].name'] : ['data[].key', 'data[].value']),
            'scope.filters',
          ],
        },
      );
    },
  }),
  reading({
    name: 'report_behaviour',
    title: 'Journeys and retention',
    description:
      'Which ways do visits take through the website, and do people come back? `journeys`: the most frequent paths of up to 5 pages, also from `start` on or up to `end`. `retention`: weekly cohorts, at most 13 weeks.',
    scopes: analytics,
    entries: {
      what: v.picklist(['journeys', 'retention']),
      start: text(MAX_PATH_LENGTH),
      end: text(MAX_PATH_LENGTH),
      ...siteFields,
      ...filterFields,
      ...pagingFields,
    },
    run: async (ctx, { what, start, end, limit, cursor, ...input }) => {
      const site = await findSite(ctx, input.site);
      const fields = {
        ...fieldsOf(site.id, input),
        ...(start !== undefined && { start }),
        ...(end !== undefined && { end }),
      };
      return tellReport(
        ctx,
        site,
        { tool: 'report_behaviour', report: what, fields, limit, cursor },
        {
          notes: [
            what === 'retention' &&
              'Only consented visits (tier 3) can be told to be of the same person on other days.',
          ],
          next: [breakDown({ site: site.id, ...rangeOf(input), by: 'entry_page' }, 'Where do visits begin?')],
          untrusted: [...(what === 'journeys' ? ['data[].pages'] : []), 'scope.filters'],
        },
      );
    },
  }),
  reading({
    name: 'rate_pages',
    title: 'Speed and attention by page',
    description:
      'Which pages are slow, and which are read? `vitals`: p75 of LCP, INP, CLS, FCP and TTFB by page. `engagement`: seconds and scroll depth by page. Consented visits only; filters: page and tier.',
    scopes: analytics,
    entries: {
      by: v.picklist(['vitals', 'engagement']),
      ...siteFields,
      ...filterFields,
      ...pagingFields,
    },
    run: async (ctx, { by, limit, cursor, ...input }) => {
      const site = await findSite(ctx, input.site);
      return tellReport(
        ctx,
        site,
        { tool: 'rate_pages', report: by, fields: fieldsOf(site.id, input), limit, cursor },
        {
          notes: [
            'Only consented page views (tier 3) are measured. They are not kept by device or country, so a split by these is not known.',
            'Sorted by how many were measured, not by the value.',
          ],
          next: [breakDown({ site: site.id, ...rangeOf(input), by: 'page' }, 'How often is each page seen?')],
          untrusted: ['data[].path', 'scope.filters'],
        },
      );
    },
  }),
];
