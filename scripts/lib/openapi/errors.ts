import * as v from 'valibot';
import type { ErrorCode } from '../../../lib/errors.ts';
import type { RouteContract } from '../../../lib/http/contract.ts';
import { statusOf } from '../../../lib/http/errors.ts';

/** The body of every error (contract section 1). Some routes add fields. */
export const ErrorBody = v.object({
  error: v.pipe(v.string(), v.description('A code, for programs.')),
  message: v.pipe(v.string(), v.description('A sentence, for people.')),
  details: v.optional(v.array(v.object({ path: v.string(), message: v.string() }))),
});

/** The codes that a route may answer, by their statuses. */
export function errorsOf(route: RouteContract): Map<number, ErrorCode[]> {
  const always: ErrorCode[] = ['VALIDATION_ERROR', 'INTERNAL_ERROR', 'UNAVAILABLE'];
  const codes = new Set<ErrorCode>([...always, ...route.errors]);
  if (route.auth !== 'public') codes.add('UNAUTHORIZED');
  if (route.limited) codes.add('RATE_LIMITED');
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of [...codes].sort()) {
    byStatus.set(statusOf(code), [...(byStatus.get(statusOf(code)) ?? []), code]);
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}
