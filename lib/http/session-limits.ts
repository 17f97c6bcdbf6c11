import type { Method } from './contract.ts';
import type { LimitPolicy } from './limiter.ts';

/** Reads per person who is signed in, on all routes together. */
export const SESSION_READS = { name: 'reads', quota: 600, windowSeconds: 60 } as const;
/** Changes per person who is signed in, on all routes together. */
export const SESSION_CHANGES = { name: 'changes', quota: 120, windowSeconds: 60 } as const;

export const sessionLimit = (method: Method): LimitPolicy =>
  method === 'GET' ? SESSION_READS : SESSION_CHANGES;
