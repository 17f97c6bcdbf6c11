/** What the server allows, asked once a page and told anew by every answer. It decides; this obeys. */
import { flush, request } from './delivery.ts';
import { forget, identify, visitor } from './identity.ts';
import { load } from './parts.ts';
import { site } from './script.ts';
import type { Policy } from './wire.ts';

/** Global Privacy Control: nothing ever, whatever the visitor says later. */
let stopped = navigator.globalPrivacyControl;
/** Undefined: not known yet, everything waits. 0: nothing is sent. */
export let tier: number | undefined = stopped ? 0 : undefined;
export let consent: VendorConsent | undefined;
/** The page was seen: not only prerendered or opened in a background tab. */
export let started = false;

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
export const obey = (policy: Policy, asked: VendorConsent | undefined): void => {
  if (asked !== consent) return;
  const before = tier;
  // The browser's own `"1"`, 1 or `"yes"` counts, whether or not the server saw the header.
  const cap = policy.cap || /1|yes/.test(navigator.doNotTrack as string);
  stopped = policy.stop === 'gpc';
  tier = cap && policy.maxTier ? 1 : policy.maxTier;
  if (tier === 3) {
    if (!visitor) identify();
    load('measure');
  } else if (cap || visitor) forget();
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
