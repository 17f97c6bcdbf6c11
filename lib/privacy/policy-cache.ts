import { DomainError, unavailable } from '../errors.ts';
import { RecentMap } from '../recent-map.ts';
import type { SitePolicy } from './policy.ts';

/** A site's policy is used this long before it is fetched again. */
const FRESH_MS = 30_000;
/**
 * It is used this long at most while `sites` can't be reached: a saved policy takes effect within 5 minutes (docs/sites.md#privacy-policy).
 * Then the copy in Redis is read, which saving replaces.
 */
const STALE_MS = 270_000;
/** A known policy is fetched again by one request at a time, and after a failure not for this long. */
const PAUSE_MS = 2_000;
const MAX_SITES = 10_000;

export interface PolicyCachePorts {
  /** Fetches a site's policy; undefined if there is no such site. Rejects if `sites` can't be reached. */
  load: (siteId: string) => Promise<SitePolicy | undefined>;
  /** Reads the copy of a policy; undefined if there is none. Asked only if `sites` can't be reached. */
  copy: (siteId: string) => Promise<SitePolicy | undefined>;
  /** The present instant, epoch milliseconds. */
  now: () => number;
  /** Called with the reason when an old policy or a copy is used. */
  report: (fault: unknown) => void;
}

interface Entry {
  policy: SitePolicy;
  /** When it was fetched. */
  askedAt: number;
  askAgainAt: number;
}

type Load = () => Promise<SitePolicy | undefined>;

/**
 * Finds a site's policy, or undefined if there is no such site. `guarded` fetches that of a site that the isolate doesn't know; its domain
 * errors pass through. Throws `UNAVAILABLE`.
 */
export type FindPolicy = (
  siteId: string,
  guarded: (load: Load) => ReturnType<Load>,
) => Promise<SitePolicy | undefined>;

/**
 * An isolate's memory of policies. Only existing sites are kept in it. While one request fetches a policy again, the others use the old one: no request waits for
 * another's I/O, which the runtime may cancel together with that request.
 */
export function createPolicyCache({ load, copy, now, report }: PolicyCachePorts): FindPolicy {
  const entries = new RecentMap<string, Entry>(MAX_SITES);

  return async (siteId, guarded) => {
    const askedAt = now();
    const entry = entries.get(siteId);
    if (entry !== undefined && askedAt - entry.askedAt < STALE_MS) {
      if (askedAt < entry.askAgainAt) return entry.policy;
      entry.askAgainAt = askedAt + PAUSE_MS;
    }
    try {
      const loadThis = () => load(siteId);
      const policy = await (entry === undefined ? guarded(loadThis) : loadThis());
      if (policy === undefined) entries.delete(siteId);
      else entries.set(siteId, { policy, askedAt, askAgainAt: askedAt + FRESH_MS });
      return policy;
    } catch (fault) {
      if (fault instanceof DomainError) throw fault;
      const isUsable = entry !== undefined && now() - entry.askedAt < STALE_MS;
      const policy = isUsable ? entry.policy : await copy(siteId).catch(() => undefined);
      if (policy === undefined) throw unavailable(fault);
      report(fault);
      if (!isUsable) entries.set(siteId, { policy, askedAt: now(), askAgainAt: now() + PAUSE_MS });
      return policy;
    }
  };
}
