import type { Context } from 'hono';
import { DomainError, notFound } from '../../lib/errors.ts';
import { bearerOf } from '../../lib/http/api-token-gate.ts';
import type { AppEnv } from '../../lib/http/app.ts';
import { clientAddress } from '../../lib/http/client-address.ts';
import type { Limiter } from '../../lib/http/limiter.ts';
import { enforceLimit, requireAllowed } from '../../lib/http/rate-limit.ts';
import { NoQuery, readId, readJson, readQuery } from '../../lib/http/read.ts';
import type { FoundShare } from '../../lib/shares/find-share.ts';
import { Unlocking } from '../../lib/shares/schemas.ts';
import { isShareSecret } from '../../lib/shares/secret.ts';
import { unlockShare } from '../../lib/shares/unlock-share.ts';
import type { Env } from './env.ts';
import type { AnalyticsApp, Guards } from './guards.ts';
import type { Resources } from './resources.ts';

type ShareRequest = Context<AppEnv<object, Env, Resources>>;

/**
 * The share that the path names, counted by it and the client's address. Unknown, revoked and ended ones are all
 * `NOT_FOUND`. Throws `RATE_LIMITED` too, and `UNAVAILABLE` while Redis is away.
 */
async function findShare(c: ShareRequest, limiter: Limiter): Promise<FoundShare> {
  const { addressKey, shares } = c.var.resources;
  const secret = c.req.param('secret') ?? '';
  if (!isShareSecret(secret)) throw notFound('share');
  const share = await shares(secret);
  const key = await addressKey(clientAddress(c.req.raw.headers), share?.shareId ?? 'no share');
  await enforceLimit(c, limiter, key, 'refuse');
  if (share === undefined || (share.expiresAt !== null && share.expiresAt.getTime() <= Date.now()))
    throw notFound('share');
  return share;
}

/** The same for who may read it: with a password, it takes a token of `unlock`, else `UNAUTHORIZED`. */
async function openShare(c: ShareRequest): Promise<FoundShare> {
  const { shareLimiter, unlockTokens } = c.var.resources;
  const share = await findShare(c, shareLimiter);
  const { shareId, password } = share;
  if (password === null) return share;
  const token = bearerOf(c);
  if (token !== undefined && (await unlockTokens.opens(token, { shareId, password }, Date.now())))
    return share;
  throw new DomainError(
    'UNAUTHORIZED',
    'This share has a password. Send it to `unlock`, and the token of the answer as `Authorization: Bearer ...`.',
  );
}

/**
 * Public links to a site's reports (docs/reports.md#shares). The secret is in the path, because a link that is handed around must
 * bear it anyway; the log knows routes and no paths. A report is answered by the members' own route.
 */
export function addShareRoutes(app: AnalyticsApp, { admit }: Guards) {
  /** `rest` is what follows the report's name in the path. */
  async function answerReport(c: ShareRequest, name: string, rest = ''): Promise<Response> {
    const { shareId, siteId, reports } = await openShare(c);
    const report = reports.find((shared) => shared === name);
    if (report === undefined) throw notFound('report');
    const url = new URL(c.req.url);
    url.pathname = `/api/v1/sites/${siteId}/analytics/${report}${rest}`;
    const request = new Request(url, { headers: { 'X-Request-Id': c.var.requestId } });
    admit(request, { kind: 'share', shareId, siteId });
    const response = await app.fetch(request, c.env);
    return c.newResponse(response.body, response);
  }

  return app
    .get('/api/v1/shares/:secret', async (c) => {
      readQuery(c, NoQuery);
      const { name, site, reports, expiresAt } = await openShare(c);
      return c.json({ data: { name, site, reports, expiresAt: expiresAt?.toISOString() ?? null } });
    })
    .post('/api/v1/shares/:secret/unlock', async (c) => {
      readQuery(c, NoQuery);
      const { allGuessesLimiter, guessLimiter, unlockTokens } = c.var.resources;
      const share = await findShare(c, guessLimiter);
      const { password } = await readJson(c, Unlocking);
      requireAllowed(await allGuessesLimiter.take(share.shareId), 'refuse');
      return c.json({ data: await unlockShare({ unlockTokens, now: Date.now }, share, password) });
    })
    .get('/api/v1/shares/:secret/analytics/:report', (c) => answerReport(c, c.req.param('report')))
    .get('/api/v1/shares/:secret/analytics/goals/report', (c) => answerReport(c, 'goals', '/report'))
    .get('/api/v1/shares/:secret/analytics/funnels/:funnelId/report', (c) =>
      answerReport(c, 'funnels', `/${readId(c, 'funnelId', 'funnel')}/report`),
    );
}
