/**
 * The queue, the requests, and the tier that the server allows: asked once a page and updated by every answer. Events wait in memory
 * until the tier is known, and are cut to it when they are sent. It is one module, because only the module that declares a variable
 * can set it, and setters for others would cost bytes.
 */

import { measure, notice } from './load-parts.ts';
import { page } from './page-views.ts';
import type { Moment } from './part-types.ts';
import { dataset, site, src } from './script-tag.ts';
import { drop, keep, recall } from './storage.ts';
import { uuid } from './uuid.ts';
import type { Answer, PageView, TrackerEvent } from './wire.ts';

/** 13 months at most (the French regulator's exemption), counted from when the id was made and never prolonged. */
const LIFETIME_MS = 395 * 864e5;
const SESSION_MS = 18e5;

/** Global Privacy Control: nothing is sent, whatever the visitor says later. */
let stopped: unknown = navigator.globalPrivacyControl;
/** Undefined: not known yet, all events wait. 0: nothing is sent. */
export let tier: number | null | undefined;
let failures = 0;
export let consent: VendorConsent | undefined;
/** The moment since which the page is visible: `blur` if it was visible at the start, or a later one. Until then nothing is sent. */
export let started: Moment | undefined;
/** The visitor's first-party id; at tier 3 only. */
let visitor: string | undefined;
/** True if this session continues a visit that was counted without the id. */
let continued: true | undefined;
/** Truthy if the visit has already been counted without the id. */
let counted: unknown;

let queue: TrackerEvent[] = [];
let timer: number | undefined;

/** After a failure nothing is asked before the next page view or call of `consent`, to spare an endpoint that is down. */
export const ask = (): unknown =>
  started && (tier ?? request('policy?site=' + site + (consent ? '&consent=' + consent : '')));

const forget = (): void => {
  counted ||= !!visitor;
  continued = visitor = undefined;
  try {
    drop();
  } catch {}
};

/** At most 100 events wait. The delay lets a router set the title of its new page, and puts several events into one request. */
export const enqueue = (event: TrackerEvent): void => {
  event.pageId = (page as PageView)?.pageId;
  event.id = uuid();
  if (!queue[99]) queue.push(event);
  timer ||= setTimeout(flush, 99);
};

/**
 * Asks for the policy or sends events. `fetch` with `keepalive` outlives the page like a beacon but sends no cookie; text needs no
 * preflight. Events that failed are sent again with the next ones, each alone, so that a refused event doesn't take others with it.
 */
export const request = async (
  path: string,
  events?: TrackerEvent[] | false,
  asked = consent,
  known = visitor,
): Promise<void> => {
  try {
    const response = await fetch(new URL('api/v1/' + path, dataset.api || src), {
      method: events && 'POST',
      credentials: 'omit',
      keepalive: true,
      body:
        events &&
        JSON.stringify({
          consent,
          continued,
          visitorId: visitor,
          site,
          events: events.map((event) =>
            (tier as number) > 1 && event === page
              ? {
                  ...event,
                  screen: screen.width + 'x' + screen.height,
                  title: document.title,
                  language: navigator.language,
                }
              : event,
          ),
        }),
    } as RequestInit);
    const answer: Answer = response.status === 204 ? { stop: '', maxTier: 0 } : await response.json();
    let { stop, maxTier, cap }: { stop?: string; maxTier: number; cap?: unknown } = answer.policy || answer;
    counted ||= events && maxTier && !known;
    // Ignores the answer if the visitor's consent changed after the request.
    if (consent === asked && maxTier >= 0) {
      // The browser's own `"1"`, 1 or `"yes"` counts, even if the server didn't see the header.
      cap ||= /1|y/.test(navigator.doNotTrack as string);
      // True for `gpc`, false for `policy`; an answer without a body has an empty text.
      stopped = (stop as string) < 'p';
      maxTier &&= cap ? 1 : maxTier;
      if (maxTier === 3) measure();
      else if (cap || visitor) forget();
      if (tier !== (tier = maxTier)) flush();
    }
    // The server has recorded the id of a dropped event, so the same page view needs a new id before it can be sent. Without a page
    // view this throws: at tier 0 nothing is left to do.
    if (maxTier === 0) (page as PageView).id = uuid();
    if (maxTier && response.ok) events = false;
  } catch {}
  if (events && failures++ < 5) queue.push(...events);
};

/** Sends the waiting events that may be sent. */
export const flush = (moment?: Moment): void => {
  if (!(document.hidden || started || !moment || stopped)) {
    started = moment;
    ask();
  }
  notice(moment);
  // Later events get their own delay: a new page may follow whose title isn't set yet.
  timer = clearTimeout(timer) as undefined;
  if (tier === 3)
    // With consent, finds or creates the id and updates the activity, at each moment. Without storage there is no id.
    try {
      const now = Date.now();
      // These are texts; the comparison and the subtraction convert them to numbers.
      let [id, end, active] = recall() as [string, number?, number?];
      // The stored id is gone: consent was withdrawn on another page, so no new id is created.
      if (visitor && !end) decide('denied');
      else {
        if (!(now < (end as number))) {
          id = uuid();
          end = now + LIFETIME_MS;
        }
        continued = (counted as true) || now - (active as number) < SESSION_MS || undefined;
        counted = false;
        keep([id, end, continued && now]);
        visitor = id;
      }
    } catch {}
  // At tier 0 only the view of the open page is kept for later consent; below tier 3 only `pageview` and `event`.
  queue = queue.filter((event) => tier === 3 || (tier !== 0 && /ev/.test(event.type)) || event === page);
  // The page is being left: if there is no policy answer yet, the least is sent and the server decides.
  while ((tier ?? (started && moment === 'pagehide')) && queue[0])
    request('track', queue.splice(0, failures ? 1 : 20));
};

/** `vendor.consent`. */
export const decide = (value: VendorConsent): void => {
  // Events from before consent are sent or dropped by the tier until now.
  // True for `denied`, false for `granted`.
  if (value < 'e') forget();
  else flush();
  if (!(consent === value || stopped)) {
    tier = null;
    consent = value;
    ask();
  }
};
