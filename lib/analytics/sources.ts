import type { MemberContext } from '../context.ts';
import type { ListInput } from './report.ts';
import type { Report, ValueItem } from './schemas.ts';
import { reportVisitValues } from './visit-values.ts';

/**
 * Where visits came from; direct traffic is `Direct`. A continued visit came from the visit that it continues, and an inner
 * page view at tier 1 from the site itself: neither has a source. Cost: see `reportVisitValues`.
 */
export function reportSources(ctx: MemberContext, input: ListInput): Promise<Report<ValueItem[]>> {
  return reportVisitValues(ctx, input, 'source');
}
