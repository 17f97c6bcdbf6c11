/** For a page with a script: only the service's own runs, and it never inserts data as HTML. */
export const SCRIPT_RULES = [
  "script-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];

/**
 * The `Content-Security-Policy` of a page. It allows the page's one inline style, by hash, the empty icon, which saves a request, and
 * `more` directives. Forms can't submit without a script unless `formAction` is `'self'`.
 */
export async function pagePolicy(
  style: string,
  more: readonly string[] = [],
  formAction: "'none'" | "'self'" = "'none'",
): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style));
  const hash = btoa(String.fromCharCode(...new Uint8Array(digest)));
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    'img-src data:',
    ...more,
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
  ].join('; ');
}
