/** What changed between two ranges: totals, and the values that gained and lost most (docs/mcp.md#compare_visits). */
import { percentChange } from '../../lib/analytics/figures.ts';
import type { ReportMeta } from '../../lib/analytics/schemas.ts';
import { invalid } from '../../lib/http/issues.ts';
import type { AgentContext } from './agent-context.ts';
import { answerTogether } from './answer-together.ts';
import { type Dates, datesBefore, datesOf } from './local-dates.ts';
import { aboutSite } from './report-rows.ts';
import { fieldsOf, notesOf, type SiteQuestion } from './site-question.ts';
import { tell } from './tool-answer.ts';

/** Rows of each range that are compared. */
const MAX_ROWS = 100;

interface Totals {
  visitors: number;
  visits: number;
  pageviews: number;
}

interface Side {
  totals: Totals;
  values: Map<string, Totals>;
  isWhole: boolean;
  meta: ReportMeta;
}

async function readSide(
  ctx: AgentContext,
  fields: ReturnType<typeof fieldsOf>,
  report: { name: string; label: 'value' | 'path' },
): Promise<Side> {
  const { data, meta } = await answerTogether(ctx, fields, ['overview', `${report.name}:${MAX_ROWS}`]);
  const rows = data[report.name] as (Totals & { value?: string; path?: string })[];
  const { visitors, visits, pageviews } = data.overview as Totals;
  return {
    totals: { visitors, visits, pageviews },
    values: new Map(rows.map((row) => [row[report.label] ?? '', row])),
    isWhole: rows.length < MAX_ROWS,
    meta,
  };
}

export async function compareVisits(
  ctx: AgentContext,
  site: { id: string; domain: string },
  question: SiteQuestion & { with: 'previous' | 'year'; limit: number },
  report: { name: string; label: 'value' | 'path' },
): Promise<Record<string, unknown>> {
  if (question.period === '24h')
    throw invalid([{ path: 'period', message: 'must be whole days: 7d, 30d, 90d, or `from` and `to`' }]);
  const now = await readSide(ctx, fieldsOf(site.id, question), report);
  const dates: Dates = datesBefore(datesOf(now.meta.range), question.with);
  const before = await readSide(
    ctx,
    fieldsOf(site.id, { ...(question.filters && { filters: question.filters }), ...dates }),
    report,
  );
  const visitsOf = (side: Side, value: string): number => side.values.get(value)?.visits ?? 0;
  const movers = [...new Set([...now.values.keys(), ...before.values.keys()])]
    .map((value) => {
      const [visits, previous] = [visitsOf(now, value), visitsOf(before, value)];
      return { value, visits, before: previous, change: visits - previous };
    })
    .filter(({ change }) => change !== 0)
    .sort((a, b) => Math.abs(b.change) - Math.abs(a.change) || (a.value < b.value ? -1 : 1));
  const figures = ['visitors', 'visits', 'pageviews'] as const;
  const isPartial = now.meta.freshness.evaluatedAt < now.meta.range.to;
  const { range, coverage } = before.meta;
  return tell(ctx, {
    data: {
      totals: Object.fromEntries(
        figures.map((figure) => [
          figure,
          {
            now: now.totals[figure],
            before: before.totals[figure],
            changePercent: percentChange(before.totals[figure], now.totals[figure]),
          },
        ]),
      ),
      movers: movers.slice(0, question.limit),
      comparedWith: { range, observed: coverage.observed, observedShare: coverage.observedShare },
    },
    ...aboutSite(now.meta, site),
    notes: [
      ...notesOf(now.meta),
      isPartial &&
        'The earlier range is whole and this one is not: compare finished days with `from` and `to`.',
      !coverage.observed && 'Nothing was observed in the earlier range, so the change says nothing.',
      !(now.isWhole && before.isWhole) &&
        `Only the ${MAX_ROWS} most frequent values of each range are compared: one that is missing counts as 0 there.`,
    ],
    next: [
      {
        tool: 'summarize_site',
        arguments: { site: site.id, ...dates },
        why: 'See the earlier range alone.',
        scope: 'analytics:read',
      },
    ],
    untrusted: ['data.movers[].value', 'scope.filters'],
  });
}
