import type { StoredEvent, TrackMessage } from '../../lib/visits/message.ts';
import { ENTRIES, PAGES, type VisitedPage } from './pages.ts';
import { COUNTRIES, MACHINES, type Origin } from './population.ts';
import type { Random } from './random.ts';
import { drawVitals } from './vitals.ts';

const HOSTNAME = 'localhost';
const MINUTE_MS = 60_000;
const MAX_PAGES = 9;

export interface VisitOptions {
  siteId: string;
  /** Epoch milliseconds. */
  startsAt: number;
  origin: Origin;
  /** For tier 3: the visitor's own id. */
  visitorId: string;
  random: Random;
}

type Tier = 1 | 2 | 3;

const TIERS: readonly (readonly [Tier, number])[] = [
  [1, 40],
  [2, 25],
  [3, 35],
];

/** One person's visit as the messages that `track` would have queued, each with no more than its tier may hold. */
export function generateVisit({ siteId, startsAt, origin, visitorId, random }: VisitOptions): TrackMessage[] {
  const tier = random.pick(TIERS);
  const person = { ...random.pick(MACHINES), ...random.pick(COUNTRIES) };
  const language = random.pick(person.languages);
  const dayHash = random.uuid();
  const upgradesAt = tier < 3 && random.chance(0.06) ? random.between(1, 2) : MAX_PAGES;
  const messages: TrackMessage[] = [];
  let at = startsAt;
  let page = random.pick(ENTRIES);

  for (let index = 0; index < MAX_PAGES; index++) {
    const isUpgraded = index >= upgradesAt;
    const present = isUpgraded ? 3 : tier;
    const header = {
      version: 1 as const,
      siteId,
      tier: present,
      continued: isUpgraded,
      country: person.country,
      device: person.device,
      browser: person.browser,
      ...(present >= 2 && {
        visitorId: present === 3 ? visitorId : dayHash,
        language,
        screen: person.screen,
      }),
      ...(present === 3 && { os: person.os }),
    };
    const seconds = random.between(4, 30) + (random.chance(0.3) ? random.between(20, 240) : 0);
    const pageId = random.uuid();
    const view = viewPage(page, { tier: present, at, index, origin, pageId, random });
    messages.push({ ...header, events: [view] });
    const acts = followPage(page, { tier: present, at: at + seconds * 1000, seconds, pageId, random });
    if (present === 3 && random.chance(0.8))
      acts.push({
        type: 'vitals',
        id: random.uuid(),
        at: at + seconds * 1000 + 2,
        hostname: HOSTNAME,
        path: page.path,
        pageId,
        ...drawVitals(person.device, page.path, random),
      });
    if (acts.length > 0) messages.push({ ...header, events: acts });
    if (random.chance(0.46)) break;
    at += (seconds + random.between(1, 8)) * 1000;
    page = random.pick(PAGES);
  }
  return messages;
}

interface PageMoment {
  tier: Tier;
  at: number;
  pageId: string;
  random: Random;
}

/** Tier 1 knows the minute only. */
const momentAt = (tier: Tier, at: number): number => (tier === 1 ? at - (at % MINUTE_MS) : at);

function viewPage(
  page: VisitedPage,
  { tier, at, index, origin, pageId, random }: PageMoment & { index: number; origin: Origin },
): StoredEvent {
  const place = { id: random.uuid(), at: momentAt(tier, at), hostname: HOSTNAME, path: page.path };
  const arrival = index === 0 ? { entry: true, ...origin } : { entry: false };
  const known = tier === 1 ? {} : { pageId, title: page.title };
  return { type: 'pageview', ...place, ...arrival, ...known };
}

/** What is sent as the visitor leaves the page: a purchase now and then, and attention at tier 3. */
function followPage(
  page: VisitedPage,
  { tier, at, seconds, pageId, random }: PageMoment & { seconds: number },
): StoredEvent[] {
  const events: StoredEvent[] = [];
  if (page.path.startsWith('/demo/strings') && random.chance(0.09)) {
    events.push({
      type: 'event',
      id: random.uuid(),
      at: momentAt(tier, at),
      hostname: HOSTNAME,
      path: page.path,
      name: 'purchase',
      props: { product: 'strings' },
      revenue: {
        amount: random.pick([
          ['9.90', 6],
          ['14.50', 3],
          ['29.00', 1],
        ]),
        currency: 'EUR',
      },
      ...(tier > 1 && { pageId }),
    });
  }
  if (tier === 3) {
    const scrollDepth = Math.min(100, random.between(20, 60) + Math.floor(seconds / 2));
    events.push({ type: 'engagement', id: random.uuid(), at: at + 1, pageId, seconds, scrollDepth });
  }
  return events;
}
