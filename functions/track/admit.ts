import type { Context } from 'hono';
import { notFound } from '../../lib/errors.ts';
import type { AppEnv } from '../../lib/http/app.ts';
import { clientAddress } from '../../lib/http/client-address.ts';
import { enforceLimit } from '../../lib/http/rate-limit.ts';
import type { Consent, SitePolicy } from '../../lib/privacy/policy.ts';
import { readSignals } from '../../lib/privacy/signals.ts';
import { decideTier, type TierAnswer } from '../../lib/privacy/tier.ts';
import type { Bindings } from './bindings.ts';
import { readEdge } from './edge.ts';
import type { Env } from './env.ts';
import type { Resources } from './resources.ts';

export type TrackContext = Context<AppEnv<Bindings, Env, Resources>>;

export interface Admission {
  site: SitePolicy;
  answer: TierAnswer;
}

/**
 * Counts the request, finds its site and decides the tier. Once the site is known, every later error has the policy answer too.
 * Throws `RATE_LIMITED`, `NOT_FOUND` or `UNAVAILABLE`. While Redis is away the request passes.
 */
export async function admit(
  c: TrackContext,
  siteId: string,
  consent: Consent | undefined,
): Promise<Admission> {
  const { limiter, addressKey, findPolicy } = c.var.resources;
  const { headers } = c.req.raw;
  const [counted, found] = await Promise.allSettled([
    addressKey(clientAddress(headers), siteId).then((key) => enforceLimit(c, limiter, key, 'pass')),
    findPolicy(siteId),
  ]);
  const site = found.status === 'fulfilled' ? found.value : null;
  const question = { ...readSignals(headers), consent, country: readEdge(c.req.raw).place.country };
  const answer = site === null ? undefined : decideTier({ ...question, policy: site.privacy });
  if (answer !== undefined) c.set('errorFields', { policy: answer });
  if (counted.status === 'rejected') throw counted.reason;
  if (found.status === 'rejected') throw found.reason;
  if (site === null || answer === undefined) throw notFound('site');
  return { site, answer };
}
