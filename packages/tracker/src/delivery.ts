/**
 * The queue, the requests, and the tier that the service allows: asked once a page and updated by every answer. Events wait in memory
 * until the tier is known, and are cut to it when they are sent. One request goes at a time, more only where the page is left or changes.
 * After a failure nothing goes for a minute or longer.
 */
import { loadNeeded, sender, signals } from './load-parts.ts';
import { own } from './own.ts';
import type { Moment } from './part-types.ts';
import { safe } from './safe.ts';
import { dataset, site, src } from './script-tag.ts';
import { hasDnt, hasGpc } from './signals.ts';
import { drop, keep, recall } from './storage.ts';
import { uuid } from './uuid.ts';
import { warn } from './warn.ts';
import type { Answer, Enqueue, PageView, Policy, TrackerEvent } from './wire.ts';

const MAX_WAITING = 100;
/** Lets a router set the title of its new page, and puts several events into one request. */
const DELAY_MS = 99;
const MINUTE_MS = 6e4;
/** Maximum number of pauses in a row, of 1, 2, 3 … minutes. It also ends a loop where a timer doesn't wait. */
const MAX_FAILURES = 10;
/** The answer where the browser sends Global Privacy Control. */
const GPC: Policy = { maxTier: 0, stop: 'gpc' };
/** 13 months at most (the French regulator's exemption), counted from when the id was made and never prolonged. */
const LIFETIME_MS = 395 * 864e5;

/** Of the last answer; undefined until there is one for the present consent. Then all events wait. At 0 nothing is sent. */
let tier: number | undefined;
/** The visitor's choice, as the page passed it on. */
let consent: VendorConsent | undefined;
/**
 * The moment since which the page is visible: `blur` if it was visible at the start. Until then nothing is sent. Empty: nothing is sent,
 * whatever the visitor says later (Global Privacy Control).
 */
let started: Moment | '' | undefined;
/** The present page view; none on an excluded page. */
let page: PageView | undefined;
/** The visitor's first-party id; at tier 3 only. */
let visitor: string | undefined;
/** That of the last events that the service took, null if they had none; the first id if it took none yet. */
let counted: string | null | undefined;

let queue: TrackerEvent[] = [];
/** A request is under way. One that asked for an earlier consent doesn't count. */
let pending = false;
/** In a row. */
let failures = 0;
let paused = false;

export const visitorId = (): string | undefined => visitor;

/** The page view that may be measured now; none below tier 3. */
export const measurable = (): PageView | false | undefined => tier === 3 && page;

/** Whether the page was visible when the script began. */
export const isSeenFromStart = (): boolean => started === 'blur';

const forget = safe(() => {
  visitor = undefined;
  drop();
});

const wait = safe((run: () => void, ms: number) => setTimeout(run, ms));

const wake = () => wait(() => flush(), DELAY_MS);

export const enqueue: Enqueue = (event) => {
  if (queue.length < MAX_WAITING) {
    // What can't be written throws here, and takes no other event with it.
    JSON.stringify(event);
    event.id = uuid();
    // A page view has its own id here too.
    event.pageId = page?.id;
    queue.push(event);
    wake();
  }
};

/** Opens a page view. Later events belong to it; what was measured until now belongs to the one before. */
export const openPage = (view: PageView): void => {
  if (started) flush('pageview');
  enqueue((page = view));
};

const mayGo = (urgent?: boolean): boolean => !paused && navigator.onLine !== false && (urgent || !pending);

const pause = (): void => {
  paused = true;
  if (failures++ < MAX_FAILURES)
    wait(() => {
      paused = false;
      flush();
    }, MINUTE_MS * failures);
};

const describe = (event: TrackerEvent): object =>
  (tier === 2 || tier === 3) && event === page
    ? {
        ...event,
        title: own('title'),
        screen: screen.width + 'x' + screen.height,
        language: navigator.language,
      }
    : event;

/** Each value is compared as a whole, and an unknown one means the most private. */
const obey = ({ maxTier, stop, cap }: Policy): void => {
  const isCapped = cap !== undefined || hasDnt();
  if (stop !== undefined || ![1, 2, 3].includes(maxTier)) tier = 0;
  else tier = isCapped ? 1 : maxTier;
  // Nothing may be sent, whatever the visitor says later.
  if (stop !== undefined && stop !== 'policy') started = '';
  if (!started || isCapped || (visitor && tier !== 3)) forget();
};

