import * as v from 'valibot';
import { FEWEST_FOR_RATES } from '../../../lib/analytics/reading/report-inputs.ts';
import { invalid } from '../../../lib/http/issues.ts';
import { reading } from '../agent-tool.ts';
import { isWeekly, rankedHours, visitQuality, WEEKLY } from '../own-reports.ts';
import { NO_ZEROS, tellReport } from '../report-rows.ts';
import { analytics, BY_VALUE, CALENDAR_INTERVALS, LISTS, summary } from '../site-answer.ts';
import { askedOf, filterFields, pagingFields, siteFields, siteUntrusted } from '../site-question.ts';

const DEFAULT_LIMIT = 10;
/** How many rows there are by default where the whole has a use: a day's hours, and points over time. */
const WHOLE = { hour_of_day: 24, time: 100 };

const PER_HOUR =
  'By the clock of the site, the busiest first. `visitsPerHour`: visits that began in such an hour, on average of those in the range.';
export const MEASURED_VISITS =
  '`bounceRate` (percent) and `avgDuration` (seconds) are of the consented visits (tier 3), which `measured` counts.';

export const breakDownVisits = reading({
  name: 'break_down_visits',
  title: 'Break down visits',
  description:
    'Where do visits come from, what do they see, when, on what? By a dimension, over time, or by hours of the week, busiest first. `entry_page` and `sort: bounce_rate` have bounce rates.',
  scopes: analytics,
  entries: {
    by: v.picklist([...BY_VALUE, ...CALENDAR_INTERVALS, ...WEEKLY]),
    sort: v.optional(v.picklist(['visits', 'bounce_rate']), 'visits'),
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
          limit: by === 'hour_of_day' && limit === DEFAULT_LIMIT ? WHOLE.hour_of_day : limit,
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
          limit: limit === DEFAULT_LIMIT ? WHOLE.time : limit,
        },
        {
          notes: [NO_ZEROS],
          next: [summary(around, 'What else is there in this range?')],
          untrusted: siteUntrusted,
        },
      );
    const words = { next: [compared(around, by)], untrusted: [`data[].${list.label}`, ...siteUntrusted] };
    if (!isRanked && by !== 'entry_page')
      return tellReport(
        ctx,
        site,
        { ...asked, report: list.name, fields: { ...fields, ...list.fields } },
        words,
      );
    const quality = {
      by,
      sort: sort === 'visits' ? ('visits' as const) : ('bounceRate' as const),
      minVisits: minVisits ?? (sort === 'visits' ? 1 : FEWEST_FOR_RATES),
    };
    return tellReport(
      ctx,
      site,
      { ...asked, report: JSON.stringify(quality), own: visitQuality(quality) },
      {
        ...words,
        notes: [
          MEASURED_VISITS,
          quality.minVisits > 1 && `Only values of at least ${quality.minVisits} visits (\`minVisits\`).`,
        ],
      },
    );
  },
});

const compared = (around: Record<string, unknown>, by: string) => ({
  ...{ tool: 'compare_visits', arguments: { ...around, by }, why: 'What changed against the range before.' },
  scope: 'analytics:read' as const,
});
