import { daysOf } from '../../../lib/analytics/reading/report-range.ts';
import { listAnnotations } from '../../../lib/annotations/annotations.ts';
import { reading } from '../agent-tool.ts';
import { answerTogether } from '../answer-together.ts';
import { aboutSite } from '../report-rows.ts';
import { analytics, breakDown, type CALENDAR_INTERVALS, CONVERSIONS, summary } from '../site-answer.ts';
import { askedOf, filterFields, notesOf, siteFields, siteUntrusted } from '../site-question.ts';
import { tell } from '../tool-answer.ts';

/** About 30 points of a range, so that a trend stays short. */
function intervalOf(days: number): (typeof CALENDAR_INTERVALS)[number] {
  if (days <= 2) return 'hour';
  if (days <= 31) return 'day';
  return days <= 217 ? 'week' : 'month';
}

export const summarizeSite = reading({
  name: 'summarize_site',
  title: 'Summarize a website',
  description:
    'How is this website doing? Totals with change against the range before, trend, top pages, sources, countries and devices, goals and annotations.',
  scopes: analytics,
  entries: { ...siteFields, ...filterFields },
  run: async (ctx, input) => {
    const { site, fields, around } = await askedOf(ctx, input);
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
        ...siteUntrusted,
      ],
    });
  },
});
