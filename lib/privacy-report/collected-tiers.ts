import type { Tier } from '../privacy/tier.ts';
import type { PrivacyPolicy } from '../sites/schemas.ts';
import { BROWSER_STORAGE, FACTS, keptOf } from './facts.ts';
import type { CollectedTier, PersonalData } from './schemas.ts';
import type { Asked, Wording } from './wording.ts';

export const TIERS: readonly Tier[] = [0, 1, 2, 3];

const PERSONAL: Record<Tier, PersonalData> = { 0: 'no', 1: 'no', 2: 'temporarily', 3: 'yes' };
const BEFORE_CONSENT = { off: 0, counts: 1, sessions: 2 } as const;

/** What each tier stores on a site with or without a policy, in one language. Describes the decisions of lib/privacy/tier.ts. */
export function collectedTiers(policy: PrivacyPolicy | null, wording: Wording): CollectedTier[] {
  return TIERS.map((tier) => ({
    tier,
    ...wording.tiers[tier],
    applies: whomOf(tier, policy, wording),
    stored: FACTS.filter(({ tiers }) => tiers.includes(tier)).map((fact) => ({
      ...wording.facts[fact.id],
      kept: keptText(fact, policy, wording),
    })),
    browserStorage: tier === 3 ? [...BROWSER_STORAGE] : [],
    personalData: PERSONAL[tier],
  }));
}

export function keptText(
  fact: Parameters<typeof keptOf>[0],
  policy: PrivacyPolicy | null,
  { kept }: Wording,
): string {
  const how = keptOf(fact);
  return how === 'visits' ? kept.visits(policy?.retentionMonths ?? null) : kept[how];
}

function whomOf(tier: Tier, policy: PrivacyPolicy | null, { applies }: Wording): string[] {
  const asked: Asked = policy?.consentMode ?? 'nobody';
  const unasked =
    BEFORE_CONSENT[policy?.preConsentTier ?? 'counts'] === tier ? [applies.withoutConsent[asked]] : [];
  switch (tier) {
    case 0:
      return [applies.gpc, ...unasked];
    case 1:
      return [...unasked, applies.dnt, applies.withoutSalt];
    case 2:
      return [...unasked, applies.withoutStorage];
    case 3:
      return [applies.withConsent[asked]];
  }
}
