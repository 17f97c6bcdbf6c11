import type { Context } from 'hono';
import { notFound } from '../../lib/errors.ts';
import { core, links, measure } from './tracker.generated.ts';

/** A page that names the version may keep the script for good; others look for a new one after some hours. */
const BY_VERSION = 'public, max-age=31536000, immutable';
const BY_NAME = 'public, max-age=14400, stale-while-revalidate=86400';

/** What the core loads by `part=<name>` where a page asks for it. */
const PARTS = new Map(Object.entries({ links, measure }));

/**
 * Answers with the browser script, or a part of it. Other parameters than `v` and `part` are ignored here alone: content
 * systems put their own into the addresses of scripts.
 */
export function serveTracker(c: Context): Response {
  const part = c.req.query('part');
  const file = part === undefined ? core : PARTS.get(part);
  if (file === undefined) throw notFound('part');
  c.header('ETag', file.etag);
  c.header('Cache-Control', c.req.query('v') === file.version ? BY_VERSION : BY_NAME);
  if (matches(c.req.header('If-None-Match'), file.etag)) return c.body(null, 304);
  return c.body(file.source, 200, { 'Content-Type': 'text/javascript; charset=utf-8' });
}

/** RFC 9110, section 13.1.2: a weak comparison with each of the list. */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}
