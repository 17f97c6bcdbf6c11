import { reportNamed } from '../../lib/analytics/reports.ts';
import { DomainError, notFound } from '../../lib/errors.ts';
import { listFunnels } from '../../lib/goals/funnels.ts';
import { listGoals } from '../../lib/goals/goals.ts';
import { bearerOf } from '../../lib/http/api-token-gate.ts';
import type { createApp } from '../../lib/http/app.ts';
import { clientAddress } from '../../lib/http/client-address.ts';
import { type Passed, publicDoor } from '../../lib/http/doors.ts';
import type { LimitPolicy } from '../../lib/http/limiter.ts';
import { enforceLimit, requireAllowed } from '../../lib/http/rate-limit.ts';
import { NoQuery, readId, readJson, readQuery } from '../../lib/http/read.ts';
import { addRoutes } from '../../lib/http/routes.ts';
import type { FoundShare } from '../../lib/shares/find-share.ts';
import { Unlocking } from '../../lib/shares/schemas.ts';
import { isShareSecret } from '../../lib/shares/secret.ts';
import { unlockShare } from '../../lib/shares/unlock-share.ts';
import { OneSite } from '../../lib/sites/schemas.ts';
import type { Env } from './env.ts';
import { ALL_GUESSES, GUESSES, SHARED_QUERIES } from './limits.ts';
import { contextFor, type Resources } from './resources.ts';
import { shareRoutes } from './share-contract.ts';

type ShareRequest = Passed<Resources>;

/** For everybody with the link. The routes count requests themselves, by share and address. */
const everybody = { ...publicDoor((_: ShareRequest) => undefined), guards: () => [] };

/**
 * The share in the path; counts the request by share and client address. Throws `NOT_FOUND` for unknown, revoked and ended shares,
 * `RATE_LIMITED`, and `UNAVAILABLE` while Redis is away.
 */
async function findShare(c: ShareRequest, policy: LimitPolicy): Promise<FoundShare> {
  const { addressKey, limiterOf, shares } = c.var.resources;
  const secret = c.req.param('secret') ?? '';
  if (!isShareSecret(secret)) throw notFound('share');
  const share = await shares(secret);
  const key = await addressKey(clientAddress(c.req.raw.headers), share?.shareId ?? 'no share');
  await enforceLimit(c, limiterOf(policy), key, 'refuse');
  if (share === undefined || (share.expiresAt !== null && share.expiresAt.getTime() <= Date.now()))
    throw notFound('share');
  return share;
}

/**
 * The share in the path, for readers who may see its reports. Throws `UNAUTHORIZED` for a share with a password unless the request has a
 * token of `unlock`.
 */
async function openShare(c: ShareRequest): Promise<FoundShare> {
  const { unlockTokens } = c.var.resources;
  const share = await findShare(c, SHARED_QUERIES);
  const { shareId, password } = share;
  if (password === null) return share;
  const token = bearerOf(c);
  if (token !== undefined && (await unlockTokens.opens(token, { shareId, password }, Date.now())))
    return share;
  throw new DomainError(
    'UNAUTHORIZED',
    'This share has a password. Post it to `unlock`, then send the token of the answer as `Authorization: Bearer ...`.',
  );
}

/**
 * The context with the share as actor, for the verbs of the members' routes. Throws `NOT_FOUND` for reports that the share doesn't show.
 */
async function shownBy(c: ShareRequest, report: string) {
  const { shareId, siteId, reports } = await openShare(c);
  if (!reports.some((shown) => shown === report)) throw notFound('report');
  return { ctx: contextFor(c.var.resources, { kind: 'share', shareId, siteId }), siteId };
}

async function answerReport(c: ShareRequest, name: string, named: { funnelId?: string } = {}) {
  const { ctx, siteId } = await shownBy(c, name);
  const { input, answer } = reportNamed(name);
  return answer(ctx, readQuery(c, input, { siteId, ...named }) as never);
}

async function answerList<Item>(
  c: ShareRequest,
  name: string,
  list: (ctx: ReturnType<typeof contextFor>, input: OneSite) => Promise<Item[]>,
) {
  const { ctx, siteId } = await shownBy(c, name);
  return { data: await list(ctx, readQuery(c, OneSite, { siteId })) };
}

/**
 * Public links to a site's reports. The path holds the secret, because a link that people pass on must hold it. The log holds route
 * patterns, never paths.
 */
export function addShareRoutes(app: ReturnType<typeof createApp<typeof Env, object, Resources>>): void {
  addRoutes(app, shareRoutes, everybody, {
    getShare: async (_, __, c) => {
      readQuery(c, NoQuery);
      const { name, site, reports, expiresAt } = await openShare(c);
      return { data: { name, site, reports, expiresAt: expiresAt?.toISOString() ?? null } };
    },
    unlockShare: async (_, __, c) => {
      const { limiterOf, unlockTokens } = c.var.resources;
      const share = await findShare(c, GUESSES);
      const { password: typed } = await readJson(c, Unlocking);
      requireAllowed(await limiterOf(ALL_GUESSES).take(share.shareId), 'refuse');
      return { data: await unlockShare({ unlockTokens, now: Date.now }, { ...share, typed }) };
    },
    getSharedReport: (_, __, c) => {
      const name = c.req.param('report') ?? '';
      if (name === 'goals') return answerList(c, name, listGoals);
      return name === 'funnels' ? answerList(c, name, listFunnels) : answerReport(c, name);
    },
    getSharedGoalsReport: (_, __, c) => answerReport(c, 'goals'),
    getSharedFunnelReport: (_, __, c) =>
      answerReport(c, 'funnels', { funnelId: readId(c, 'funnelId', 'funnel') }),
  });
}