/**
 * Asks for the policy, or sends events. `fetch` with `keepalive` outlives the page like a beacon but sends no cookie; text needs no
 * preflight. Events that failed wait, and go again each alone, so that a refused event takes no others with it.
 */
const request = async (path: string, events: TrackerEvent[] = []): Promise<void> => {
  const asked = consent;
  const known = visitor;
  const before = tier;
  pending = true;
  try {
    const response = await (await sender)(
      new URL('api/v1/' + path, dataset.api || src),
      {
        method: events[0] && 'POST',
        keepalive: true,
        credentials: 'omit',
        body:
          events[0] &&
          JSON.stringify({
            site,
            visitorId: visitor,
            consent,
            continued: (visitor && counted !== visitor) || undefined,
            events: events.map(describe),
          }),
      } as RequestInit,
      events,
      tier,
    );
    const answer: Answer = response.status === 204 ? GPC : await response.json();
    const policy = answer.policy ?? answer;
    answer.warnings?.map(warn);
    if (!('maxTier' in policy)) throw response;
    // The answer is void if the visitor's consent changed after the request.
    if (consent === asked) obey(policy);
    if (!response.ok) throw response;
    failures = 0;
    // At tier 0 the service takes nothing.
    if (policy.maxTier && events[0]) {
      counted = known ?? null;
      events = [];
    }
  } catch {
    pause();
  }
  queue.unshift(...events);
  if (consent === asked) pending = false;
  if (tier === before) wake();
  else flush();
};

const isAllowed = (event: TrackerEvent): boolean =>
  tier === 3 ||
  // At tier 0 the view of the open page is kept for later consent.
  event === page ||
  (tier !== 0 && (event.type === 'pageview' || event.type === 'event'));

/**
 * Finds the visitor's id, or makes one. Without storage, or where it has no room or keeps nothing, there is no id. Returns whether another
 * page has deleted it meanwhile, since consent was withdrawn there.
 */
const identify = safe((): boolean => {
  const now = Date.now();
  let [id, end] = recall();
  if (visitor && !end) return true;
  if (tier === 3 && !(now < end)) {
    keep(uuid(), now + LIFETIME_MS);
    [id, end] = recall();
  }
  if (now < end && visitor !== id) {
    visitor = id;
    // Says at once that the visit goes on from this page, for later pages don't know it.
    if (counted === undefined) counted = id;
    else if (page) enqueue({ type: 'consent', url: page.url });
  }
  return false;
});

/** Called at each moment of the page, and by a timer. */
export const flush = safe((moment?: Moment): void => {
  const hidden = own('hidden');
  // Without an answer the least is sent when the page is left, and the service decides.
  const leaving = moment === 'pagehide';
  if (!hidden) started ??= moment;
  if (!started) return;
  loadNeeded(tier === 3);
  signals.see?.(moment);
  // Before the tier is known an id is looked for only with consent, and only for what is sent now.
  const mayHaveId = tier === 3 || (leaving && tier === undefined && consent === 'granted' && !hasDnt());
  if (mayHaveId && identify()) decide('denied');
  else {
    queue = queue.filter(isAllowed);
    if (tier === undefined && !leaving) {
      if (mayGo()) request('policy?site=' + site + (consent ? '&consent=' + consent : ''));
    } else
      while (tier !== 0 && queue[0] && mayGo(hidden || !!moment))
        request('track', queue.splice(0, failures ? 1 : 20));
    if (leaving && tier === 0) forget();
  }
});

/** `vendor.consent`. */
export const decide = safe((given: unknown): void => {
  const value = given === 'granted' ? given : 'denied';
  if (value === 'denied') forget();
  // Events from before consent are sent or dropped by the tier until now.
  else if (tier !== undefined) flush('consent');
  if (value !== consent) {
    consent = value;
    tier = undefined;
    pending = false;
    flush();
  }
});

/** Begins to send, unless the browser says Global Privacy Control. */
export const startDelivery = safe((): void => {
  if (hasGpc()) obey(GPC);
  else flush('blur');
});
