import * as v from 'valibot';
import type { Overview } from '../../../lib/analytics/answers/schemas.ts';
import { FEWEST_FOR_RATES } from '../../../lib/analytics/reading/report-inputs.ts';
import { invalid } from '../../../lib/http/issues.ts';
import { VISIT_DIMENSIONS } from '../../../lib/visits/dimensions.ts';
import type { AgentContext } from '../agent-context.ts';
import { reading } from '../agent-tool.ts';
import { answerTogether } from '../answer-together.ts';
import { isWeekly, rankedHours, visitQuality, WEEKLY } from '../own-reports.ts';
import { NO_ZEROS, tellReport } from '../report-rows.ts';
import {
  analytics,
  BY_VALUE,
  batchedList,
  CALENDAR_INTERVALS,
  LISTS,
  leftOut,
  summary,
  tiersWith,
} from '../site-answer.ts';
import { askedOf, filterFields, pagingFields, siteFields, siteUntrusted } from '../site-question.ts';
import { limitOverTime } from '../tool-answer.ts';

/** Values of a campaign parameter that are added up. */
const MAX_TAGS = 100;
const HOURS_OF_DAY = 24;

const SORTS = { visits: 'visits', bounce_rate: 'bounceRate', duration: 'avgDuration' } as const;

const PER_HOUR =
  'By the site’s clock, the busiest first. `visitsPerHour` and `visitsPerDay`: visits that began then, on average of these hours or days.';
export const MEASURED_VISITS =
  '`bounceRate` (percent) and `avgDuration` (seconds) are of the `measured` consented visits (tier 3).';

const VISITS_OF_PAGE =
  'Both are of whole visits that saw the page: `rate_pages` by `engagement` has the seconds on it.';

/** Of lists by where a visit came from. */
const LATER_VIEWS =
  'Later page views at tier 1 and after consent have no source, so `pageviews` are too few: for pages per visit filter by `tier is 3`.';

export const breakDownVisits = reading({
  name: 'break_down_visits',
  title: 'Break down visits',
  description:
    'Where do visits come from, what do they see, on what, when (hours of the week: busiest first)? `entry_page` and `sort` have bounce rates and durations.',
  scopes: analytics,
  entries: {
    by: v.picklist([...BY_VALUE, ...CALENDAR_INTERVALS, ...WEEKLY]),
    sort: v.optional(v.picklist(['visits', 'bounce_rate', 'duration']), 'visits'),
    minVisits: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000))),
    ...siteFields,
    ...filterFields,
    ...pagingFields,
  },
  run: async (ctx, { by, sort, minVisits, limit, cursor, ...input }) => {
    const { site, fields, around } = await askedOf(ctx, input);
    const asked = { tool: 'break_down_visits', fields, limit, cursor };
    const isRanked = sort !== 'visits' || minVisits !== undefined;
    if (isRanked && LISTS[by] === undefined)
      throw invalid([
        { path: sort === 'visits' ? 'minVisits' : 'sort', message: 'must come with a dimension in `by`' },
      ]);
    if (isWeekly(by))
      return tellReport(
        ctx,
        site,
        {
          ...asked,
          ...{ report: `heatmap ${by}`, own: rankedHours(by) },
          limit: by === 'hour_of_day' ? limitOverTime(limit, HOURS_OF_DAY) : limit,
        },
        {
          notes: [PER_HOUR],
          next: [summary(around, 'What else is there in this range?')],
          untrusted: siteUntrusted,
        },
      );
    const list = LISTS[by];
    if (list === undefined)
      return tellReport(
        ctx,
        site,
        {
          ...asked,
          ...{ report: 'timeseries', fields: { ...fields, interval: by } },
          limit: limitOverTime(limit),
        },
        {
          notes: [NO_ZEROS],
          next: [summary(around, 'What else is there in this range?')],
          untrusted: siteUntrusted,
        },
      );
    const tiers = tiersWith(by);
    // A list of pages has page views of each page; rates are of visits that saw it, and so are their page views.
    const isOfVisits = by.endsWith('_page') || (by === 'page' && isRanked);
    const words = async (notes: readonly (string | false)[] = []) => ({
      next: [compared(around, by)],
      untrusted: [`data[].${list.label}`, ...siteUntrusted],
      notes: [await othersOf(ctx, fields, by), isOrigin(by) && LATER_VIEWS, ...notes],
      ...(isOfVisits && { dataOf: withoutOtherPages }),
    });
    if (!isRanked && by !== 'entry_page')
      return tellReport(
        ctx,
        site,
        { ...asked, report: list.name, fields: { ...fields, ...list.fields }, tiers },
        words(),
      );
    const quality = {
      by,
      sort: SORTS[sort],
      minVisits: minVisits ?? (sort === 'visits' ? 1 : FEWEST_FOR_RATES),
    };
    return tellReport(
      ctx,
      site,
      { ...asked, report: JSON.stringify(quality), own: visitQuality(quality), tiers },
      words([
        MEASURED_VISITS,
        by === 'page' && VISITS_OF_PAGE,
        quality.minVisits > 1 && `Only values of at least ${quality.minVisits} visits (\`minVisits\`).`,
      ]),
    );
  },
});

/** Page views of visits that began or ended on a page are mostly of other pages. */
const withoutOtherPages = (rows: readonly unknown[]): object[] =>
  (rows as { pageviews: number; reach?: number }[]).map(({ pageviews: _, reach: __, ...row }) => row);

const isOrigin = (by: string): boolean =>
  VISIT_DIMENSIONS.some(({ name, dictionary }) => name === by && dictionary === 'origin');

/** How many visits are in no row, since their tier doesn't have the dimension or they have no such tag: read beside the rows. */
async function othersOf(ctx: AgentContext, fields: object, by: string): Promise<string | false> {
  if (by.startsWith('utm_')) {
    const { name } = batchedList(by);
    const { data } = await answerTogether(ctx, fields, ['overview', `${name}:${MAX_TAGS}`]);
    return withoutTag(by, data.overview as Overview, data[name] as { visits: number }[]);
  }
  if (tiersWith(by) === undefined) return false;
  const { data } = await answerTogether(ctx, fields, ['overview']);
  return leftOut(by, data.overview as Overview);
}

/** Visits without a campaign parameter; nothing if it has more values than were read. */
function withoutTag(by: string, { visits }: Overview, rows: readonly { visits: number }[]): string | false {
  const count = visits - rows.reduce((sum, row) => sum + row.visits, 0);
  return (
    rows.length < MAX_TAGS &&
    count > 0 &&
    `${count} of ${visits} visits have no \`${by}\`: they are not in this list.`
  );
}

const compared = (around: Record<string, unknown>, by: string) => ({
  ...{ tool: 'compare_visits', arguments: { ...around, by }, why: 'What changed against the range before.' },
  scope: 'analytics:read' as const,
});
