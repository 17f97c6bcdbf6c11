/**
 * Each grant races with its withdrawal on a real server. Whatever their order, nothing that was granted begins to work after the withdrawal
 * is answered, and what the withdrawal ends doesn't work. A new kind of grant is one more entry of `PAIRS`.
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createApiKey } from '../../lib/accounts/api-keys.ts';
import { replacePassword } from '../../lib/accounts/auth/password-reset.ts';
import { enter, findDoor } from '../../lib/accounts/auth/sign-up.ts';
import { createQueryToken, revokeQueryToken } from '../../lib/accounts/query-tokens.ts';
import { allowView } from '../../lib/accounts/view-grants.ts';
import type { Sql } from '../../lib/db.ts';
import { DomainError } from '../../lib/errors.ts';
import { createIngestKey } from '../../lib/projects/ingest-keys.ts';
import {
  inviteMember,
  joinProject,
  previewInvitation,
  revokeInvitation,
} from '../../lib/projects/invitations.ts';
import { changeMember, removeMember } from '../../lib/projects/members.ts';
import { createShareSecrets } from '../../lib/shares/secret.ts';
import { createShare } from '../../lib/shares/shares.ts';
import { useDatabase } from '../services/database.ts';
import { addQueryToken } from './session.ts';
import { signed } from './signed.ts';

const RACES = 200;
/** Races that run at the same time: each needs a few of the 20 connections. */
const AT_ONCE = 5;
/** An attacker repeats the grant until it is refused. */
const ATTEMPTS = 2;

/**
 * Projects, each with an owner, with the owner `admin`, who attacks and has a link for a new password, and with a viewer. `guest` isn't a
 * member. A person's session has the id of the person.
 */
async function createWorlds(sql: Sql, count: number) {
  const worlds = Array.from({ length: count }, () => {
    const [project, environment, site] = [randomUUID(), randomUUID(), randomUUID()];
    const [owner, admin, viewer, guest] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    return { project, environment, site, owner, admin, viewer, guest };
  });
  await sql`
    with world as (
      select * from jsonb_to_recordset(${JSON.stringify(worlds)}::jsonb) as world (
        project uuid, environment uuid, site uuid, owner uuid, admin uuid, viewer uuid, guest uuid)
    ), person as (
      select * from world cross join lateral (
        values (owner, 'owner'), (admin, 'owner'), (viewer, 'viewer'), (guest, null)) person (id, role)
    ), people as (
      insert into users (id, email, email_verified) select id, id || '@example.com', true from person
    ), sessions as (
      insert into user_sessions (id, user_id, hash, expires_at)
      select id, id, convert_to(id::text, 'UTF8'), now() + interval '1 hour' from person
    ), projects as (insert into projects (id, name) select project, 'Race' from world), environments as (
      insert into environments (id, project_id, name) select environment, project, 'production' from world
    ), sites as (
      insert into sites (id, project_id, domain, name) select site, project, 'example.com', 'Example' from world
    ), members as (
      insert into project_members (project_id, user_id, role) select project, id, role from person where role is not null
    ), links as (
      insert into user_verifications (identifier, value, expires_at)
      select admin::text, admin::text, now() + interval '1 hour' from world
    )
    insert into user_credentials (user_id, provider, account, password)
    select admin, 'credential', admin::text, 'old' from world`;
  return worlds.map(({ project, environment, site, owner, admin, viewer, guest }) => ({
    ...{ sql, projectId: project, environmentId: environment, siteId: site },
    ...{ owner: signed(sql, owner, owner), admin: signed(sql, admin, admin) },
    ...{ viewer: signed(sql, viewer, viewer), guest: signed(sql, guest, guest) },
  }));
}
type World = Awaited<ReturnType<typeof createWorlds>>[number];

interface Pair<Ready = unknown> {
  name: string;
  /** What is there before the race. */
  before?: (world: World) => Promise<Ready>;
  grant: (world: World, ready: Ready) => Promise<unknown>;
  withdraw: (world: World, ready: Ready) => Promise<unknown>;
  /** What was granted and works, in any form. */
  works: (world: World, granted: readonly unknown[]) => Promise<unknown[]>;
  /** Whether the withdrawal ends what was granted before. Otherwise it only keeps more from being granted. */
  ends: boolean;
}

const pair = <Ready>(it: Pair<Ready>): Pair => it as Pair;

const idsOf = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort();

