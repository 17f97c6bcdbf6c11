import { isbot } from 'isbot';

/** A header's length bounds the work that a hostile user agent can cause. */
export const MAX_USER_AGENT_LENGTH = 512;

/** Browsers and feeds that load a page before anybody looks at it say so in one of these headers. */
const PURPOSE_HEADERS = ['Sec-Purpose', 'Purpose', 'X-Purpose', 'X-Moz'];
const AHEAD = /prefetch|prerender|preview/i;

/**
 * Whether a user agent is empty or a known robot's. One that contains an entry of `exceptions` counts as a person's (a headless
 * browser in tests, a monitor that should be counted).
 */
export function isRobot(userAgent: string, exceptions: readonly string[]): boolean {
  const known = userAgent.slice(0, MAX_USER_AGENT_LENGTH).trim();
  if (known === '') return true;
  return isbot(known) && !exceptions.some((exception) => known.includes(exception));
}

/** Whether the brands of client hints name a headless browser, even if its user agent doesn't. */
export const isRobotBrand = (brands: readonly string[], exceptions: readonly string[]): boolean =>
  brands.some(
    (brand) => /headless/i.test(brand) && !exceptions.some((exception) => brand.includes(exception)),
  );

/** Whether the page was loaded before anybody looks at it. */
export const isLoadedAhead = (headers: Headers): boolean =>
  PURPOSE_HEADERS.some((name) => AHEAD.test(headers.get(name) ?? ''));
