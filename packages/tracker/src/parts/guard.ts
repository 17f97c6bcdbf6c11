/**
 * What stands between the tracker and `fetch`, where an attribute asks for it: pages and browsers that are left out, properties of
 * page views, the page's own function, and callbacks.
 */
import { own } from '../own.ts';
import type { Debug, Send } from '../part-types.ts';
import { dataset } from '../script-tag.ts';
import { ignore, isIgnored } from '../storage.ts';
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

/** `data-prop-plan-type` is the property `plan-type`. After `prop-`, as the package has it, the key stands as it is. */
const readProps = (): VendorProps =>
  Object.fromEntries(
    Object.entries(dataset).flatMap(([name, value = '']) => {
      const [, key, attribute] = /^prop(?:-(.+)|([A-Z].*))/.exec(name) ?? [];
      const written = attribute?.replace(/[A-Z]/g, (letter) => '-' + letter.toLowerCase()).slice(1);
      return (key ?? written) ? [[key ?? written, value]] : [];
    }),
  );

/** Says each text once. */
const said = new Set<string>();
const warn = (text: string, ...more: unknown[]): void => {
  // biome-ignore lint/suspicious/noConsole: a message to the page's author
  if (said.size < said.add(text).size) console.warn('Vendor: ' + text, ...more);
};

/** The function of `data-before-send`. A global counts only if a script has set it: elements with that name don't. */
const beforeSend = (event: TrackerEvent): unknown => {
  const given: unknown = dataset.beforeSend;
  const change: unknown =
    typeof given === 'function'
      ? given
      : Object.hasOwn(self, given as string) && Reflect.get(self, given as string);
  if (typeof change === 'function')
    try {
      return change(event);
    } catch (error) {
      return warn('the function of data-before-send failed; the event was dropped.', error);
    }
  return warn('data-before-send names no function; nothing is sent without it.');
};

/** Returns the function that sends what may be sent, instead of `fetch`. */
export const createSend = ({ say, post }: Debug = { say: () => {}, post: fetch }): Send => {
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
  const props = readProps();

  /** With the attributes' properties. An excluded page isn't named as a referrer either. */
  const complete = (event: TrackerEvent): TrackerEvent => {
    if (event.type !== 'pageview') return event;
    const referrer = isExcluded(event.referrer) ? before : event.referrer;
    before = event.url;
    return {
      ...event,
      referrer: isExcluded(referrer) ? `${location.origin}/` : referrer,
      props: Object.keys(props)[0] ? { ...props, ...event.props } : event.props,
    };
  };

  /** The event as it is sent, or none. */
  const prepare = (event: TrackerEvent): TrackerEvent[] => {
    const drop = (why: 'excluded' | 'dropped'): [] => {
      say(why, event);
      if (event.type === 'pageview') hidden.add(event.pageId);
      return [];
    };
    if (event.url === undefined ? hidden.has(event.pageId) : isExcluded(event.url)) return drop('excluded');
    const completed = complete(event);
    const changed = 'beforeSend' in dataset ? beforeSend(completed) : completed;
    return changed && typeof changed === 'object' ? [changed as TrackerEvent] : drop('dropped');
  };

  if ('excludeSelf' in dataset)
    (self.vendor as Vendor).ignore = (value = true) => {
      if (!ignore(value)) warn('this browser stores nothing, so it can’t be left out.');
    };

  return async (url, init, given, tier) => {
    if ('excludeSelf' in dataset && isIgnored()) {
      say('ignored');
      // As where the policy lets nothing through.
      return new Response('{"maxTier":0}');
    }
    // The core of version 0.2 gives none with the question for the policy.
    if (!given?.[0]) return post(url, init);
    const body = JSON.parse(init.body as string) as { events: TrackerEvent[] };
    const events = body.events.flatMap(prepare);
    if (!events[0]) {
      given.splice(0);
      return new Response(JSON.stringify({ maxTier: tier }));
    }
    const response = await post(url, { ...init, body: JSON.stringify({ ...body, events }) });
    if ('callbacks' in dataset && response.status === 202)
      // In a promise a fault in one callback takes no other with it, and what is no function does nothing.
      for (const { id, callback } of given)
        if (events.some((event) => event.id === id)) Promise.resolve().then(callback);
    return response;
  };
};