const invite = ({ admin, projectId }: World) => inviteMember(admin.ctx, { projectId, role: 'owner' });
const share = ({ admin, siteId }: World) =>
  createShare(
    { ...admin.ctx, shareSecrets: createShareSecrets('s'.repeat(32)) },
    { siteId, name: 'Race', reports: ['overview'], embedOrigins: [] },
  );
const addKey = ({ admin, projectId, environmentId }: World) =>
  createIngestKey(admin.ctx, { projectId, environmentId, name: 'Race', outcomes: false });
const promote = ({ admin, projectId, viewer }: World) =>
  changeMember(admin.ctx, { projectId, userId: viewer.userId, role: 'owner' });

const remove = ({ owner, admin, projectId }: World) =>
  removeMember(owner.ctx, { projectId, userId: admin.userId });
const demote = ({ owner, admin, projectId }: World) =>
  changeMember(owner.ctx, { projectId, userId: admin.userId, role: 'viewer' });
const reset = ({ sql, admin }: World) =>
  replacePassword(
    { sql, now: Date.now, requestId: randomUUID(), tool: 'test', inputHash: null },
    { identifier: admin.userId, userId: admin.userId, hash: 'new' },
  );

/** The links that still open the project, by the granted invitations. */
const links = async ({ sql }: World, granted: readonly unknown[]) => {
  const secrets = (granted as { url: string }[]).map(({ url }) => url.split('#')[1] ?? '');
  const opened = secrets.map((secret) =>
    previewInvitation({ sql }, { secret }).then(
      () => [secret],
      () => [],
    ),
  );
  return (await Promise.all(opened)).flat();
};
const shares = async ({ sql, siteId }: World) =>
  idsOf(await sql`select id from site_shares where site_id = ${siteId}`);
const ingestKeys = async ({ sql, environmentId }: World) =>
  idsOf(await sql`select id from ingest_keys where environment_id = ${environmentId} and revoked_at is null`);
const members = async ({ sql, projectId, admin }: World) =>
  idsOf(
    await sql`
    select user_id, role from project_members where project_id = ${projectId} and user_id <> ${admin.userId}`,
  );
const apiKeys = async ({ sql, admin }: World) =>
  idsOf(
    await sql`select id from api_tokens where user_id = ${admin.userId} and name = 'Race' and revoked_at is null`,
  );
const queryTokens = async ({ sql, admin }: World) =>
  idsOf(await sql`select id from query_tokens where user_id = ${admin.userId} and revoked_at is null`);
const views = async ({ sql, admin }: World) =>
  idsOf(
    await sql`
    select view_grants.id from view_grants join query_tokens token on token.id = query_token_id
    where token.user_id = ${admin.userId} and token.revoked_at is null`,
  );

/** Accounts that were made by an invitation of the world, whose name they have. */
const invited = async ({ sql, projectId }: World) =>
  idsOf(await sql`select id from users where name = ${projectId}`);

/** Without hashing a password, which takes longer than the race. */
const signUpBy = async ({ sql, projectId }: World, invitation: { url: string }) =>
  enter(
    { sql },
    await findDoor(
      { sql, now: Date.now, authKey: '', isSignUpOpen: false },
      { invitation: secretOf(invitation), firstOwner: undefined },
    ),
    { email: `${randomUUID()}@example.com`, name: projectId, hash: 'new' },
  ).then(() => true);

const secretOf = ({ url }: { url: string }) => url.split('#')[1] ?? '';

