import type { Tier } from '../privacy/tier.ts';
import type { FactId } from './facts.ts';

/** Who is asked before more is collected: everybody, visitors of some territories, or nobody (no policy was saved). */
export type Asked = 'required' | 'regional' | 'nobody';

/** All that one language says. Sentences are whole, so that a translation is free in how it builds them. */
export interface Wording {
  heading: string;
  /** @param domain the site's */
  intro: (domain: string) => string;
  tiers: Record<Tier, { name: string; why: string }>;
  facts: Record<FactId, { what: string; purpose: string }>;
  kept: {
    raw: string;
    unstored: string;
    /** Without a policy `months` is null. */
    visits: (months: number | null) => string;
  };
  applies: {
    gpc: string;
    dnt: string;
    /** Those who haven't agreed. */
    withoutConsent: Record<Asked, string>;
    /** Those of whom most is collected. */
    withConsent: Record<Asked, string>;
    /** Why less than tier 3 may be stored of somebody who agreed. */
    withoutStorage: string;
    withoutSalt: string;
  };
  sections: {
    who: string;
    what: string;
    /** Heads of the table, before the tiers and after them. */
    table: { what: string; purpose: string; kept: string };
    never: { heading: string; text: string };
    personal: string;
    ownData: string;
    browser: { heading: string; below: string; consented: string };
    choices: { heading: string; items: readonly string[]; withdrawal: string };
    keeping: { heading: string; items: (months: number | null) => readonly string[] };
    processors: { heading: string; text: string };
    rights: { heading: string; text: string };
  };
}
