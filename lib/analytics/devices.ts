import type { MemberContext } from '../context.ts';
import type { ListInput } from './report.ts';
import type { Report, ValueItem } from './schemas.ts';
import { reportVisitValues } from './visit-values.ts';

/** Devices of visits; `Unknown` where it couldn't be told. Cost: see `reportVisitValues`. */
export function reportDevices(ctx: MemberContext, input: ListInput): Promise<Report<ValueItem[]>> {
  return reportVisitValues(ctx, input, 'device');
}
