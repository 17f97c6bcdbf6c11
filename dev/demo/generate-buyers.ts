/** Visits of buyers whose pages reported the trace in which the backend placed their order (docs/telemetry.md#journey-of-a-trace). */
import type { StoredEvent, TrackMessage } from '../../lib/collection/track-message.ts';
import type { TrafficOptions } from './generate-traffic.ts';
import { createRandom, mixSeeds, type Random } from './seeded-random.ts';
import type { Order } from './telemetry/backend-day.ts';
import { API_ORIGIN, PAGE_ORIGIN } from './telemetry/shop-requests.ts';
import { ORIGINS, type Origin } from './visit-origins.ts';
import { CHECKOUT, ENTRIES, PAGES, THANKS, type VisitedPage } from './visited-pages.ts';
import { COUNTRIES } from './visitor-countries.ts';
import { MACHINES } from './visitor-machines.ts';

/** Share of orders whose visitor consented. The others' pages tell of no trace. */
const CONSENTED = 0.2;
const HOSTNAME = new URL(PAGE_ORIGIN).hostname;
const PRODUCTS = PAGES.filter(([{ path }]) => path.startsWith('/demo/strings/'));

/**
 * The messages of those who ordered on the UTC day that begins at `day` (epoch milliseconds) and consented: a way to the checkout, the
 * association with the order's trace, and the purchase if the order was paid. An order always has the same visit.
 */
export const generateBuyers = (
  { siteId, seed }: TrafficOptions,
  day: number,
  orders: readonly Order[],
): TrackMessage[] =>
  orders.flatMap((order) => {
    const random = createRandom(mixSeeds(seed, Number.parseInt(order.traceId.slice(0, 8), 16)));
    if (!random.chance(CONSENTED)) return [];
    const visit = generateBuyer(siteId, order, random);
    return visit.every(({ events }) => events.every(({ at }) => at >= day)) ? visit : [];
  });

function generateBuyer(siteId: string, order: Order, random: Random): TrackMessage[] {
  const drawn = random.pick(MACHINES);
  // As elsewhere on the site, fewer buy on phones.
  const machine = drawn.device === 'mobile' ? random.pick(MACHINES) : drawn;
  const { country, languages, towns } = random.pick(COUNTRIES);
  const header = {
    ...{ version: 1 as const, siteId, tier: 3 as const, continued: false, visitorId: random.uuid() },
    ...{ ...machine, country, ...random.pick(towns), language: random.pick(languages) },
  };
  const endsAt = Math.ceil(order.endMs);
  const checkoutAt = order.startMs - random.between(15_000, 90_000);
  const productAt = checkoutAt - random.between(10_000, 120_000);
  const entryAt = productAt - random.between(5_000, 180_000);
  const thanksAt = endsAt + 400;
  const leavesAt = endsAt + random.between(5_000, 40_000);

  /** A page from its view until the next one, with what happened on it. */
  const view = (
    { path, title, author }: VisitedPage,
    [at, until]: readonly [number, number],
    origin?: Origin,
    act: (on: { pageId: string; hostname: string; path: string }) => StoredEvent[] = () => [],
  ): TrackMessage[] => {
    const pageId = random.uuid();
    const location = { pageId, hostname: HOSTNAME, path };
    const arrival = { entry: origin !== undefined, ...origin, ...(author && { props: { author } }) };
    const seconds = Math.floor((until - at) / 1000);
    return [
      { ...header, events: [{ type: 'pageview', id: random.uuid(), at, ...location, title, ...arrival }] },
      {
        ...header,
        events: [
          ...act(location),
          {
            ...{ type: 'engagement', id: random.uuid(), at: until - 1, pageId, seconds },
            scrollDepth: random.between(20, 100),
          },
        ],
      },
    ];
  };
  const event = (name: string, at: number) => ({ type: 'event' as const, id: random.uuid(), at, name });
  return [
    ...view(random.pick(ENTRIES), [entryAt, productAt], random.pick(ORIGINS)),
    ...view(random.pick(PRODUCTS), [productAt, checkoutAt], undefined, (on) => [
      { ...event('Add to basket', checkoutAt - 2), ...on, props: { product: 'strings' } },
    ]),
    ...view(CHECKOUT, [checkoutAt, order.isPaid ? thanksAt : leavesAt], undefined, (on) => [
      { ...event('Form', order.startMs), ...on, props: { form: 'checkout', action: THANKS.path } },
      {
        ...{ type: 'association', id: random.uuid(), at: endsAt + 40, pageId: on.pageId },
        ...{ traceId: order.traceId, origin: API_ORIGIN, status: order.status },
      },
      ...(order.isPaid ? [paid(order, { ...event('purchase', endsAt + 60), ...on })] : []),
    ]),
    ...(order.isPaid ? view(THANKS, [thanksAt, leavesAt]) : []),
  ];
}

const paid = ({ amount }: Order, event: Extract<StoredEvent, { type: 'event' }>): StoredEvent => ({
  ...event,
  ...{ props: { product: 'strings' }, revenue: { amount, currency: 'EUR' } },
});