const PAIRS: readonly Pair[] = [
  {
    name: 'an invitation and the removal of its maker',
    grant: invite,
    withdraw: remove,
    works: links,
    ends: true,
  },
  {
    name: 'an invitation and a lesser role of its maker',
    grant: invite,
    withdraw: demote,
    works: links,
    ends: true,
  },
  {
    name: 'an invitation and a new password by mail',
    grant: invite,
    withdraw: reset,
    works: links,
    ends: true,
  },
  pair({
    name: 'a membership and the removal of who invited',
    before: invite,
    grant: ({ guest }, invitation) => joinProject(guest.ctx, { secret: secretOf(invitation) }),
    withdraw: remove,
    works: members,
    ends: false,
  }),
  pair({
    name: 'a membership and the end of the invitation',
    before: invite,
    grant: ({ guest }, invitation) => joinProject(guest.ctx, { secret: secretOf(invitation) }),
    withdraw: ({ owner, projectId }, { id }) => revokeInvitation(owner.ctx, { projectId, invitationId: id }),
    works: members,
    ends: false,
  }),
  pair({
    name: 'an account where sign-up is closed and the removal of who invited',
    before: invite,
    grant: signUpBy,
    withdraw: remove,
    works: invited,
    ends: false,
  }),
  pair({
    name: 'an account where sign-up is closed and the end of the invitation',
    before: invite,
    grant: signUpBy,
    withdraw: ({ owner, projectId }, { id }) => revokeInvitation(owner.ctx, { projectId, invitationId: id }),
    works: invited,
    ends: false,
  }),
  {
    name: 'a role and the removal of its giver',
    grant: promote,
    withdraw: remove,
    works: members,
    ends: false,
  },
  {
    name: 'a role and a lesser role of its giver',
    grant: promote,
    withdraw: demote,
    works: members,
    ends: false,
  },
  {
    name: 'a share and the removal of its maker',
    grant: share,
    withdraw: remove,
    works: shares,
    ends: false,
  },
  {
    name: 'a share and a lesser role of its maker',
    grant: share,
    withdraw: demote,
    works: shares,
    ends: false,
  },
  { name: 'a share and a new password by mail', grant: share, withdraw: reset, works: shares, ends: false },
  {
    name: 'an ingest key and the removal of its maker',
    grant: addKey,
    withdraw: remove,
    works: ingestKeys,
    ends: false,
  },
  {
    name: 'an ingest key and a new password by mail',
    grant: addKey,
    withdraw: reset,
    works: ingestKeys,
    ends: false,
  },
  {
    name: 'an API key and a new password by mail',
    grant: ({ admin }) =>
      createApiKey(admin.ctx, { name: 'Race', access: 'write', projectIds: undefined, siteIds: undefined }),
    withdraw: reset,
    works: apiKeys,
    ends: true,
  },
  {
    name: 'a query token and a new password by mail',
    grant: ({ admin }) => createQueryToken(admin.ctx, { name: 'Race', scopes: ['sites:read'] }),
    withdraw: reset,
    works: queryTokens,
    ends: true,
  },
  pair({
    name: 'a grant of a view and the end of its token',
    before: ({ sql, admin }) => addQueryToken(sql, admin.userId),
    grant: ({ admin }, { queryTokenId }) =>
      allowView(admin.ctx, { queryTokenId, tab: randomUUID(), minutes: 5 }),
    withdraw: ({ admin }, { queryTokenId }) => revokeQueryToken(admin.ctx, { queryTokenId }),
    works: views,
    ends: true,
  }),
];

/** Refusals are expected: the grant comes too late, or the withdrawal finds nothing. Faults of the service aren't. */
const settled = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error) => {
    if (error instanceof DomainError && error.code !== 'UNAVAILABLE') return undefined;
    throw error;
  });

/** Lets other work go first, for a time that differs from race to race. */
async function waitTurns(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
}

async function race(world: World, { before, grant, withdraw, works, ends }: Pair, n: number) {
  const ready = await before?.(world);
  const granted: unknown[] = [];
  const grants = async () => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const made = await settled(grant(world, ready));
      if (made === undefined) return;
      granted.push(made);
    }
  };
  const withdrawn = async () => {
    await waitTurns(n % 12);
    const answer = await settled(withdraw(world, ready).then(() => true));
    return { isDone: answer === true, seen: await works(world, granted) };
  };
  const [{ isDone, seen }] = await Promise.all([withdrawn(), grants()]);
  const after = await works(world, granted);
  if (!isDone) return 'refused';
  if (ends) return after.length === 0 ? 'won' : 'lost';
  return JSON.stringify(after) === JSON.stringify(seen) ? 'won' : 'lost';
}

describe('on a server', () => {
  const database = useDatabase();

  test.for(PAIRS)('$name: the withdrawal wins', { timeout: 180_000 }, async (it) => {
    const worlds = await createWorlds(database().sql, RACES);
    const outcomes: Record<string, number> = {};
    for (let n = 0; n < RACES; n += AT_ONCE) {
      const some = worlds.slice(n, n + AT_ONCE).map((world, k) => race(world, it, n + k));
      for (const outcome of await Promise.all(some)) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
    expect(outcomes.lost ?? 0).toBe(0);
    expect(outcomes.won ?? 0).toBeGreaterThan(0);
  });
});
