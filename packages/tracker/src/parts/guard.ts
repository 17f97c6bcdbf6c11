/** What isn't sent: everything of the pages in `data-exclude`. */
import { own } from '../own.ts';
import type { Send } from '../part-types.ts';
import { dataset } from '../script-tag.ts';
import type { TrackerEvent } from '../wire.ts';

/** Percent-encoded text as people write it. */
const decode = (path: string): string => {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
};

/** `*` stands for anything, all else for itself. A slash at the end changes nothing, neither here nor in a page's path. */
const toPattern = (path: string): RegExp =>
  RegExp(
    `^${decode(path)
      .replace(/\/+$/, '')
      .replace(/[^\w/*]/g, '\\$&')
      .replace(/\*/g, '.*')}/*$`,
    's',
  );

/** A page of the site without its query, with the route of a hash-routed app. */
const pathOf = ({ pathname, hash }: URL): string =>
  decode(pathname + (/^#!?\//.test(hash) ? hash.split('?')[0] : ''));

/** Returns the function that sends what may be sent, in place of `fetch`. */
export const createSend = (): Send => {
  const patterns = dataset.exclude?.match(/[^\s,][^,]*/g)?.map((path) => toPattern(path.trim()));
  const isExcluded = (address: string): unknown => {
    try {
      const url = new URL(address);
      return url.host === location.host && patterns?.some((pattern) => pattern.test(pathOf(url) + '/'));
    } catch {
      // No address, no path.
      return false;
    }
  };
  /** The page views that aren't sent; what is measured of them isn't sent either. */
  const hidden = new Set<string | undefined>();
  /** Where the visitor was before an excluded page. */
  let before: string = own('referrer');

  const isKept = (event: TrackerEvent): boolean => {
    if (event.url === undefined) return !hidden.has(event.pageId);
    const dropped = isExcluded(event.url);
    if (dropped && event.type === 'pageview') hidden.add(event.pageId);
    return !dropped;
  };

  /** An excluded page isn't named as a referrer either. */
  const withReferrer = (event: TrackerEvent): TrackerEvent => {
    if (event.type !== 'pageview') return event;
    const referrer = isExcluded(event.referrer) ? before : event.referrer;
    before = event.url;
    return { ...event, referrer: isExcluded(referrer) ? `${location.origin}/` : referrer };
  };

  return async (url, init) => {
    if (!init.body) return fetch(url, init);
    const body = JSON.parse(init.body as string) as { events: TrackerEvent[] };
    body.events = body.events.filter(isKept).map(withReferrer);
    // Nothing is left: what asked waits for ever, and does nothing more.
    if (body.events.length === 0) return new Promise(() => {});
    return fetch(url, { ...init, body: JSON.stringify(body) });
  };
};
