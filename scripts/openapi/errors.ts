import type { ErrorCode } from '../../lib/errors.ts';
import type { RouteContract } from '../../lib/http/contract.ts';
import { statusOf } from '../../lib/http/http-errors.ts';
import { bodyInput } from './inputs.ts';
import type { Service } from './services.ts';

/** Whether the route's requests are limited. Requests with a session always are, by person. */
export const isLimited = ({ auth, limit }: RouteContract): boolean =>
  limit !== null || auth === 'session' || auth === 'member';

/** The error codes that a route may answer, by HTTP status. */
export function errorsOf(route: RouteContract, service: Service): Map<number, string[]> {
  const codes = new Set<ErrorCode>([
    ...(route.isFile === true ? [] : service.always),
    ...(route.errors ?? []),
  ]);
  if (route.auth !== 'public') codes.add('UNAUTHORIZED');
  // Requests from pages of other origins are refused, since the browser would send the session's cookie with them.
  if (route.auth === 'session' || route.auth === 'member') codes.add('FORBIDDEN');
  if (bodyInput(route) !== undefined) codes.add('PAYLOAD_TOO_LARGE').add('UNSUPPORTED_MEDIA_TYPE');
  if (isLimited(route)) codes.add('RATE_LIMITED');
  const byStatus = new Map<number, string[]>();
  for (const code of [...codes].sort()) {
    const wireCodes = service.codesOf(code, route);
    byStatus.set(statusOf(code), [...(byStatus.get(statusOf(code)) ?? []), ...wireCodes]);
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}
