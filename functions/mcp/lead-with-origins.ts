/** Errors of one failure, which each service up the chain reports again: where it began comes first, and the others say so. */
import { findFailureOrigins } from '../../lib/telemetry/errors/failure-origins.ts';
import type { AgentContext } from './agent-context.ts';

interface ErrorRow {
  service: string | null;
  traceId: string | null;
}

export const PASSED_ON = '`passedOnFrom`: in its newest request the failure began in that service.';

/** Rows with the same newest trace stand together, that of the service in which its failure began first. */
export async function leadWithOrigins<Row extends ErrorRow>(
  ctx: AgentContext,
  environment: { projectId: string; environmentId: string },
  rows: readonly Row[],
): Promise<(Row & { passedOnFrom?: string })[]> {
  const traceIds = [...new Set(rows.flatMap(({ traceId }) => traceId ?? []))];
  const origins = await findFailureOrigins(ctx, { ...environment, traceIds });
  return [...Map.groupBy(rows, (row) => row.traceId ?? row).values()].flatMap((group) => {
    const marked = group.map((row) => {
      const origin = origins.get(row.traceId ?? '');
      return origin === undefined || origin === row.service ? row : { ...row, passedOnFrom: origin };
    });
    const [others = [], first = []] = [true, false].map((isPassedOn) =>
      marked.filter((row) => 'passedOnFrom' in row === isPassedOn),
    );
    return [...first, ...others];
  });
}
