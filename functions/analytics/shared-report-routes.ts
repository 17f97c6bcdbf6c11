import { requireShown } from '../../lib/access.ts';
import { ReportBatch } from '../../lib/analytics/report-batch.ts';
import { reportNamed } from '../../lib/analytics/reports.ts';
import { DomainError, notFound } from '../../lib/errors.ts';
import { listFunnels } from '../../lib/goals/funnel-definitions.ts';
import { listGoals } from '../../lib/goals/goal-definitions.ts';
import { addRoutes } from '../../lib/http/add-routes.ts';
import { bearerOf } from '../../lib/http/api-token-gate.ts';
import type { createApp } from '../../lib/http/app.ts';
import { clientAddress } from '../../lib/http/client-address.ts';
import { type Passed, publicDoor } from '../../lib/http/doors.ts';
import { enforceLimit, requireAllowed } from '../../lib/http/rate-limit.ts';
import { readId, readJson, readQuery, refuseQuery } from '../../lib/http/read.ts';
import type { FoundShare } from '../../lib/shares/find-share.ts';
import { Unlocking, type UnlockToken } from '../../lib/shares/schemas.ts';
import { isShareSecret } from '../../lib/shares/secret.ts';
import { unlockShare } from '../../lib/shares/unlock-share.ts';
import { OneSite } from '../../lib/sites/schemas.ts';
import { answerBatch } from './answer-batch.ts';
import type { Env } from './env.ts';
import { ALL_GUESSES, GUESSES, SHARED_QUERIES } from './limits.ts';
import { type Resources, readingContext } from './resources.ts';
import { shareRoutes } from './shared-report-contract.ts';

type ShareRequest = Passed<Resources>;

/** For everybody with the link. The routes count requests themselves, by share and address. */
const everybody = { ...publicDoor((_: ShareRequest) => undefined), guards: () => [] };

/**
 * The share in the path. Throws `NOT_FOUND` for unknown, revoked and ended shares, and `RATE_LIMITED` for an address that asked for many
 * unknown ones.
 */
export async function findShare(c: ShareRequest): Promise<FoundShare> {
  const secret = c.req.param('secret') ?? '';
  const share = isShareSecret(secret) ? await c.var.resources.shares(c, secret) : undefined;
  if (share === undefined) throw notFound('share');
  return share;
}

/** Throws `NOT_FOUND` for a share that has ended. */
export function requireNotEnded({ expiresAt }: FoundShare): void {
  if (expiresAt !== null && expiresAt.getTime() <= Date.now()) throw notFound('share');
}

/** The request's unlock token, if it opens the share. */
async function unlockTokenOf(
  c: ShareRequest,
  { shareId, password }: FoundShare,
): Promise<string | undefined> {
  const token = bearerOf(c);
  if (token === undefined || password === null) return undefined;
  const isOpen = await c.var.resources.unlockTokens.opens(token, { shareId, password }, Date.now());
  return isOpen ? token : undefined;
}

/** The scope of the limit of readers with an unlock token. */
const unlockedOf = ({ shareId }: FoundShare): string => `${shareId} unlocked`;

/** `key`: the share and the reader's address, hashed. */
type OpenedShare = FoundShare & { key: string };

const addressOf = (c: ShareRequest): string | undefined => clientAddress(c.req.raw.headers);

/**
 * The share in the path, for readers who may see its reports. Counts the request by share and address; requests with an unlock token apart,
 * so that whoever has none spends nothing of theirs, but not by the token, since a password makes any number of them. Throws `UNAUTHORIZED` for a share with a password unless the request has such a token.
 */
async function openShare(c: ShareRequest): Promise<OpenedShare> {
  const { addressKey, limiterOf } = c.var.resources;
  const share = await findShare(c);
  const token = await unlockTokenOf(c, share);
  const readers = token === undefined ? share.shareId : unlockedOf(share);
  const key = await addressKey(addressOf(c), readers);
  await enforceLimit(c, limiterOf(SHARED_QUERIES), key, 'count-here');
  requireNotEnded(share);
  if (share.password === null || token !== undefined) return { ...share, key };
  throw new DomainError(
    'UNAUTHORIZED',
    'This share has a password. Post it to `unlock`, then send the token of the answer as `Authorization: Bearer ...`.',
  );
}

/**
 * Checks a password and issues an unlock token. Wrong passwords count by share and address first, then by share; whoever has a token counts
 * by address alone, so that guesses of others can't keep them out. Counted before the check, and taken back if the password is right. Each
 * check costs a hash, so a right one counts as a request of a reader.
 */
async function unlock(c: ShareRequest): Promise<UnlockToken> {
  const { addressKey, limiterOf, unlockTokens } = c.var.resources;
  const share = await findShare(c);
  const byAddress = limiterOf(GUESSES);
  const byShare = limiterOf(ALL_GUESSES);
  const key = await addressKey(addressOf(c), share.shareId);
  await enforceLimit(c, byAddress, key, 'wait');
  requireNotEnded(share);
  const { password: typed } = await readJson(c, Unlocking);
  const isReader = (await unlockTokenOf(c, share)) !== undefined;
  if (!isReader) requireAllowed(await byShare.take(share.shareId, 'wait'));
  const token = await unlockShare({ unlockTokens, now: Date.now }, { ...share, typed });
  const [readers] = await Promise.all([
    limiterOf(SHARED_QUERIES).take(await addressKey(addressOf(c), unlockedOf(share)), 'wait'),
    byAddress.undo(key),
    ...(isReader ? [] : [byShare.undo(share.shareId)]),
  ]);
  requireAllowed(readers);
  return token;
}

/** The context with the share as actor, for the verbs of the members' routes. */
async function readShare(c: ShareRequest) {
  const { resources } = c.var;
  const { shareId, siteId, reports, key } = await openShare(c);
  const countReports = resources.questions.ofShare(c, key);
  return {
    ctx: readingContext(resources, { kind: 'share', shareId, siteId, reports }, countReports),
    siteId,
  };
}

/** The same for one report. Throws `NOT_FOUND` for a report that the share doesn't show. */
async function shownBy(c: ShareRequest, report: string) {
  const shared = await readShare(c);
  requireShown(shared.ctx.actor, report);
  return shared;
}

async function answerReport(c: ShareRequest, name: string, named: { funnelId?: string } = {}) {
  const { ctx, siteId } = await shownBy(c, name);
  const { input, answer } = reportNamed(name);
  return answer(ctx, readQuery(c, input, { siteId, ...named }) as never);
}

async function answerList<Item>(
  c: ShareRequest,
  name: string,
  list: (ctx: ReturnType<typeof readingContext>, input: OneSite) => Promise<Item[]>,
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
      refuseQuery(c);
      const { name, site, reports, expiresAt } = await openShare(c);
      return { data: { name, site, reports, expiresAt: expiresAt?.toISOString() ?? null } };
    },
    unlockShare: async (_, __, c) => ({ data: await unlock(c) }),
    getSharedReports: async (_, __, c) => {
      const { ctx, siteId } = await readShare(c);
      return answerBatch(ctx, readQuery(c, ReportBatch, { siteId }));
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
