import * as v from 'valibot';
import { reading } from '../agent-tool.ts';
import { NO_ZEROS, tellReport } from '../report-rows.ts';
import { analytics, BY_VALUE, CALENDAR_INTERVALS, LISTS, summary } from '../site-answer.ts';
import { askedOf, filterFields, pagingFields, siteFields, siteUntrusted } from '../site-question.ts';

export const breakDownVisits = reading({
  name: 'break_down_visits',
  title: 'Break down visits',
  description:
    'Where do visits come from, what do they see, when and on what? Visitors, visits and page views by a dimension, most first, or over time.',
  scopes: analytics,
  entries: {
    by: v.picklist([...BY_VALUE, ...CALENDAR_INTERVALS]),
    ...siteFields,
    ...filterFields,
    ...pagingFields,
  },
  run: async (ctx, { by, limit, cursor, ...input }) => {
    const { site, fields: common, around } = await askedOf(ctx, input);
    const list = LISTS[by];
    const isInterval = list === undefined;
    const fields = { ...common, ...(isInterval ? { interval: by } : list.fields) };
    const { name: report, label } = list ?? { name: 'timeseries', label: 'time' };
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
        notes: [isInterval && NO_ZEROS],
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
        untrusted: [...(isInterval ? [] : [`data[].${label}`]), ...siteUntrusted],
      },
    );
  },
});
