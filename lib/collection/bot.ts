import { isbot } from 'isbot';

/** A header's length bounds the work that a hostile user agent can cause. */
export const MAX_USER_AGENT_LENGTH = 512;

/** Requests that a browser or a feed makes ahead of anybody looking say so in one of these. */
const PURPOSE_HEADERS = ['Sec-Purpose', 'Purpose', 'X-Purpose', 'X-Moz'];
const AHEAD = /prefetch|prerender|preview/i;

/**
 * Whether a user agent is no person's: none at all, or a known robot's. Those that hold one of `exceptions` count as people
 * (a headless browser in tests, a monitor one wants to see).
 */
export function isRobot(userAgent: string, exceptions: readonly string[]): boolean {
  const known = userAgent.slice(0, MAX_USER_AGENT_LENGTH).trim();
  if (known === '') return true;
  return isbot(known) && !exceptions.some((exception) => known.includes(exception));
}

/** Whether the brands of client hints name a browser without a window, whose user agent may say otherwise. */
export const isRobotBrand = (brands: readonly string[], exceptions: readonly string[]): boolean =>
  brands.some(
    (brand) => /headless/i.test(brand) && !exceptions.some((exception) => brand.includes(exception)),
  );

/** Whether a page was loaded ahead, so that nobody is looking. */
export const isLoadedAhead = (headers: Headers): boolean =>
  PURPOSE_HEADERS.some((name) => AHEAD.test(headers.get(name) ?? ''));
