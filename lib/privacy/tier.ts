import type { Consent, PreConsentTier, SitePolicy } from './policy.ts';
import { requiresConsent } from './territories.ts';

/** 0 nothing, 1 anonymous counts, 2 anonymous sessions, 3 consented analytics. */
export type Tier = 0 | 1 | 2 | 3;

/** The tracker policy answer (docs/tracker-protocol.md#policy-answer). */
export interface TierAnswer {
  maxTier: Tier;
  stop?: 'gpc' | 'policy';
  cap?: 'dnt';
}

export interface TierQuestion {
  /** The site's saved policy; null if none was saved. */
  policy: SitePolicy['privacy'];
  consent: Consent | undefined;
  gpc: boolean;
  dnt: boolean;
  /** As the edge names it; absent if it doesn't. */
  country: string | undefined;
}

const PRE_CONSENT: Record<PreConsentTier, Tier> = { off: 0, counts: 1, sessions: 2 };

/** A refusal on a site without a policy: counts, which is also the default of new policies. */
const DENIED_WITHOUT_POLICY: PreConsentTier = 'counts';

/** Decides the highest tier that may be stored for a visitor (docs/tracker-protocol.md#tier-decision). */
export function decideTier(question: TierQuestion): TierAnswer {
  if (question.gpc) return { maxTier: 0, stop: 'gpc' };
  const base = baseTier(question);
  const maxTier = question.dnt && base > 1 ? 1 : base;
  return {
    maxTier,
    ...(base === 0 && { stop: 'policy' as const }),
    ...(question.dnt && { cap: 'dnt' as const }),
  };
}

function baseTier({ policy, consent, country }: TierQuestion): Tier {
  if (consent === 'granted') return 3;
  if (consent === 'denied') return PRE_CONSENT[policy?.preConsentTier ?? DENIED_WITHOUT_POLICY];
  if (policy === null) return 3;
  const required = policy.consentMode === 'required' || requiresConsent(country);
  return required ? PRE_CONSENT[policy.preConsentTier] : 3;
}
