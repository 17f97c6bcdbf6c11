/** The account that `npm run dev` creates for the developer. */
import { randomBytes } from 'node:crypto';
import { hashPassword } from 'better-auth/crypto';
import { createApiToken } from '../lib/accounts/api-keys.ts';
import { createAccount } from '../lib/accounts/create-account.ts';
import { findQueryToken } from '../lib/accounts/find-query-token.ts';
import { SCOPES } from '../lib/accounts/schemas.ts';
import type { ActorOf } from '../lib/context.ts';
import type { Sql } from '../lib/db.ts';
import { findIngestKey } from '../lib/projects/find-ingest-key.ts';
import { createToken, hashToken, isToken } from '../lib/tokens.ts';
import { asOperator } from '../tooling/operator.ts';

export interface DemoAccount {
  email: string;
  password: string;
  apiToken: string;
  ingestKey: string;
  queryToken: string;
  siteId: string;
  projectId: string;
  environmentId: string;
}

const EMAIL = 'demo@vendor.local';
const DOMAIN = 'localhost';
const TOKEN_NAME = 'npm run dev';

type Secrets = Pick<DemoAccount, 'password' | 'apiToken' | 'ingestKey' | 'queryToken'>;
type Ids = Pick<DemoAccount, 'siteId' | 'projectId' | 'environmentId'> & { userId: string };

/** The demo account of a database; creates what is missing of it. Known secrets that still work are kept, others are drawn anew. */
export async function ensureDemoAccount(sql: Sql, known: Partial<Secrets> = {}): Promise<DemoAccount> {
  const { userId, ...ids } = await ensureDemoSite(sql);
  const { apiToken = '', ingestKey = '', queryToken = '' } = known;
  return {
    email: EMAIL,
    password: await ensurePassword(sql, userId, known.password),
    apiToken: (await isValid(sql, userId, apiToken)) ? apiToken : await replaceToken(sql, userId),
    ingestKey: (await isIngestKey(sql, ids.environmentId, ingestKey))
      ? ingestKey
      : await replaceIngestKey(sql, ids.environmentId),
    queryToken: (await isQueryToken(sql, userId, queryToken))
      ? queryToken
      : await replaceQueryToken(sql, userId),
    ...ids,
  };
}

/** Keeps a known password, also one that the person has changed since. Otherwise stores a new one. */
async function ensurePassword(sql: Sql, userId: string, known: string | undefined): Promise<string> {
  const [found] = await sql`
    select id from user_credentials where user_id = ${userId} and provider = 'credential'`;
  if (found !== undefined && known !== undefined) return known;
  const password = known ?? randomBytes(15).toString('base64url');
  const hash = await hashPassword(password);
  if (found === undefined)
    await sql`
      insert into user_credentials (user_id, provider, account, password) values (${userId}, 'credential', ${userId}, ${hash})`;
  else await sql`update user_credentials set password = ${hash} where id = ${found.id}`;
  return password;
}

/** Works by a session of the person that ends with the work: what lasts is made only by who is signed in. */
export async function withSession<T>(
  sql: Sql,
  userId: string,
  work: (actor: ActorOf<'session'>) => Promise<T>,
): Promise<T> {
  // Nobody knows the secret of this hash.
  const hash = randomBytes(32).toString('hex');
  const [session] = await sql`
    insert into user_sessions (user_id, hash, expires_at)
    values (${userId}, decode(${hash}, 'hex'), now() + interval '1 hour') returning id`;
  try {
    return await work({ kind: 'session', sessionId: session?.id, userId });
  } finally {
    await sql`delete from user_sessions where id = ${session?.id}`;
  }
}

/** The ids of the demo account, without a token. Somebody may have deleted its project or its site. */
export async function ensureDemoSite(sql: Sql): Promise<Ids> {
  const found = await findIds(sql);
  if (found !== undefined) return found;
  const [person] = await sql`select id from users where lower(email) = ${EMAIL}`;
  const account =
    person === undefined
      ? await createAccount({ sql }, { email: EMAIL, name: 'Demo', emailConfirmed: true })
      : await ensureProject(sql, person.id);
  const [site] = await sql`
    insert into sites (project_id, domain, name) values (${account.projectId}, ${DOMAIN}, 'Six Strings') returning id`;
  return { ...account, siteId: site?.id };
}

