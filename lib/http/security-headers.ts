/** For an API that answers data: answers run no script, are never framed or cached, and send no referrer. */
const DEFAULTS: readonly (readonly [string, string])[] = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Frame-Options', 'DENY'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Strict-Transport-Security', 'max-age=31536000'],
  ['Cache-Control', 'no-store'],
];

/** Sets the default headers that the handler didn't set. */
export function setSecurityHeaders(headers: Headers): void {
  for (const [name, value] of DEFAULTS) if (!headers.has(name)) headers.set(name, value);
}
