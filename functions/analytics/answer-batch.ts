import { answerReports } from '../../lib/analytics/answer-reports.ts';
import type { ReportBatch } from '../../lib/analytics/report-batch.ts';
import { CALLED } from '../../lib/analytics/report-fields.ts';
import { reportNamed } from '../../lib/analytics/reports.ts';
import type { ReportContext } from '../../lib/context.ts';
import type { Cursors } from '../../lib/cursor.ts';
import { DomainError } from '../../lib/errors.ts';
import { envelopeOf } from '../../lib/http/http-errors.ts';
import { check } from '../../lib/http/issues.ts';
import { parameterPath } from '../../lib/http/url-input.ts';

/** Answers a batch. What a report refuses is the body of its error, as its own route would answer. */
export async function answerBatch(
  ctx: ReportContext & { cursors: Cursors },
  { common, reports }: ReportBatch,
): Promise<{ data: object; meta: object }> {
  const { data, meta } = await answerReports(ctx, {
    common,
    reports: reports.map(({ name, report, fields }) => ({ name, report, input: readFields(report, fields) })),
  });
  const bodies = Object.entries(data).map(([name, answer]) => [
    name,
    answer instanceof DomainError ? envelopeOf(answer) : answer,
  ]);
  return { data: Object.fromEntries(bodies), meta };
}

const nameOf = ([field, ...rest]: readonly unknown[]) =>
  parameterPath([CALLED[String(field)] ?? field, ...rest]);

function readFields(report: string, fields: object): object | DomainError {
  try {
    return check(reportNamed(report).input, fields, nameOf) as object;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}
