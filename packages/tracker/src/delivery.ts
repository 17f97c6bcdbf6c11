/**
 * The queue, the requests, and the tier that the server allows: asked once a page and updated by every answer. Events wait in memory
 * until the tier is known, and are cut to it when they are sent. It is one module, because only the module that declares a variable
 * can set it, and setters for others would cost bytes.
 */

import { measure, send, signals, watched } from './load-parts.ts';
import { own } from './own.ts';
import { page } from './page-views.ts';
import type { Moment } from './part-types.ts';
import { dataset, site, src } from './script-tag.ts';
import { drop, keep, recall } from './storage.ts';
import { uuid } from './uuid.ts';
import type { Answer, Enqueue, PageView, TrackerEvent } from './wire.ts';

/** 13 months at most (the French regulator's exemption), counted from when the id was made and never prolonged. */
const LIFETIME_MS = 395 * 864e5;

/** Global Privacy Control: nothing is sent, whatever the visitor says later. */
export let stopped: unknown = navigator.globalPrivacyControl;
/** Do Not Track as the browser itself says it, `"1"`, 1 or `"yes"`: it counts even if the server doesn't see the header. */
const dnt = /1|y/.test(navigator.doNotTrack as string);
/** Undefined: not known yet, all events wait. 0: nothing is sent. */
export let tier: number | null | undefined;
let failures = 0;
export const visitorId = (): string | undefined => visitor;
export let consent: VendorConsent | undefined;
/** The moment since which the page is visible: `blur` if it was visible at the start, or a later one. Until then nothing is sent. */
export let started: Moment | undefined;
/** The visitor's first-party id; at tier 3 only. */
let visitor: string | undefined;
/** The page's first id, then that of the last events that the server took; 1 if they had none. Events with another id continue a visit. */
let counted: string | 1 | undefined;

let queue: TrackerEvent[] = [];

/** After a failure nothing is asked before the next page view or call of `consent`, to spare an endpoint that is down. */
export const ask = (..._: unknown[]): unknown =>
  started && (tier ?? request('policy?site=' + site + (consent ? '&consent=' + consent : '')));

export const forget = (): void => {
  visitor = undefined;
  try {
    drop();
  } catch {}
};

/** At most 100 events wait. The delay lets a router set the title of its new page, and puts several events into one request: the first
 * that is over sends them all. */
export const enqueue: Enqueue = (event) => {
  event.id = uuid();
  // A page view has its own id here too.
  event.pageId = (page as PageView)?.id;
  if (!queue[99]) queue.push(event);
  setTimeout(flush, 99);
};

/**
 * Asks for the policy or sends events. `fetch` with `keepalive` outlives the page like a beacon but sends no cookie; text needs no
 * preflight. Events that failed are sent again with the next ones, each alone, so that a refused event doesn't take others with it.
 */
export const request = async (
  path: string,
  events?: TrackerEvent[] | false,
  asked = consent,
  known: typeof counted = visitor || 1,
): Promise<void> => {
  try {
    const response = await (await send)(
      new URL('api/v1/' + path, dataset.api || src),
      {
        method: events && 'POST',
        keepalive: true,
        credentials: 'omit',
        body:
          events &&
          JSON.stringify({
            site,
            visitorId: visitor,
            consent,
            continued: (visitor && counted !== visitor) || undefined,
            events: events.map((event) =>
              (tier as number) > 1 && event === page
                ? {
                    ...event,
                    title: own('title'),
                    screen: screen.width + 'x' + screen.height,
                    language: navigator.language,
                  }
                : event,
            ),
          }),
      } as RequestInit,
      events,
    );
    const answer: Answer = response.status !== 204 ? await response.json() : { stop: '', maxTier: 0 };
    let { stop, maxTier, cap }: { stop?: string; maxTier: number; cap?: unknown } = answer.policy || answer;
    // biome-ignore lint/suspicious/noConsole: the page's author is told, each once
    answer.warnings?.map((text) => (signals[text] ||= !(console.warn(text) as unknown)));
    if (maxTier && events && response.ok) {
      counted = known;
      events = false;
    }
    // Ignores the answer if the visitor's consent changed after the request.
    if (consent === asked && maxTier >= 0) {
      // True for `gpc`, false for `policy`; an answer without a body has an empty text.
      stopped = (stop as string) < 'p';
      maxTier &&= cap || dnt ? 1 : maxTier;
      if (maxTier > 2) measure();
      else if (cap || dnt || stopped || visitor) forget();
      if (tier !== (tier = maxTier)) flush();
    }
  } catch {}
  if (events && failures++ < 5) queue.push(...events);
};

/** Sends the waiting events that may be sent. */
export const flush = (moment?: Moment): void => {
  started || stopped || own('hidden') || (moment && ask((started = moment)));
  signals.see?.(moment);
  watched();
  if (((tier ?? ((consent as string) === 'granted' && !dnt && 3)) as number) > 2)
    // With consent, finds or creates the id at each moment. Without storage there is no id.
    try {
      const now = Date.now();
      // These are texts; the comparison converts them to numbers.
      let [id, end] = recall() as [string, number?];
      // The stored id is gone: consent was withdrawn on another page, so no new id is created.
      if (visitor && !end) decide('denied');
      else {
        // Says at once whose visit this one continues, for later pages don't know it.
        if (page && counted && !visitor) enqueue({ type: 'engagement' });
        if (now < (end as number) || (tier && (id = uuid()) && keep([id, now + LIFETIME_MS]))) {
          visitor = id;
          counted ||= id;
        }
      }
    } catch {}
  // At tier 0 only the view of the open page is kept for later consent; below tier 3 only `pageview` and `event`.
  queue = queue.filter(
    (event) => (tier as number) > 2 || (tier !== 0 && /ev/.test(event.type)) || event === page,
  );
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
  if (!(consent === value || stopped)) ask((tier = null), (consent = value));
};
