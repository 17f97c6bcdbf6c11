/** Doors: each says who may call a group of routes and how many requests pass. */
import type { Context, MiddlewareHandler } from 'hono';
import type { AuditedAction, Call } from '../audit.ts';
import type { ErrorCode } from '../errors.ts';
import { clientAddress } from './client-address.ts';
import type { Auth, RouteContract } from './contract.ts';
import type { Limiter, LimitPolicy } from './limiter.ts';
import { enforceLimit } from './rate-limit.ts';

export interface Refusal {
  action: AuditedAction;
  call: Call;
  /** The code of the error that the caller gets. */
  result: ErrorCode;
}

/** The checks before a group of routes, and the context that their verbs get. */
export interface Door<A extends Auth, Request, Ctx> {
  auth: A;
  /** The gate, which sets the actor, and the limit of a route. */
  guards: (contract: RouteContract) => readonly MiddlewareHandler[];
  /** Makes the verbs' context from a request that passed the guards. */
  context: (c: Request) => Ctx;
  /** Notes an audited call that was refused or failed. Never throws. */
  noteRefusal?: (c: Context, refusal: Refusal) => Promise<void>;
}

/** What a door may read from a request. */
export type Passed<Resources, Actor = undefined> = Context<{
  Variables: { requestId: string; resources: Resources; actor: Actor; call: Call; reportsCounted?: number };
}>;

export interface Limited {
  limiterOf: (policy: LimitPolicy) => Limiter;
}

/** For everybody. Requests aren't counted here: either nothing limits them, or a middleware before the routes does. */
export const everybody: Door<'public', Context, undefined> = {
  auth: 'public',
  guards: () => [],
  context: () => undefined,
};

/** For everybody, counted per address: guesses. Refuses requests while Redis is away, because then nothing can count them. */
export const publicDoor = <
  Resources extends Limited & { addressKey: (address: string | undefined, scope: string) => Promise<string> },
  Ctx,
>(
  context: (c: Passed<Resources>) => Ctx,
): Door<'public', Passed<Resources>, Ctx> => ({
  auth: 'public',
  guards: ({ limit }) => (limit === null ? [] : [limitAddress<Resources>(limit) as MiddlewareHandler]),
  context,
});

const limitAddress = <
  Resources extends Limited & { addressKey: (address: string | undefined, scope: string) => Promise<string> },
>(
  policy: LimitPolicy,
): MiddlewareHandler<{ Variables: { resources: Resources } }> =>
  async function limitAddress(c, next) {
    const { addressKey, limiterOf } = c.var.resources;
    const key = await addressKey(clientAddress(c.req.raw.headers), policy.name);
    await enforceLimit(c as Context, limiterOf(policy), key, 'wait');
    await next();
  };
