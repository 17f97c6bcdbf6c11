/** For an API whose answers are data: nothing in them runs, is framed, is cached or leaks where it was read from. */
const DEFAULTS: readonly (readonly [string, string])[] = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Frame-Options', 'DENY'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Strict-Transport-Security', 'max-age=31536000'],
  ['Cache-Control', 'no-store'],
];

/** Sets what the handler didn't set itself. */
export function setSecurityHeaders(headers: Headers): void {
  for (const [name, value] of DEFAULTS) if (!headers.has(name)) headers.set(name, value);
}
