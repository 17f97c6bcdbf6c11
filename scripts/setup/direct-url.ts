/** Neon's pooler has no sessions, which the schema's steps need. Its direct address is the same without `-pooler`. */
export function directUrl(url: string): string {
  const direct = new URL(url);
  direct.hostname = direct.hostname.replace('-pooler.', '.');
  return direct.href;
}
