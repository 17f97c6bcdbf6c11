/**
 * Copies of the policies in Redis, for isolates that can't reach the database (docs/sites.md#while-the-database-is-away). Nothing of
 * visitors is in them.
 */
import * as v from 'valibot';
import { unavailable } from '../errors.ts';
import { RecentMap } from '../recent-map.ts';
import type { Redis } from '../redis.ts';
import { SitePolicy } from './policy.ts';

/** A copy ends when nobody has asked for the site's policy for this long. */
export const COPY_SECONDS = 7 * 24 * 3600;
/**
 * While a policy is being saved there is no copy: at most this long, if the new one can't be written. Longer than a statement may go on that
 * nobody waits for, and than a policy that was read before may be on its way into a copy.
 */
const WITHHELD_SECONDS = 60;
/** An isolate writes an unchanged copy again after this long. */
const RENEW_MS = 3_600_000;
const RETRY_MS = 300_000;
const MAX_SITES = 10_000;

/** A site's policy as it stood in the database. */
export interface PolicyVersion {
  policy: SitePolicy;
  aliases: readonly string[];
  /** When the site was changed last, epoch milliseconds. */
  version: number;
}

const Copy = v.object({ policy: SitePolicy, aliases: v.array(v.string()) });

const WITHHELD = 'withheld';

/** `version json`. An older version never replaces a newer one, and only a save replaces `withheld`. */
const SCRIPT = `
local held = redis.call('GET', KEYS[1]) or '0 '
local version = tonumber(string.match(held, '^(%d+) '))
if version == nil and ARGV[4] ~= 'saved' then return 0 end
if version ~= nil and version > tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. ARGV[2], 'EX', ARGV[3])
return 1`;

const copyKey = (siteId: string): string => `policy:${siteId}`;
const aliasKey = (alias: string): string => `policy:alias:${alias}`;

/** Reads a site's copy by the site's id or an alias: one command, or two. Undefined if there is none. Rejects when Redis is away. */
export async function readCopy(redis: Redis, name: string): Promise<SitePolicy | undefined> {
  const direct = await redis.get<string>(copyKey(name));
  const aliased = direct === null ? await redis.get<string>(aliasKey(name)) : null;
  const text = aliased === null ? direct : await redis.get<string>(copyKey(aliased));
  if (text === null || text === WITHHELD) return undefined;
  const { policy, aliases } = v.parse(Copy, JSON.parse(text.slice(text.indexOf(' ') + 1)));
  return policy.siteId === name || aliases.includes(name) ? policy : undefined;
}

export type PolicyCopies = ReturnType<typeof createPolicyCopies>;

/** Keeps the copies up to date. Made once per isolate. */
export function createPolicyCopies(redis: Redis, now: () => number = Date.now) {
  const script = redis.createScript<unknown>(SCRIPT);
  /** The last written text by the requested name, and the instant at which it has to be written again. */
  const written = new RecentMap<string, { text: string; until: number }>(MAX_SITES);

  const write = ({ version, ...copy }: PolicyVersion, by: 'saved' | 'read') =>
    script.exec(
      [copyKey(copy.policy.siteId)],
      [String(version), JSON.stringify(copy), String(COPY_SECONDS), by],
    );

  return {
    /**
     * Renews the copy of a policy that was just read for somebody who asked by `name`: if it is another than this isolate wrote, and once an
     * hour. Rejects when Redis is away.
     */
    async renew(name: string, read: PolicyVersion): Promise<void> {
      const text = JSON.stringify(read);
      const last = written.get(name);
      if (last?.text === text && now() < last.until) return;
      written.set(name, { text, until: now() + RETRY_MS });
      await write(read, 'read');
      const { siteId } = read.policy;
      if (name !== siteId) await redis.set(aliasKey(name), siteId, { ex: COPY_SECONDS });
      written.set(name, { text, until: now() + RENEW_MS });
    },
    /** Takes a site's copy away before its policy is saved, so that none can outlive it. Throws `UNAVAILABLE` if that isn't sure. */
    async withhold(siteId: string): Promise<void> {
      try {
        await redis.set(copyKey(siteId), WITHHELD, { ex: WITHHELD_SECONDS });
      } catch (cause) {
        // A token that may not write copies has written none.
        if (!/NOPERM/i.test(String(cause))) throw unavailable(cause);
      }
    },
    /** Writes the copy of a policy that was saved. Without it there is none until somebody asks again, so a failure is no fault. */
    async replace(saved: PolicyVersion): Promise<void> {
      await write(saved, 'saved').catch(() => {});
    },
  };
}
