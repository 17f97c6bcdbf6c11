/**
 * The `Content-Security-Policy` of a page. It allows the page's one inline style, by hash, the empty icon, which saves a request, and
 * `more` directives. Forms can't submit without a script.
 */
export async function pagePolicy(style: string, more: readonly string[] = []): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style));
  const hash = btoa(String.fromCharCode(...new Uint8Array(digest)));
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    'img-src data:',
    ...more,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