/**
 * Makes whoever chose a password first an owner of the demo's project too. Nobody has one before the first owner's account, which then owns
 * every project.
 */
export const shareWithOwner = (sql: Sql, projectId: string) => sql`
  insert into project_members (project_id, user_id, role)
  select ${projectId}::uuid, user_id, 'owner' from user_credentials where password is not null
  order by created_at limit 1
  on conflict (project_id, user_id) do nothing`;

/** A project of the person with the environment `production`, which is as old as the telemetry of the demo. */
async function ensureProject(sql: Sql, userId: string): Promise<Omit<Ids, 'siteId'>> {
  const [found] = await sql`
    select m.project_id as "projectId", e.id as "environmentId"
    from project_members m join environments e on e.project_id = m.project_id and e.name = 'production'
    where m.user_id = ${userId} and m.role = 'owner'
    limit 1`;
  if (found !== undefined) return { userId, projectId: found.projectId, environmentId: found.environmentId };
  const [made] = await sql`
    with project as (insert into projects (name) values ('Demo') returning id),
      membership as (insert into project_members (project_id, user_id, role) select id, ${userId}::uuid, 'owner' from project)
    insert into environments (project_id, name, created_at)
    select id, 'production', now() - interval '31 days' from project
    returning project_id as "projectId", id as "environmentId"`;
  return { userId, projectId: made?.projectId, environmentId: made?.environmentId };
}

async function findIds(sql: Sql): Promise<Ids | undefined> {
  const rows = await sql`
    select u.id as "userId", p.id as "projectId", e.id as "environmentId", s.id as "siteId"
    from users u
    join project_members m on m.user_id = u.id and m.role = 'owner'
    join projects p on p.id = m.project_id
    join environments e on e.project_id = p.id and e.name = 'production'
    join sites s on s.project_id = p.id and s.domain = ${DOMAIN}
    where lower(u.email) = ${EMAIL}
    order by s.created_at
    limit 1`;
  return rows[0] as Ids | undefined;
}

async function isValid(sql: Sql, userId: string, token: string): Promise<boolean> {
  if (!isToken('vapi', token)) return false;
  const rows = await sql`
    select 1 from api_tokens
    where hash = decode(${await hashToken(token)}, 'hex') and user_id = ${userId} and revoked_at is null`;
  return rows.length === 1;
}

/** Creates a token and revokes the tokens of earlier starts that nobody holds. */
async function replaceToken(sql: Sql, userId: string): Promise<string> {
  await sql`
    update api_tokens set revoked_at = now() where user_id = ${userId} and name = ${TOKEN_NAME} and revoked_at is null`;
  const { token } = await createApiToken(asOperator(sql), { email: EMAIL, name: TOKEN_NAME });
  return token;
}

async function isIngestKey(sql: Sql, environmentId: string, key: string): Promise<boolean> {
  if (!isToken('ving', key)) return false;
  const found = await findIngestKey({ sql }, await hashToken(key));
  return found?.environmentId === environmentId;
}

async function replaceIngestKey(sql: Sql, environmentId: string): Promise<string> {
  const key = createToken('ving', (bytes) => crypto.getRandomValues(bytes));
  await sql`
    update ingest_keys set revoked_at = now()
    where environment_id = ${environmentId} and name = ${TOKEN_NAME} and revoked_at is null`;
  await sql`
    insert into ingest_keys (environment_id, name, outcomes, hash)
    values (${environmentId}, ${TOKEN_NAME}, true, decode(${await hashToken(key)}, 'hex'))`;
  return key;
}

async function isQueryToken(sql: Sql, userId: string, token: string): Promise<boolean> {
  if (!isToken('vqry', token)) return false;
  return (await findQueryToken({ sql }, await hashToken(token)))?.actor.userId === userId;
}

async function replaceQueryToken(sql: Sql, userId: string): Promise<string> {
  const token = createToken('vqry', (bytes) => crypto.getRandomValues(bytes));
  await sql`
    update query_tokens set revoked_at = now() where user_id = ${userId} and name = ${TOKEN_NAME} and revoked_at is null`;
  await sql`
    insert into query_tokens (user_id, name, scopes, hash)
    values (${userId}, ${TOKEN_NAME}, ${[...SCOPES]}::text[], decode(${await hashToken(token)}, 'hex'))`;
  return token;
}
