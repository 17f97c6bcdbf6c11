import { queryTelemetry, type TelemetryContext } from './query-telemetry.ts';
import type { TelemetryRange } from './question-schemas.ts';
import { spanSums, wholeMinutes } from './span-sums.ts';
import { resolveRange } from './telemetry-range.ts';

const MAX_NAMES = 1000;

export interface SpanName {
  service: string;
  operation: string;
}

/**
 * The services and operations of the spans of a range, the most frequent 1,000. Throws `NOT_FOUND`, `VALIDATION_ERROR`. Reads only sums: one
 * row per service, operation, status and hour.
 */
export async function listSpanNames(
  ctx: TelemetryContext,
  asked: TelemetryRange & { projectId: string; environmentId: string },
): Promise<SpanName[]> {
  const instants = wholeMinutes(resolveRange(asked, ctx.now()));
  const { items } = await queryTelemetry<SpanName>(
    ctx,
    asked,
    { instants, signal: 'traces' },
    ctx.sql`
      select service, operation from (${spanSums(ctx.sql, instants)}) sums
      group by service, operation order by sum(spans) desc, service, operation limit ${MAX_NAMES}
    `,
  );
  return items;
}
