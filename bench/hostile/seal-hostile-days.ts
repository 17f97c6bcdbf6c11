/** Measures what a day costs whose events bring hostile properties, beside an ordinary day with as many events. */
import { randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { foldBatch } from '../../lib/collection/fold-batch.ts';
import type { StoredEvent, TrackMessage } from '../../lib/collection/track-message.ts';
import type { Sql } from '../../lib/db.ts';
import { median } from '../median.ts';
import { printTable, times } from '../print-table.ts';
import { countEvents, DAY_MS, inBatches, makeBenchSite, trafficOfDay } from '../traffic-of-day.ts';

const EVENTS = 20_000;
const ROUNDS = 3;
const AIM = 3;
const EVENTS_A_MESSAGE = 20;
const MESSAGES_A_BATCH = 100;
/** The limits of an event (lib/collection/track-message.ts). */
const PROPERTIES = 20;
/** The limits of a day (schema/functions/properties.sql, new-values.sql). */
const FREE = 5;
const FURTHER = 20_000;
/** As long as 20 values of an event may be within its 4 KB. */
const TEXT_LENGTH = 180;

interface Day {
  what: string;
  messages: (siteId: string, day: number) => TrackMessage[];
}

/** An event of the attack, and whose it is: of one visitor for each message, or of nobody. */
type Made = (n: number) => Pick<StoredEvent & { type: 'event' }, 'name' | 'props'>;

const properties = (value: (property: number) => string, key = (property: number) => `k${property}`) =>
  Object.fromEntries(Array.from({ length: PROPERTIES }, (_, n) => [key(n), value(n)]));
const random = (length: number) =>
  randomBytes(Math.ceil(length / 2))
    .toString('hex')
    .slice(0, length);

const newValues: Made = () => ({ name: 'a', props: properties(() => random(TEXT_LENGTH)) });
const newKeys: Made = () => ({
  name: 'a',
  props: properties(
    () => 'x',
    () => random(60),
  ),
});
/** As many as the day takes (schema/functions/properties.sql), and then as many as each event may have. */
const knownValues: Made = (n) => {
  const all = Object.entries(properties((property) => `v${(n + property) % 5}`));
  const isFurther = (n + 1) * (PROPERTIES - FREE) <= FURTHER;
  return { name: 'a', props: Object.fromEntries(isFurther ? all : all.slice(0, FREE)) };
};

/** Events without properties make room for large ones: as many properties as before, in fewer events. */
const unevenValues: Made = (n) => ({
  name: 'a',
  props: n % 10 < 7 ? {} : properties((property) => `v${(n + property) % 5}`),
});

const DAYS: Day[] = [
  { what: 'new values, in visits', messages: ofVisitors(newValues) },
  { what: 'new values, of nobody', messages: ofNobody(newValues) },
  { what: 'new keys, of nobody', messages: ofNobody(newKeys) },
  { what: 'known values, in visits', messages: ofVisitors(knownValues) },
  { what: 'known values, of nobody', messages: ofNobody(knownValues) },
  { what: 'known values, few large events', messages: ofNobody(unevenValues) },
  { what: 'known values, of page views', messages: ofNobody(knownValues, 'pageview') },
];

interface Cost {
  foldMs: number;
  sealMs: number;
}

/** Measures every kind of day in each round, so that a busy moment slows all of them. */
export async function sealHostileDays(sql: Sql, client: pg.ClientBase): Promise<void> {
  const ordinary: Cost[] = [];
  const costs = DAYS.map((): Cost[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    ordinary.push(await measureDay(sql, client, (siteId, day) => trafficOfDay(siteId, day, EVENTS)));
    for (const [n, { messages }] of DAYS.entries()) costs[n]?.push(await measureDay(sql, client, messages));
  }
  const rows = (key: keyof Cost) =>
    DAYS.map(({ what }, n) => {
      const [ms, usual] = [costs[n] ?? [], ordinary].map((all) => median(all.map((cost) => cost[key])));
      return {
        what,
        figure: `${((ms ?? 0) / 1000).toFixed(2)} s`,
        baseline: `ordinary day: ${((usual ?? 1) / 1000).toFixed(2)} s`,
        ratio: times((ms ?? 0) / (usual ?? 1)),
        aim: `at most ${times(AIM, 0)}`,
      };
    });
  const title = `events with up to ${PROPERTIES} properties each; medians of ${ROUNDS}, ${EVENTS} events a day`;
  printTable(`Sealing a day of ${title}`, rows('sealMs'));
  printTable(
    `Folding a day of ${title}`,
    rows('foldMs').map(({ aim: _, ...row }) => row),
  );
}

async function measureDay(sql: Sql, client: pg.ClientBase, messages: Day['messages']): Promise<Cost> {
  const { siteId } = await makeBenchSite(sql);
  const now = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const day = now - DAY_MS;
  const sent = messages(siteId, day);
  if (Math.abs(countEvents(sent) / EVENTS - 1) > 0.2)
    throw new Error(`the day has ${countEvents(sent)} events`);
  const foldMs = await timed(async () => {
    for (const batch of inBatches(sent, MESSAGES_A_BATCH)) await foldBatch(sql, batch, now);
  });
  await client.query('analyze');
  const [site] =
    await sql`select key, ${new Date(day).toISOString().slice(0, 10)} as day from sites where id = ${siteId}`;
  const sealMs = await timed(async () => {
    await client.query('select begin_seal($1, $2, $3)', [
      site?.key,
      site?.day,
      new Date(now + DAY_MS).toISOString(),
    ]);
    await client.query('select end_seal($1, $2)', [site?.key, site?.day]);
  });
  return { foldMs, sealMs };
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function ofNobody(made: Made, type: 'event' | 'pageview' = 'event'): Day['messages'] {
  return (siteId, day) => messagesOf(siteId, day, made, type, () => ({ tier: 1 }));
}

function ofVisitors(made: Made): Day['messages'] {
  return (siteId, day) =>
    messagesOf(siteId, day, made, 'event', () => ({ tier: 3, visitorId: randomUUID() }));
}

function messagesOf(
  siteId: string,
  day: number,
  made: Made,
  type: 'event' | 'pageview',
  whose: () => Pick<TrackMessage, 'tier' | 'visitorId'>,
): TrackMessage[] {
  const numbers = Array.from({ length: EVENTS }, (_, n) => n);
  return inBatches(numbers, EVENTS_A_MESSAGE).map((ofMessage) => ({
    ...{ version: 1, siteId, continued: false, country: 'PT', device: 'desktop', browser: 'Firefox' },
    ...whose(),
    events: ofMessage.map((n): StoredEvent => {
      const { name, props } = made(n);
      const common = {
        id: randomUUID(),
        at: day + Math.floor((n / EVENTS) * DAY_MS),
        hostname: 'localhost',
        path: '/',
      };
      return type === 'event' ? { type, ...common, name, props } : { type, ...common, entry: true, props };
    }),
  }));
}
