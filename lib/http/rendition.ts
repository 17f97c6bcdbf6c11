import type { Context } from 'hono';
import { toHex } from '../bytes.ts';
import { matchesEtag } from './etag.ts';

/** A complete text as it is sent, the same for every caller. */
export interface Rendition {
  text: string;
  /** Strong: changes with every byte of the text. */
  etag: string;
  contentType: string;
}

/** Long enough to save repeated reads, short enough that a publication soon appears. */
const CACHE_CONTROL = 'public, max-age=300';

export async function renditionOf(text: string, contentType: string): Promise<Rendition> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return { text, etag: `"${toHex(new Uint8Array(digest)).slice(0, 32)}"`, contentType };
}

/** Answers 200, or 304 if the caller already has this version (RFC 9110 section 13.1.2). */
export function answerRendition(
  c: Context,
  { text, etag, contentType }: Rendition,
  { cacheControl = CACHE_CONTROL }: { cacheControl?: string } = {},
): Response {
  c.header('ETag', etag);
  c.header('Cache-Control', cacheControl);
  if (matchesEtag(c.req.header('If-None-Match'), etag)) return c.body(null, 304);
  return c.body(text, 200, { 'Content-Type': contentType });
}
