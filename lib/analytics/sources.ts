import type { MemberContext } from '../context.ts';
import type { ListInput } from './report.ts';
import type { Report, ValueItem } from './schemas.ts';
import { reportVisitValues } from './visit-values.ts';

/**
 * Where visits came from; direct traffic is `Direct`. A continued visit came from the visit that it continues, and an inner
 * page view at tier 1 from the site itself: neither has a source. Cost: see `reportVisitValues`.
 */
export function reportSources(ctx: MemberContext, input: ListInput): Promise<Report<ValueItem[]>> {
  const { sql } = ctx;
  return reportVisitValues(ctx, input, {
    column: sql`source`,
    of: 'visits',
    unknown: 'Direct',
    only: sql`and not continued and (tier > 1 or counted)`,
  });
}
