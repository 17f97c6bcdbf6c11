import type { DaySalt } from '../privacy/salt.ts';
import type { Tier } from '../privacy/tier.ts';
import { hashVisitor } from '../privacy/visitor.ts';

export interface IdentityPorts {
  /** The salt of the UTC day of an instant. Rejects if Redis can't give it. */
  daySalt: (at: number) => Promise<DaySalt>;
  /** Called with the reason when a visitor can't be identified. */
  report: (fault: unknown) => void;
}

export interface Claim {
  /** The highest tier that may be stored. */
  maxTier: Tier;
  siteId: string;
  /** The tracker's first-party id, read at tier 3 only. */
  visitorId: string | undefined;
  address: string;
  userAgent: string;
  /** Epoch milliseconds. */
  receivedAt: number;
}

export interface Identity {
  /** What is stored: never above `maxTier`. */
  tier: Tier;
  visitorId?: string;
}

/**
 * The visitor of a request, and the tier that is stored. Tier 3 without the tracker's id becomes tier 2. Tier 2 without the day's
 * salt becomes tier 1: an error would lose the page view for good.
 */
export async function identify(ports: IdentityPorts, claim: Claim): Promise<Identity> {
  const { maxTier, siteId, visitorId, address, userAgent, receivedAt } = claim;
  if (maxTier < 2) return { tier: maxTier };
  if (maxTier === 3 && visitorId !== undefined) return { tier: 3, visitorId: visitorId.toLowerCase() };
  try {
    return {
      tier: 2,
      visitorId: await hashVisitor(await ports.daySalt(receivedAt), { siteId, address, userAgent }),
    };
  } catch (fault) {
    ports.report(fault);
    return { tier: 1 };
  }
}
