/**
 * Generates traffic for the demo site. The same seed gives the same traffic, so that reports of different days can be
 * compared.
 */
import { DropReason, type TrackMessage } from '../../lib/collection/track-message.ts';
import { generateVisit } from './generate-visit.ts';
import { createRandom, mixSeeds, type Random } from './seeded-random.ts';
import { BURST, NEWSLETTER, ORIGINS, type Origin } from './visit-origins.ts';

export interface TrafficOptions {
  siteId: string;
  seed: number;
  /** Number of visits on an average weekday. */
  visitsPerDay?: number;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Share of a day's visits by UTC hour: a European evening with a lunch break, and a second wave from overseas. */
const HOURS = [9, 6, 5, 4, 4, 6, 12, 22, 32, 38, 40, 42, 45, 42, 39, 40, 43, 47, 54, 62, 64, 52, 33, 18].map(
  (weight, hour) => [hour, weight] as const,
);
/** From Sunday on. */
const WEEKDAYS = [0.72, 1, 1.34, 1.04, 1.02, 0.93, 0.68];
const SUNDAY_TO_TUESDAY_DAYS = 2;
const EPOCH_WEEKDAY = 4;
/** On this day of the month a post about the shop spread widely. */
export const BURST_DAY_OF_MONTH = 18;
const VISITS_A_DAY = 520;
const VISITORS_WHO_RETURN = 900;
/** Refused requests per day: minimum and maximum. */
const REFUSED: Record<DropReason, readonly [number, number]> = {
  bot: [4, 20],
  datacenter: [1, 6],
  spam: [0, 5],
  hostname: [0, 3],
  tier: [1, 8],
  invalid: [0, 2],
};
/** For the present visitors: how long they stay, and their number. */
const PRESENT_MS = 3 * 60_000;
const PRESENT_VISITS = 24;

/**
 * All messages that `track` would have queued for one UTC day, ordered by time. Tier 3 visitors come from one population, so some
 * return on the same day or on later days.
 *
 * @param day epoch milliseconds of the day's start
 */
export function generateDay(options: TrafficOptions, day: number): TrackMessage[] {
  const dayNumber = Math.floor(day / DAY_MS);
  const random = createRandom(mixSeeds(options.seed, dayNumber));
  const visits = Array.from({ length: countVisits(options, dayNumber, random) }, () =>
    generateVisit({
      siteId: options.siteId,
      startsAt: day + random.pick(HOURS) * HOUR_MS + random.between(0, HOUR_MS - 1),
      origin: chooseOrigin(dayNumber, random),
      visitorId: chooseVisitor(options, random),
      random,
    }),
  );
  const refused = DropReason.options.flatMap((reason) =>
    Array.from({ length: random.between(...REFUSED[reason]) }, () =>
      refuse(options.siteId, day, reason, random),
    ),
  );
  const withinDay = [...visits.flat(), ...refused].filter((message) => startOf(message) < day + DAY_MS);
  return withinDay.sort((a, b) => startOf(a) - startOf(b));
}

/**
 * Messages of the visitors who are on the site at an instant (epoch milliseconds), up to this instant, ordered by time. The result is
 * the same within a minute, so it is stored once.
 */
export function generatePresent(options: TrafficOptions, now: number): TrackMessage[] {
  const minute = now - (now % MINUTE_MS);
  const random = createRandom(mixSeeds(options.seed, Math.floor(minute / MINUTE_MS)));
  const messages = Array.from({ length: PRESENT_VISITS }, () =>
    generateVisit({
      siteId: options.siteId,
      startsAt: minute - random.between(0, PRESENT_MS),
      origin: random.pick(ORIGINS),
      visitorId: chooseVisitor(options, random),
      random,
    }),
  ).flat();
  const past = messages.filter(({ events }) => events.every(({ at }) => at <= minute));
  return past.sort((a, b) => startOf(a) - startOf(b));
}

/** The time of a message's first event, in epoch milliseconds. */
export const startOf = ({ events }: TrackMessage): number => events[0]?.at ?? 0;

const weekdayOf = (dayNumber: number): number => (dayNumber + EPOCH_WEEKDAY) % 7;

/** Days since 1970. */
export const isBurst = (dayNumber: number): boolean =>
  new Date(dayNumber * DAY_MS).getUTCDate() === BURST_DAY_OF_MONTH;

function countVisits(
  { visitsPerDay = VISITS_A_DAY }: TrafficOptions,
  dayNumber: number,
  random: Random,
): number {
  const noise = 0.9 + random.next() * 0.2;
  return Math.round(
    visitsPerDay * (WEEKDAYS[weekdayOf(dayNumber)] ?? 1) * noise * (isBurst(dayNumber) ? 1.9 : 1),
  );
}

function chooseOrigin(dayNumber: number, random: Random): Origin {
  if (isBurst(dayNumber) && random.chance(0.45)) return BURST;
  if (weekdayOf(dayNumber) === SUNDAY_TO_TUESDAY_DAYS && random.chance(0.3)) return NEWSLETTER;
  return random.pick(ORIGINS);
}

/** Six in ten visitors are new; some of the others come much more often than the rest. A small site has few visitors. */
function chooseVisitor({ seed, visitsPerDay = VISITS_A_DAY }: TrafficOptions, random: Random): string {
  if (random.chance(0.6)) return random.uuid();
  const those = Math.min(VISITORS_WHO_RETURN, 2 * visitsPerDay);
  const rank = Math.floor(those * random.next() ** 2);
  return createRandom(mixSeeds(seed, 0x7e7, rank)).uuid();
}

function refuse(siteId: string, day: number, reason: DropReason, random: Random): TrackMessage {
  const minute = random.between(0, 24 * 60 - 1) * MINUTE_MS;
  return {
    version: 1,
    siteId,
    tier: 0,
    continued: false,
    events: [{ type: 'dropped', id: random.uuid(), at: day + minute, reason }],
  };
}
