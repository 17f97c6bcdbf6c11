import { answerReports } from '../../lib/analytics/answer-reports.ts';
import type { GoalItem } from '../../lib/analytics/answers/goal-schemas.ts';
import { ReportBatch } from '../../lib/analytics/report-batch.ts';
import { reportNamed } from '../../lib/analytics/reports.ts';
import { DomainError } from '../../lib/errors.ts';
import { createApp } from '../../lib/http/app.ts';
import { check } from '../../lib/http/issues.ts';
import { type Log, logToConsole } from '../../lib/http/log.ts';
import { FiguresQuestion, type ReportFigures } from '../../lib/messages/report-figures.ts';
import { Env } from './env.ts';
import { createResources, readingContext } from './resources.ts';

const ROWS = 5;

interface Overview {
  visitors: number;
  visits: number;
  pageviews: number;
  visitorsChange: number | null;
  visitsChange: number | null;
  pageviewsChange: number | null;
  bounceRate: number | null;
}

/**
 * `POST /` with a `FiguresQuestion`: the `ReportFigures` of a site, or 404. Only the binding of `messages` reaches it: the cron decided that
 * the report is due, and its recipients are the owner's choice.
 */
export function createMailFiguresApp({ log = logToConsole }: { log?: Log } = {}) {
  const app = createApp({ name: 'analytics', env: Env, log, resources: createResources });
  return app.post('/', async (c) => {
    const { siteId, from, to, segment } = check(FiguresQuestion, await c.req.json());
    const batch = check(ReportBatch, {
      siteId,
      report: ['overview', `pages:${ROWS}`, `sources:${ROWS}`, 'goals'],
      ...{ from, to },
      ...(segment !== null && { segment }),
    });
    const ctx = readingContext(c.var.resources, { kind: 'operator' }, async () => {});
    const { data, meta } = await answerReports(ctx, {
      common: batch.common,
      reports: batch.reports.map(({ name, report, fields }) => ({
        name,
        report,
        input: check(reportNamed(report).input, fields) as object,
      })),
    });
    const of = <Data>(name: string): Data | undefined => {
      const answer = data[name];
      return answer === undefined || answer instanceof DomainError ? undefined : (answer.data as Data);
    };
    const overview = of<Overview>('overview');
    const figures: ReportFigures = {
      observed: meta.coverage.observed,
      visitors: overview?.visitors ?? 0,
      visits: overview?.visits ?? 0,
      pageviews: overview?.pageviews ?? 0,
      visitorsChange: overview?.visitorsChange ?? null,
      visitsChange: overview?.visitsChange ?? null,
      pageviewsChange: overview?.pageviewsChange ?? null,
      bounceRate: overview?.bounceRate ?? null,
      pages: (of<{ path: string; pageviews: number }[]>('pages') ?? []).map(({ path, pageviews }) => ({
        name: path,
        count: pageviews,
      })),
      sources: (of<{ value: string; visits: number }[]>('sources') ?? []).map(({ value, visits }) => ({
        name: value,
        count: visits,
      })),
      goals: (of<GoalItem[]>('goals') ?? [])
        .map(({ name, conversions, exact }) => {
          const count = exact?.conversions ?? conversions;
          return { name, count, apart: conversions - count };
        })
        .sort((a, b) => b.count - a.count)
        .slice(0, ROWS),
      dropped: Object.values(meta.coverage.dropped).reduce((sum, count) => sum + count, 0),
      segment: meta.scope.segment?.name ?? null,
    };
    return c.json(figures);
  });
}
