import { answerReports } from '../../../lib/analytics/answer-reports.ts';
import { AnyReport } from '../../../lib/analytics/reading/report-inputs.ts';
import { reportNamed } from '../../../lib/analytics/reports.ts';
import type { ReportContext } from '../../../lib/context.ts';
import { createCursors } from '../../../lib/cursor.ts';
import { check } from '../../../lib/http/issues.ts';
import { SHARED_REPORTS, type SharedReport } from '../../../lib/shares/schemas.ts';
import { addShare } from '../../security/test-share.ts';
import type { World } from './reports-world.ts';

export const CURSORS = createCursors('c'.repeat(32));

/** The answer of a report of the site, by the report's name and its unchecked input. */
export async function askNamed(ctx: ReportContext, siteId: string, name: string, asked: object = {}) {
  const { input, answer } = reportNamed(name);
  return answer({ ...ctx, cursors: CURSORS }, check(input, { siteId, ...asked }) as never);
}

/** The context of whoever has a link to the site's reports, of all that a share may show unless said otherwise. */
export async function sharedTo(
  { sql, siteId, ctx }: World,
  reports: readonly SharedReport[] = SHARED_REPORTS,
): Promise<ReportContext> {
  const { shareId } = await addShare(sql, siteId, { reports: [...reports] });
  return { ...ctx(), actor: { kind: 'share', shareId, siteId, reports } };
}

/** The data of many reports, read together, by what is asked: a report's name, or the name and further words. */
export async function askTogether(
  ctx: ReportContext,
  siteId: string,
  questions: readonly (readonly [string, object])[],
): Promise<Record<string, unknown>> {
  const reports = questions.map(([name, asked]) => {
    const [report = ''] = name.split(' ');
    return { name, report, input: check(reportNamed(report).input, { siteId, ...asked }) as object };
  });
  const common = check(AnyReport, { siteId });
  const { data } = await answerReports({ ...ctx, cursors: CURSORS }, { common, reports });
  return Object.fromEntries(
    Object.entries(data).map(([name, answer]) => [name, answer instanceof Error ? answer : answer.data]),
  );
}
