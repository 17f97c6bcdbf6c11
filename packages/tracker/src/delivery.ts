/** The queue and the requests. Events wait in memory until the tier is known, and are cut to it when they go. */
import { continued, identify, setCounted, visitor } from './identity.ts';
import { page } from './pages.ts';
import { consent, obey, started, tier } from './policy.ts';
import { dataset, site, src } from './script.ts';
import { uuid } from './uuid.ts';
import type { Answer, TrackerEvent } from './wire.ts';

let queue: TrackerEvent[] = [];
let failures = 0;
let timer = 0;

/** At most 100 are held. The delay lets a router set its new page's title, and makes one request of several events. */
export const enqueue = (event: TrackerEvent): void => {
  if (!queue[99]) queue.push(event);
  timer ||= setTimeout(flush, 100);
};

/**
 * `fetch` with `keepalive` outlives the page like a beacon but takes no cookie along; text needs no preflight. Events that
 * failed go again with the next ones, each alone, so that one that is refused takes no other with it.
 */
export const request = async (path: string, events: TrackerEvent[], body?: object): Promise<void> => {
  const asked = consent;
  const known = visitor;
  try {
    const response = await fetch(new URL(`/api/v1/${path}`, dataset.api || src), {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      credentials: 'omit',
      keepalive: true,
    });
    const answer: Answer = response.status === 204 ? { maxTier: 0, stop: 'gpc' } : await response.json();
    const policy = answer.policy ?? answer;
    if (events[0] && policy.maxTier && !known) setCounted();
    if (policy.maxTier >= 0) obey(policy, asked);
    // The server has noted a dropped event's id: the same view, once it may be sent, needs another.
    if (page && policy.maxTier === 0) page.id = uuid();
    if (response.ok && policy.maxTier) return;
  } catch {}
  if (events[0] && failures++ < 5) queue.push(...events);
};

/** `forGood`: the page goes away. If no policy was heard yet, the least is sent and the server decides alone. */
export const flush = (forGood?: unknown): void => {
  // What comes next has its own delay: a new page follows on this, with a title that isn't there yet.
  clearTimeout(timer);
  timer = 0;
  if (tier === 3 && queue[0]) identify();
  // At tier 0 nothing from before consent is kept, only the view of the page that is open.
  queue = queue.filter(
    (event) => tier === 3 || event === page || (tier !== 0 && event.type !== 'engagement'),
  );
  const shape = tier ?? (forGood && started ? 1 : 0);
  while (shape && queue[0]) {
    const events = queue.splice(0, failures ? 1 : 20);
    request('track', events, {
      site,
      consent,
      visitorId: visitor,
      continued,
      events: events.map((event) => ({
        ...event,
        ...(shape > 1 &&
          event === page && {
            title: document.title,
            language: navigator.language,
            screen: `${screen.width}x${screen.height}`,
          }),
      })),
    });
  }
};
