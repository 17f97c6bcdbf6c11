import { unavailable } from '../errors.ts';
import type { SitePolicy } from './policy.ts';

/** A site's policy is used this long before it is fetched again. */
const FRESH_MS = 30_000;
/** It is used this long at most while `sites` can't be reached: a saved policy takes effect within 5 minutes (docs/sites.md#privacy-policy). */
const STALE_MS = 270_000;
/** A known policy is fetched again by one request at a time, and after a failure not for this long. */
const PAUSE_MS = 2_000;
const MAX_SITES = 10_000;

export interface PolicyCachePorts {
  /** Fetches a site's policy; null if there is no such site. Rejects if `sites` can't be reached. */
  load: (siteId: string) => Promise<SitePolicy | null>;
  /** The present instant, epoch milliseconds. */
  now: () => number;
  /** Called with the reason when an old policy is used. */
  report: (fault: unknown) => void;
}

interface Entry {
  policy: SitePolicy | null;
  /** When it was fetched. */
  askedAt: number;
  askAgainAt: number;
}

/** Finds a site's policy, or null if there is no such site. Throws `UNAVAILABLE`. */
export type FindPolicy = (siteId: string) => Promise<SitePolicy | null>;

/**
 * An isolate's memory of policies. While one request fetches a policy again, the others use the old one: no request waits for
 * another's I/O, which the runtime may cancel together with that request.
 */
export function createPolicyCache({ load, now, report }: PolicyCachePorts): FindPolicy {
  const entries = new Map<string, Entry>();

  function keep(siteId: string, policy: SitePolicy | null, askedAt: number): void {
    entries.delete(siteId);
    if (entries.size >= MAX_SITES) entries.delete(entries.keys().next().value ?? siteId);
    entries.set(siteId, { policy, askedAt, askAgainAt: askedAt + FRESH_MS });
  }

  return async (siteId) => {
    const askedAt = now();
    const entry = entries.get(siteId);
    if (entry !== undefined && askedAt - entry.askedAt < STALE_MS) {
      if (askedAt < entry.askAgainAt) return entry.policy;
      entry.askAgainAt = askedAt + PAUSE_MS;
    }
    try {
      const policy = await load(siteId);
      keep(siteId, policy, askedAt);
      return policy;
    } catch (fault) {
      if (entry === undefined || now() - entry.askedAt >= STALE_MS) throw unavailable(fault);
      report(fault);
      return entry.policy;
    }
  };
}
