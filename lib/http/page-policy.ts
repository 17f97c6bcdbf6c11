/**
 * The `Content-Security-Policy` of a page: its one inline style, by its hash, the empty icon that spares a request for one, and
 * `more` directives. Its forms are sent by scripts or not at all.
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
