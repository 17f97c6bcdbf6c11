import { listFiringOfSite } from '../../../lib/alerts/list-firing.ts';
import type { Overview, ReportMeta } from '../../../lib/analytics/answers/schemas.ts';
import { daysOf, type Range } from '../../../lib/analytics/reading/report-range.ts';

import { listAnnotations } from '../../../lib/annotations/annotations.ts';
import { reading } from '../agent-tool.ts';
import { answerTogether } from '../answer-together.ts';
import { viewOf } from '../chat-views.ts';
import { datesOf, daysBefore } from '../local-dates.ts';
import { aboutSite, NO_ZEROS, type Point, pointsOf, rangeAsAsked } from '../report-rows.ts';
import {
  analytics,
  breakDown,
  type CALENDAR_INTERVALS,
  CONVERSIONS,
  changeFrom,
  EXACT,
  earnedBy,
  inRange,
  MORE_VISITORS,
  namedGoal,
  summary,
} from '../site-answer.ts';
import { askedOf, filterFields, notesOf, siteFields, siteUntrusted } from '../site-question.ts';
import { tell } from '../tool-answer.ts';

/** About 30 points of a range, so that a trend stays short. */
function intervalOf(days: number): (typeof CALENDAR_INTERVALS)[number] {
  if (days <= 2) return 'hour';
  if (days <= 31) return 'day';
  return days <= 217 ? 'week' : 'month';
}

type Trend = readonly (Point & { visitors: number })[];

const trendOf = (points: Trend, meta: ReportMeta, interval: string): object[] =>
  pointsOf(points, meta, interval).map(({ time, visitors, visits, partial }) => ({
    ...{ time, visitors, visits },
    ...(partial && { partial }),
  }));

/** The first rows of a list, shortly: its own tool has all figures. */
const shortly = (rows: unknown): object[] =>
  (rows as (Point & { path?: string; value?: string; visitors: number })[]).map(
    ({ path, value, visitors, visits }) => ({
      ...(path === undefined ? { value } : { path }),
      visitors,
      visits,
    }),
  );

/** Changes as `compare_visits` has them: from 0 there is no share. */
function totalsOf({ previous, ...totals }: Overview) {
  const changes = (['visitors', 'visits', 'pageviews'] as const).map((figure) => [
    `${figure}Change`,
    totals[`${figure}Change`] === null ? null : changeFrom(previous?.[figure] ?? 0, totals[figure]),
  ]);
  return { ...totals, ...Object.fromEntries(changes) } as Omit<Overview, 'previous'>;
}

const comparedWith = ({ from, to }: { from: string; to: string }, { range }: ReportMeta) =>
  rangeAsAsked({ from, to, timezone: range.timezone });

const SAME_TIME =
  'The range is not over: changes compare it with as much time of `comparedWith`, and the last point of the trend is `partial`.';

const SHOWN_DAYS = 90;

/** A range in which something was observed: the last 90 days, or the first ones if those were earlier. */
function observedDays({ coverage: { since }, freshness, range }: ReportMeta) {
  const { lastEventAt, evaluatedAt } = freshness;
  const isRecent =
    lastEventAt === null || since === null || lastEventAt > daysBefore(evaluatedAt, SHOWN_DAYS);
  return isRecent
    ? { period: '90d' }
    : datesOf({ from: daysBefore(lastEventAt, SHOWN_DAYS), to: lastEventAt, timezone: range.timezone });
}

export const summarizeSite = reading({
  name: 'summarize_site',
  title: 'Summarize a website',
  description:
    'How is this website doing? Totals with change, trend, top pages, sources, countries, devices, goals, annotations, refused events.',
  scopes: analytics,
  view: viewOf('site'),
  entries: { ...siteFields, ...filterFields },
  leavesOut: [],
  run: async (ctx, input) => {
    const { site, fields, before, around } = await askedOf(ctx, input);
    const range = (
      'from' in fields ? { from: fields.from, to: fields.to } : { period: fields.period ?? '30d' }
    ) as Range;
    const interval = intervalOf(daysOf(range) || 1);
    const [{ data, meta }, annotations, firing] = await Promise.all([
      answerTogether(
        ctx,
        { ...fields, interval },
        ['overview', 'timeseries', 'pages:5', 'sources:5', 'countries:5', 'devices:5', 'goals'],
        { before },
      ),
      listAnnotations(ctx, { siteId: site.id, range }),
      listFiringOfSite(ctx, site.id),
    ]);
    const { coverage, freshness } = meta;
    const isOver = meta.range.to <= freshness.evaluatedAt;
    const totals = totalsOf(data.overview as Overview);
    const { timeseries, pages, sources, countries, devices, goals } = data;
    return tell(ctx, {
      data: {
        ...(firing.length > 0 && { firing }),
        totals,
        ...(meta.comparison && { comparedWith: comparedWith(meta.comparison, meta) }),
        trend: { interval, points: trendOf(timeseries as Trend, meta, interval) },
        ...{ pages: shortly(pages), sources: shortly(sources) },
        ...{ countries: shortly(countries), devices: shortly(devices) },
        goals: (goals as object[]).slice(0, 10).map(namedGoal(fields.filters)),
        annotations: annotations.slice(-10).map(({ date, text: note }) => ({ date, text: note })),
      },
      ...aboutSite(meta, site, { isWhole: true }),
      notes: [
        ...notesOf(meta),
        coverage.changesUnknown === undefined && !isOver && SAME_TIME,
        coverage.observed && NO_ZEROS,
        totals.visitors > totals.visits && MORE_VISITORS,
        ...((goals as object[]).length > 0 ? [EXACT, earnedBy(goals as object[]), CONVERSIONS] : []),
      ],
      next: coverage.observed
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
        : [summary(inRange(around, observedDays(meta)), 'See when there was traffic.')],
      untrusted: [
        ...['data.firing[].name', 'data.firing[].of'],
        ...['data.pages[].path', 'data.sources[].value', 'data.countries[].value', 'data.devices[].value'],
        ...['data.goals[].name', 'data.goals[].page', 'data.goals[].event', 'data.annotations[].text'],
        ...siteUntrusted,
      ],
    });
  },
});
