const SANE = /^[A-Za-z0-9._-]{1,64}$/;

/** Returns the caller's `X-Request-Id` if it is short and plain, else a new UUID (docs/api.md#request-ids). */
export function requestIdOf(header: string | null): string {
  return header !== null && SANE.test(header) ? header : crypto.randomUUID();
}
