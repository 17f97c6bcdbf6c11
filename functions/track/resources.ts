import type { CollectPorts } from '../../lib/collection/collect.ts';
import { addressKeys } from '../../lib/http/client-address.ts';
import { connectSaltRedis } from '../../lib/http/connect-salt-redis.ts';
import { createDelivery } from '../../lib/http/deliver.ts';
import { splitList } from '../../lib/http/env-fields.ts';
import { isolateLimiter } from '../../lib/http/isolate-limiter.ts';
import { causesOf, type Log } from '../../lib/http/log.ts';
import { guardLookUps } from '../../lib/http/look-ups.ts';
import { sharedCount } from '../../lib/http/redis-limiter.ts';
import { createPolicyCache } from '../../lib/privacy/policy-cache.ts';
import { readCopy } from '../../lib/privacy/policy-copies.ts';
import { createSaltSource } from '../../lib/privacy/salt.ts';
import { COUNT_TIMEOUT_MS, connectRedis } from '../../lib/redis.ts';
import { createAgentReader } from '../../lib/user-agents/read-agent.ts';
import type { Bindings } from './bindings.ts';
import type { Env } from './env.ts';
import { TRACKING } from './limits.ts';
import { loadSite } from './load-site.ts';

/** Makes the function's resources, once per isolate. */
export function createResources(env: Env, bindings: Bindings, options: { now: () => number; log: Log }) {
  const { now, log } = options;
  const redis = connectRedis(
    { url: env.UPSTASH_REDIS_REST_URL, token: env.UPSTASH_REDIS_REST_TOKEN },
    COUNT_TIMEOUT_MS,
  );
  const report = (event: string) => (fault: unknown) =>
    log({ level: 'error', function: 'track', event, causes: causesOf(fault) });
  const deliver = createDelivery(bindings, { name: 'track', now, log });
  const collectPorts: CollectPorts = {
    deliver: (message) => deliver([message]),
    daySalt: createSaltSource(connectSaltRedis(env)),
    report: report('salt-unavailable'),
    now,
    readAgent: createAgentReader(splitList(env.BOT_EXCEPTIONS)),
    networkExceptions: new Set(splitList(env.NETWORK_EXCEPTIONS).map(Number)),
  };
  return {
    collectPorts,
    guard: guardLookUps(now),
    limiter: isolateLimiter({
      policy: TRACKING,
      shared: sharedCount(redis, TRACKING),
      now,
    }),
    addressKey: addressKeys(env.ADDRESS_KEY),
    findPolicy: createPolicyCache({
      load: (siteId) => loadSite(bindings.SITES, siteId),
      copy: (siteId) => readCopy(redis, siteId),
      now,
      report: report('stale-policy'),
    }),
  };
}

export type Resources = ReturnType<typeof createResources>;
