import { unavailable } from '../errors.ts';
import type { SitePolicy } from './policy.ts';

/** For this long a site's policy is used without asking again. */
const FRESH_MS = 30_000;
/** For this long in all it serves while nobody can be asked; a saved policy takes effect within 5 minutes (docs/sites.md#privacy-policy). */
const STALE_MS = 270_000;
/** A site that has an answer is asked for by one request at a time, and not again for this long after a failure. */
const PAUSE_MS = 2_000;
const MAX_SITES = 10_000;

export interface PolicyCachePorts {
  /** Asks for a site's policy; null if there is no such site. Rejects when nobody can be asked. */
  load: (siteId: string) => Promise<SitePolicy | null>;
  /** The present instant, epoch milliseconds. */
  now: () => number;
  /** Told why an old answer had to serve. */
  report: (fault: unknown) => void;
}

interface Entry {
  policy: SitePolicy | null;
  /** When its answer was asked for. */
  askedAt: number;
  askAgainAt: number;
}

/** Finds a site's policy, or null if there is no such site. Throws `UNAVAILABLE`. */
export type FindPolicy = (siteId: string) => Promise<SitePolicy | null>;

/**
 * An isolate's memory of policies. While one request asks again the others use the answer at hand: no request waits for another's
 * I/O, which the runtime may cancel with its owner.
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
