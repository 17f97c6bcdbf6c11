import { Ratelimit } from '@upstash/ratelimit';
import type { Redis } from '../redis.ts';
import type { LimitPolicy } from './limiter.ts';
import { WINDOW_PARTS } from './sliding-count.ts';

/**
 * The same count as `SlidingCount`, in Redis: `at:count` of each group, oldest first. Adds all that is wanted, or nothing if that is over the
 * quota; a negative number takes back. Answers the count, what is left, and when the first group leaves. One key of at most 61 groups.
 */
const SCRIPT = `
local now, window, part = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local quota, wanted = tonumber(ARGV[4]), tonumber(ARGV[5])
local groups, sum = {}, 0
for at, count in string.gmatch(redis.call('GET', KEYS[1]) or '', '(%d+):(%d+)') do
  groups[#groups + 1] = { tonumber(at), tonumber(count) }
end
-- A clock that is behind counts as the newest one.
if #groups > 0 and groups[#groups][1] > now then now = groups[#groups][1] end
local kept = {}
for _, group in ipairs(groups) do
  if group[1] + window > now then
    kept[#kept + 1] = group
    sum = sum + group[2]
  end
end
local allowed = 0
if wanted < 0 or sum + wanted <= quota then
  allowed = 1
  local last = kept[#kept]
  if wanted < 0 then
    if last then
      local back = math.min(-wanted, last[2])
      last[2] = last[2] - back
      sum = sum - back
    end
  else
    sum = sum + wanted
    if last and math.floor(last[1] / part) == math.floor(now / part) then
      last[1] = now
      last[2] = last[2] + wanted
    else
      kept[#kept + 1] = { now, wanted }
    end
  end
  local texts = {}
  for _, group in ipairs(kept) do texts[#texts + 1] = string.format('%.0f:%.0f', group[1], group[2]) end
  if #texts > 0 then redis.call('SET', KEYS[1], table.concat(texts, ' '), 'PX', string.format('%.0f', window)) end
end
local reset = now + window
if #kept > 0 then reset = kept[1][1] + window end
return { allowed, math.max(0, quota - sum), string.format('%.0f', reset) }`;

/**
 * A counter in Redis that never lets more than `quota` through in any window: one command, or two if Redis has forgotten the script. The
 * library's own algorithms let more through: two fixed windows meet, and its sliding window guesses when the requests before came. `timeout:
 * 0` disables the library's timeout, which passes requests silently. Instead the client's bounded attempt fails and the surface decides.
 */
export function slidingWindow(redis: Redis, policy: LimitPolicy, now: () => number = Date.now): Ratelimit {
  const windowMs = policy.windowSeconds * 1000;
  const script = redis.createScript<unknown>(SCRIPT);
  const count = async (key: string, wanted: number) => {
    const args = [now(), windowMs, windowMs / WINDOW_PARTS, policy.quota, wanted].map(String);
    const answer: unknown = await script.exec([key], args);
    const [allowed, remaining, reset] =
      Array.isArray(answer) && answer.length === 3 ? answer.map(Number) : [];
    if (!isInstant(reset) || !Number.isSafeInteger(remaining) || (allowed !== 0 && allowed !== 1))
      throw new Error('Redis answered something that is no count.');
    return { success: allowed === 1, remaining: remaining ?? 0, reset };
  };
  return new Ratelimit({
    redis,
    limiter: () => ({
      limit: async (_, key, rate = 1) => ({
        ...(await count(key, rate)),
        limit: policy.quota,
        pending: Promise.resolve(),
      }),
      getRemaining: async (_, key) => ({ ...(await count(key, 0)), limit: policy.quota }),
      resetTokens: async (_, key) => {
        await redis.del(key);
      },
    }),
    prefix: `limit:${policy.name}`,
    timeout: 0,
    ephemeralCache: false,
  });
}

const isInstant = (value: number | undefined): value is number =>
  Number.isSafeInteger(value) && (value ?? 0) > 1e12;
