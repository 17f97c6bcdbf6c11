import { isbot } from 'isbot';

/** A header's length bounds the work that a hostile user agent can cause. */
export const MAX_USER_AGENT_LENGTH = 512;

/** Requests that a browser or a feed makes ahead of anybody looking say so in one of these. */
const PURPOSE_HEADERS = ['Sec-Purpose', 'Purpose', 'X-Purpose', 'X-Moz'];
const AHEAD = /prefetch|prerender|preview/i;

/**
 * Whether nobody is looking: no user agent, a known robot's, or a page loaded ahead. User agents that hold one of
 * `exceptions` count as people (a headless browser in tests, a monitor one wants to see).
 */
export function isBot(headers: Headers, exceptions: readonly string[]): boolean {
  const userAgent = headers.get('User-Agent')?.slice(0, MAX_USER_AGENT_LENGTH) ?? '';
  if (userAgent.trim() === '') return true;
  if (PURPOSE_HEADERS.some((name) => AHEAD.test(headers.get(name) ?? ''))) return true;
  return isbot(userAgent) && !exceptions.some((exception) => userAgent.includes(exception));
}
