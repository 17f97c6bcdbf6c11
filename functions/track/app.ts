import * as v from 'valibot';
import { collect } from '../../lib/collection/collect.ts';
import { createApp } from '../../lib/http/app.ts';
import { clientAddress } from '../../lib/http/client-address.ts';
import { publicCors } from '../../lib/http/cors.ts';
import { check } from '../../lib/http/issues.ts';
import { type Log, logToConsole } from '../../lib/http/log.ts';
import { readJsonValue, readQuery, refuseQuery } from '../../lib/http/read.ts';
import { Consent } from '../../lib/privacy/policy.ts';
import { readSignals } from '../../lib/privacy/signals.ts';
import { admit } from './admit.ts';
import type { Bindings } from './bindings.ts';
import { routes } from './contract.ts';
import { readEdge } from './edge.ts';
import { Env } from './env.ts';
import { readTrackRequest } from './read-track-request.ts';
import { createResources } from './resources.ts';
import { PolicyQuery, TrackAddressee } from './schemas.ts';

/** A beacon may send `text/plain` without a preflight. */
const BODY_TYPES = ['application/json', 'text/plain'];

interface AppOptions {
  /** Epoch milliseconds. */
  now?: () => number;
  log?: Log;
}

/**
 * The tracker's endpoints (docs/tracker-protocol.md): public, and readable from any page. The function `script` serves the script itself.
 */
export function createTrackApp({ now = Date.now, log = logToConsole }: AppOptions = {}) {
  const app = createApp({
    name: 'track',
    env: Env,
    log,
    // A log line costs half as much as all other work for a page view, and the platform already counts requests.
    logSuccess: false,
    resources: (env, bindings: Bindings) => createResources(env, bindings, { now, log }),
  });
  app.use(routes.getPolicyAnswer.path, publicCors({ methods: ['GET'] }));
  app.use(routes.track.path, publicCors({ methods: ['POST'] }));

  return app
    .get(routes.getPolicyAnswer.path, async (c) => {
      const { site, consent } = readQuery(c, PolicyQuery);
      const { site: found, answer } = await admit(c, site, consent);
      return c.json(found.siteId === site ? answer : { ...answer, site: found.siteId });
    })
    .post(routes.track.path, async (c) => {
      const { headers } = c.req.raw;
      // Global Privacy Control: nothing is collected. The body isn't read, and the request isn't counted.
      if (readSignals(headers).gpc) return c.body(null, 204);
      const body = await readJsonValue(c, { accept: BODY_TYPES, keepHostile: true });
      const { site: siteId } = check(TrackAddressee, body);
      const consent = v.is(Consent, body.consent) ? body.consent : undefined;
      const { site, answer } = await admit(c, siteId, consent);
      refuseQuery(c);
      const { request, invalid, warnings } = readTrackRequest(body);
      const data = await collect(c.var.resources.collectPorts, {
        request,
        invalid,
        site,
        answer,
        headers,
        address: clientAddress(headers) ?? '',
        ...readEdge(c.req.raw),
      });
      return c.json({ data, policy: answer, ...(warnings.length > 0 && { warnings }) }, 202);
    });
}
