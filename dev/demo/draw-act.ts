/** The actions of visitors on the demo site, as its tracker sends them: `data-outbound`, tagged elements and so on. */
import type { StoredEvent } from '../../lib/collection/track-message.ts';
import type { Random } from './seeded-random.ts';
import { CHECKOUT, THANKS, type VisitedPage } from './visited-pages.ts';
import type { Machine } from './visitor-machines.ts';

type Act = Pick<Extract<StoredEvent, { type: 'event' }>, 'name' | 'props' | 'revenue'>;

/** The progress of a visit. */
export interface Progress {
  product?: string | undefined;
  hasPaid?: boolean;
}

const READING = [
  'https://luthiers-forum.example/strings',
  'https://en.wikipedia.org/wiki/Guitar_string',
  'https://www.youtube.com/watch',
] as const;
const PRICES = [
  ['9.90', 6],
  ['14.50', 3],
  ['29.00', 1],
] as const;
const CURRENCIES = [
  ['EUR', 8],
  ['USD', 2],
] as const;
const GAUGES = [
  ['light', 5],
  ['medium', 3],
] as const;

/** Share of those at the checkout who pay. Its form is hard to fill in on a phone. */
const PAYING = 0.66;
const PAYING_ON_PHONES = 0.24;

/** Draws an action on a page, before the visitor leaves it, and updates `progress`. */
export function actOn(
  { path }: VisitedPage,
  { progress, device, random }: { progress: Progress; device: Machine['device']; random: Random },
): Act[] {
  if (path === CHECKOUT.path)
    return random.chance(device === 'mobile' ? PAYING_ON_PHONES : PAYING) ? pay(progress, random) : [];
  const product = /^\/demo\/(strings|picks)/.exec(path)?.[1];
  if (product !== undefined && random.chance(0.2)) {
    progress.product = product;
    const props = product === 'strings' ? { product, gauge: random.pick(GAUGES) } : { product };
    return [{ name: 'Add to basket', props }];
  }
  if (path === '/demo' && random.chance(0.05))
    return [{ name: 'Form', props: { form: 'newsletter', action: THANKS.path } }];
  if (path.includes('/journal/') && random.chance(0.1)) {
    const url = READING[random.between(0, READING.length - 1)] ?? READING[0];
    return [{ name: 'Outbound link', props: { url } }];
  }
  if (path.startsWith('/demo/strings') && random.chance(0.07))
    return [{ name: 'Download', props: { url: 'http://localhost/demo/string-gauges.csv' } }];
  return [];
}

function pay(progress: Progress, random: Random): Act[] {
  const { product = 'strings' } = progress;
  progress.hasPaid = true;
  const revenue = { amount: random.pick(PRICES), currency: random.pick(CURRENCIES) };
  return [
    { name: 'Form', props: { form: 'checkout', action: THANKS.path } },
    { name: 'purchase', props: { product }, revenue },
  ];
}

/** The page to which the action leads, if any. */
export function nextPage(
  page: VisitedPage,
  { product, hasPaid }: Progress,
  random: Random,
): VisitedPage | undefined {
  if (page === CHECKOUT) return hasPaid ? THANKS : undefined;
  return product !== undefined && !hasPaid && random.chance(0.6) ? CHECKOUT : undefined;
}
