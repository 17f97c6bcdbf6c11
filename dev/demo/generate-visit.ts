import type { StoredEvent, TrackMessage } from '../../lib/collection/track-message.ts';
import { type FieldOf, fieldOf, VISIT_DIMENSIONS } from '../../lib/visits/dimensions.ts';
import { actOn, nextPage, type Progress } from './draw-act.ts';
import { drawVitals } from './draw-vitals.ts';
import type { Random } from './seeded-random.ts';
import type { Origin } from './visit-origins.ts';
import { ENTRIES, PAGES, THANKS, type VisitedPage } from './visited-pages.ts';
import { COUNTRIES } from './visitor-countries.ts';
import { MACHINES, type Machine } from './visitor-machines.ts';

/** The site's host and a second host of the site. */
const HOSTNAMES = [
  ['localhost', 9],
  ['shop.localhost', 1],
] as const;
const MINUTE_MS = 60_000;
const MAX_PAGES = 9;

export interface VisitOptions {
  siteId: string;
  /** Epoch milliseconds. */
  startsAt: number;
  origin: Origin;
  /** The visitor's own id, at tier 3. */
  visitorId: string;
  random: Random;
}

type Tier = 1 | 2 | 3;

const TIERS: readonly (readonly [Tier, number])[] = [
  [1, 40],
  [2, 25],
  [3, 35],
];

type Person = Required<Pick<TrackMessage, FieldOf<'profile' | 'place'>>>;

/** What a visit at the tier may have of its visitor. */
const cutTo = (tier: Tier, person: Person): Partial<Person> =>
  Object.fromEntries(
    VISIT_DIMENSIONS.filter(
      ({ dictionary, lowestTier }) => dictionary !== 'origin' && lowestTier <= tier,
    ).map(({ name }) => [fieldOf(name), person[fieldOf(name) as keyof Person]]),
  );

/** One person's visit as the messages that `track` would have queued, each cut to its tier. */
export function generateVisit({ siteId, startsAt, origin, visitorId, random }: VisitOptions): TrackMessage[] {
  const tier = random.pick(TIERS);
  const { screen, ...machine } = random.pick(MACHINES);
  const { country, languages, towns } = random.pick(COUNTRIES);
  const language = random.pick(languages);
  const person: Person = { ...machine, country, ...random.pick(towns), language };
  const hostname = random.pick(HOSTNAMES);
  const progress: Progress = {};
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
      ...cutTo(present, person),
      ...(present >= 2 && { visitorId: present === 3 ? visitorId : dayHash, screen }),
    };
    const seconds = random.between(4, 30) + (random.chance(0.3) ? random.between(20, 240) : 0);
    const pageId = random.uuid();
    const moment = { tier: present, hostname, pageId, random, device: person.device };
    messages.push({ ...header, events: [viewPage(page, { ...moment, at, index, origin })] });
    const acts = followPage(page, { ...moment, at: at + seconds * 1000, seconds, progress });
    if (present === 3 && random.chance(0.8))
      acts.push({
        type: 'vitals',
        id: random.uuid(),
        at: at + seconds * 1000 + 2,
        hostname,
        path: page.path,
        pageId,
        ...drawVitals(person.device, page.path, random),
      });
    if (acts.length > 0) messages.push({ ...header, events: acts });
    const next = nextPage(page, progress, random);
    if (page === THANKS || (next === undefined && random.chance(0.46))) break;
    at += (seconds + random.between(1, 8)) * 1000;
    page = next ?? random.pick(PAGES);
  }
  return messages;
}

interface PageMoment {
  tier: Tier;
  at: number;
  hostname: string;
  pageId: string;
  device: Machine['device'];
  random: Random;
}

/** Tier 1 stores only the minute. */
const momentAt = (tier: Tier, at: number): number => (tier === 1 ? at - (at % MINUTE_MS) : at);

function viewPage(
  page: VisitedPage,
  { tier, at, hostname, index, origin, pageId, random }: PageMoment & { index: number; origin: Origin },
): StoredEvent {
  const view = { id: random.uuid(), at: momentAt(tier, at), hostname, path: page.path };
  const arrival = index === 0 ? { entry: true, ...origin } : { entry: false };
  const known = tier === 1 ? {} : { pageId, title: page.title };
  const { author } = page;
  return { type: 'pageview', ...view, ...arrival, ...known, ...(author && { props: { author } }) };
}

/** Events until the visitor leaves the page: actions, and engagement at tier 3. */
function followPage(
  page: VisitedPage,
  {
    tier,
    at,
    hostname,
    seconds,
    pageId,
    progress,
    device,
    random,
  }: PageMoment & { seconds: number; progress: Progress },
): StoredEvent[] {
  const events: StoredEvent[] = actOn(page, { progress, device, random }).map((act, index) => ({
    type: 'event',
    id: random.uuid(),
    at: momentAt(tier, at + index),
    hostname,
    path: page.path,
    ...act,
    ...(tier > 1 && { pageId }),
  }));
  if (tier === 3) {
    const scrollDepth = Math.min(100, random.between(20, 60) + Math.floor(seconds / 2));
    events.push({
      type: 'engagement',
      id: random.uuid(),
      at: at + events.length,
      pageId,
      seconds,
      scrollDepth,
    });
  }
  return events;
}
