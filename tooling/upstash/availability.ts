import { Failure } from './redis-reply.ts';

/** Commands that change a connection or wait on it: over HTTP, where nobody owns one, they mean nothing. */
const UNAVAILABLE = new Set(
  `AUTH BGREWRITEAOF BGSAVE BLMOVE BLMPOP BLPOP BRPOP BRPOPLPUSH BZMPOP BZPOPMAX BZPOPMIN CLIENT CLUSTER COMMAND CONFIG
  DEBUG DISCARD EXEC FAILOVER FUNCTION HELLO LATENCY MIGRATE MODULE MONITOR MULTI PSUBSCRIBE PSYNC PUNSUBSCRIBE QUIT
  REPLICAOF RESET SAVE SCRIPT SELECT SHUTDOWN SLAVEOF SLOWLOG SSUBSCRIBE SUBSCRIBE SUNSUBSCRIBE SWAPDB SYNC UNSUBSCRIBE
  UNWATCH WAIT WAITAOF WATCH XREAD XREADGROUP`.split(/\s+/),
);

/** The refusal of a command that the REST protocol can't have, over an embedded Redis and a real one alike. */
export function refusal(name: string): Failure | undefined {
  return UNAVAILABLE.has(name.toUpperCase())
    ? new Failure(`ERR Command is not available: '${name}'`)
    : undefined;
}
