import type { Tier } from '../privacy/tier.ts';
import type { FactId } from './facts.ts';

/** Whose consent is required: everybody's, only that of visitors in some territories, or nobody's (no policy was saved). */
export type Asked = 'required' | 'regional' | 'nobody';

/** All texts of one language. Sentences are whole, so that translations are free in word order. */
export interface Wording {
  heading: string;
  /** @param domain the site's domain */
  intro: (domain: string) => string;
  tiers: Record<Tier, { name: string; why: string }>;
  facts: Record<FactId, { what: string; purpose: string }>;
  kept: {
    raw: string;
    unstored: string;
    /** `months` is null without a policy. */
    visits: (months: number | null) => string;
  };
  applies: {
    gpc: string;
    dnt: string;
    /** Visitors without consent. */
    withoutConsent: Record<Asked, string>;
    /** Visitors at tier 3. */
    withConsent: Record<Asked, string>;
    /** Why a visitor who agreed may still get only tier 2. */
    withoutStorage: string;
    withoutSalt: string;
  };
  sections: {
    who: string;
    what: string;
    /** Column headings before and after the columns of the tiers. */
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
