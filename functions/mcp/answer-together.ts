import { answerReports } from '../../lib/analytics/answer-reports.ts';
import type { ReportMeta } from '../../lib/analytics/answers/schemas.ts';
import type { Range, Shift } from '../../lib/analytics/reading/report-range.ts';
import { ReportBatch } from '../../lib/analytics/report-batch.ts';
import { reportNamed } from '../../lib/analytics/reports.ts';
import { DomainError } from '../../lib/errors.ts';
import { check } from '../../lib/http/issues.ts';
import type { AgentContext } from './agent-context.ts';

/**
 * The data of several reports, read together in one transaction, as `GET .../analytics/reports` answers them. Throws the first error of a
 * report.
 */
export async function answerTogether(
  ctx: AgentContext,
  fields: object,
  report: readonly string[],
  /** Another range of the same length instead of the one that is asked for. */
  shifted?: Shift,
): Promise<{ data: Record<string, unknown>; meta: ReportMeta }> {
  const { common, reports } = check(ReportBatch, { ...fields, report });
  const { data, meta } = await answerReports(ctx, {
    common: moved(common, shifted),
    reports: reports.map(({ name, report: of, fields: own }) => ({
      name,
      report: of,
      input: moved(check(reportNamed(of).input, own) as { range: Range }, shifted),
    })),
  });
  const entries = Object.entries(data).map(([name, answer]) => {
    if (answer instanceof DomainError) throw answer;
    return [name, answer.data];
  });
  return { data: Object.fromEntries(entries), meta };
}

const moved = <Input extends { range: Range }>(input: Input, shifted: Shift | undefined): Input =>
  shifted === undefined ? input : { ...input, range: { ...input.range, shifted } };
