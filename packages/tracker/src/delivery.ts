/** The queue and the requests. Events wait in memory until the tier is known, and are cut to it when they go. */
import { continued, identify, setCounted, visitor } from './identity.ts';
import { page } from './pages.ts';
import type { Moment } from './part.ts';
import { notice } from './parts.ts';
import { consent, obey, started, tier } from './policy.ts';
import { dataset, site, src } from './script.ts';
import { uuid } from './uuid.ts';
import type { Answer, TrackerEvent } from './wire.ts';

let queue: TrackerEvent[] = [];
let failures = 0;
let timer: number | undefined;
/** The tier that events are cut to as they go; 0: none goes. */
let shape: number;

/** At most 100 are held. The delay lets a router set its new page's title, and makes one request of several events. */
export const enqueue = (event: TrackerEvent): void => {
  event.id = uuid();
  event.pageId ??= page?.pageId;
  if (!queue[99]) queue.push(event);
  timer ||= setTimeout(flush, 100);
};

/**
 * `fetch` with `keepalive` outlives the page like a beacon but takes no cookie along; text needs no preflight. Events that
 * failed go again with the next ones, each alone, so that one that is refused takes no other with it.
 */
export const request = async (path: string, events?: TrackerEvent[]): Promise<void> => {
  const asked = consent;
  const known = visitor;
  try {
    const response = await fetch(new URL('api/v1/' + path, dataset.api || src), {
      ...(events && {
        method: 'POST',
        body: JSON.stringify({
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
                screen: screen.width + 'x' + screen.height,
              }),
          })),
        }),
      }),
      credentials: 'omit',
      keepalive: true,
    });
    const answer: Answer = response.status === 204 ? { maxTier: 0, stop: 'gpc' } : await response.json();
    const policy = answer.policy || answer;
    const { maxTier } = policy;
    if (events && maxTier && !known) setCounted();
    if (maxTier >= 0) obey(policy, asked);
    // The server has noted a dropped event's id: the same view, once it may be sent, needs another.
    if (page && maxTier === 0) page.id = uuid();
    if (response.ok && maxTier) return;
  } catch {}
  if (events && failures++ < 5) queue.push(...events);
};

/** A moment of leaving for good: if no policy was heard yet, the least is sent and the server decides alone. */
export const flush = (moment?: Moment): void => {
  notice(moment);
  // What comes next has its own delay: a new page follows on this, with a title that isn't there yet.
  clearTimeout(timer);
  timer = undefined;
  if (tier === 3 && queue[0]) identify();
  // At tier 0 nothing from before consent is kept, only the view of the page that is open.
  queue = queue.filter(
    (event) => tier === 3 || event === page || (tier !== 0 && event.url && event.type < 'v'),
  );
  shape = tier ?? (moment && started ? 1 : 0);
  while (shape && queue[0]) request('track', queue.splice(0, failures ? 1 : 20));
};
