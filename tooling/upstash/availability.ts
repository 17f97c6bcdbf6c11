import { Failure } from './redis-reply.ts';

/** Commands that change a connection or wait on it. They have no meaning over HTTP, where a client owns no connection. */
const UNAVAILABLE = new Set(
  `AUTH BGREWRITEAOF BGSAVE BLMOVE BLMPOP BLPOP BRPOP BRPOPLPUSH BZMPOP BZPOPMAX BZPOPMIN CLIENT CLUSTER COMMAND CONFIG
  DEBUG DISCARD EXEC FAILOVER FUNCTION HELLO LATENCY MIGRATE MODULE MONITOR MULTI PSUBSCRIBE PSYNC PUNSUBSCRIBE QUIT
  REPLICAOF RESET SAVE SCRIPT SELECT SHUTDOWN SLAVEOF SLOWLOG SSUBSCRIBE SUBSCRIBE SUNSUBSCRIBE SWAPDB SYNC UNSUBSCRIBE
  UNWATCH WAIT WAITAOF WATCH XREAD XREADGROUP`.split(/\s+/),
);

/** The refusal of a command that the REST protocol lacks; the same for an embedded and a real Redis. */
export function refusal(name: string): Failure | undefined {
  return UNAVAILABLE.has(name.toUpperCase())
    ? new Failure(`ERR Command is not available: '${name}'`)
    : undefined;
}
