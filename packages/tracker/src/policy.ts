/** What the server allows, asked once a page and told anew by every answer. It decides; this obeys. */
import { flush, request } from './delivery.ts';
import { forget, identify, visitor } from './identity.ts';
import { page } from './pages.ts';
import { measure } from './parts.ts';
import { site } from './script.ts';
import type { PageView, Policy } from './wire.ts';

/** Global Privacy Control: nothing ever, whatever the visitor says later. */
let stopped: unknown = navigator.globalPrivacyControl;
/** Undefined: not known yet, everything waits. 0: nothing is sent. */
export let tier: number | undefined = stopped ? 0 : undefined;
export let consent: VendorConsent | undefined;
/** The page was seen: not only prerendered or opened in a background tab. */
export let started: true | undefined;

/** The page view that may be measured now; none below tier 3. */
export const measurable = (): PageView | false | undefined => tier === 3 && page;

/** A failure is not repeated before the next page view or word of consent: an endpoint that is down isn't hammered. */
export const ask = (): void => {
  if (started && tier === undefined) request('policy?site=' + site + (consent ? '&consent=' + consent : ''));
};

export const start = (): void => {
  if (!(started || document.hidden)) {
    started = true;
    ask();
  }
};

/** `asked` is the consent that the answer is about: one that another word of the visitor has overtaken is void. */
export const obey = ({ maxTier, stop, cap }: Policy, asked: VendorConsent | undefined): void => {
  if (asked !== consent) return;
  const before = tier;
  // The browser's own `"1"`, 1 or `"yes"` counts, whether or not the server saw the header.
  const capped = cap || /1|yes/.test(navigator.doNotTrack as string);
  stopped = stop === 'gpc';
  tier = capped && maxTier ? 1 : maxTier;
  if (tier === 3) {
    if (!visitor) identify();
    measure();
  } else if (capped || visitor) forget();
  if (tier !== before) flush();
};

/** `vendor.consent`. */
export const decide = (value: VendorConsent): void => {
  // What happened before consent goes, or is dropped, as the tier until now has it.
  if (value === 'denied') forget();
  else flush();
  if (!stopped && value !== consent) {
    consent = value;
    tier = undefined;
    ask();
  }
};
