import type { MemberContext } from '../context.ts';
import type { ListInput } from './report.ts';
import type { Report, ValueItem } from './schemas.ts';
import { reportVisitValues } from './visit-values.ts';

/** Browsers of visits; `Unknown` where it couldn't be told. Cost: see `reportVisitValues`. */
export function reportBrowsers(ctx: MemberContext, input: ListInput): Promise<Report<ValueItem[]>> {
  return reportVisitValues(ctx, input, 'browser');
}
