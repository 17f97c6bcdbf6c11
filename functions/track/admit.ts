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

/** For the page's author: the tracker writes it to the console. */
const UNKNOWN = 'Vendor: no site is called %. Copy the tag from the settings of the site.';

/**
 * Finds the site by its id or an alias, counts the request by address and site, and decides the tier. An address that names many unknown sites is refused before
 * the look-up. Once the site is known, every later error has the policy answer too; where there is none the error has a warning. Throws `RATE_LIMITED`, `NOT_FOUND` or `UNAVAILABLE`.
 * While Redis is away the request passes.
 */
export async function admit(c: TrackContext, name: string, consent: Consent | undefined): Promise<Admission> {
  const { limiter, addressKey, findPolicy, guard } = c.var.resources;
  const { headers } = c.req.raw;
  const site = await findPolicy(name, (load) => guard(c, name, load));
  if (site === undefined) {
    c.set('errorFields', { warnings: [UNKNOWN.replace('%', name)] });
    throw notFound('site');
  }
  const question = { ...readSignals(headers), consent, country: readEdge(c.req.raw).place.country };
  const answer = decideTier({ ...question, policy: site.privacy });
  c.set('errorFields', { policy: answer });
  await enforceLimit(c, limiter, await addressKey(clientAddress(headers), site.siteId), 'count-here');
  return { site, answer };
}
