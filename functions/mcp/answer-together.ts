import { answerReports } from '../../lib/analytics/answer-reports.ts';
import type { ReportMeta } from '../../lib/analytics/answers/schemas.ts';
import { type Compare, comparedRange, type Range } from '../../lib/analytics/reading/report-range.ts';
import { ReportBatch } from '../../lib/analytics/report-batch.ts';
import { reportNamed } from '../../lib/analytics/reports.ts';
import { DomainError } from '../../lib/errors.ts';
import { check } from '../../lib/http/issues.ts';
import type { AgentContext } from './agent-context.ts';

/**
 * The data of several reports, read together in one transaction, as `GET .../analytics/reports` answers them; `meta` is that of `overview`
 * where it is among them. Throws the first error of a report.
 */
export async function answerTogether(
  ctx: AgentContext,
  fields: object,
  report: readonly string[],
  /** `before`: what the changes of `overview` are against. `instead`: asks for the range with which the one of `fields` is compared. */
  { before, instead }: { before?: Compare; instead?: Compare } = {},
): Promise<{ data: Record<string, unknown>; meta: ReportMeta }> {
  const { common, reports } = check(ReportBatch, { ...fields, report });
  const { data, meta } = await answerReports(ctx, {
    common: moved(common, instead),
    reports: reports.map(({ name, report: of, fields: own }) => ({
      name,
      report: of,
      input: {
        ...moved(check(reportNamed(of).input, own) as { range: Range }, instead),
        ...(of === 'overview' && before !== undefined && { compare: before }),
      },
    })),
  });
  const entries = Object.entries(data).map(([name, answer]) => {
    if (answer instanceof DomainError) throw answer;
    return [name, answer.data];
  });
  const { overview } = data;
  const own = overview instanceof DomainError ? undefined : overview?.meta;
  return { data: Object.fromEntries(entries), meta: { ...meta, ...own } };
}

const moved = <Input extends { range: Range }>(input: Input, instead: Compare | undefined): Input =>
  instead === undefined ? input : { ...input, range: comparedRange(input.range, instead) };
