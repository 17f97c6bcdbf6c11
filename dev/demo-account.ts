/** The account that `npm run dev` creates for the developer. */
import { hashPassword } from 'better-auth/crypto';
import { createApiToken } from '../lib/accounts/api-keys.ts';
import { createAccount } from '../lib/accounts/create-account.ts';
import { findQueryToken } from '../lib/accounts/find-query-token.ts';
import { SCOPES } from '../lib/accounts/schemas.ts';
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
const PASSWORD = 'demo on this machine';
const DOMAIN = 'localhost';
const TOKEN_NAME = 'npm run dev';

type Secrets = Pick<DemoAccount, 'apiToken' | 'ingestKey' | 'queryToken'>;
type Ids = Pick<DemoAccount, 'siteId' | 'projectId' | 'environmentId'> & { userId: string };

/** The demo account of a database; creates it if it is missing. Known secrets that still work are kept. */
export async function ensureDemoAccount(sql: Sql, known: Partial<Secrets> = {}): Promise<DemoAccount> {
  const { userId, ...ids } = await ensureDemoSite(sql);
  await ensurePassword(sql, userId);
  const { apiToken = '', ingestKey = '', queryToken = '' } = known;
  return {
    email: EMAIL,
    password: PASSWORD,
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

/** Stores the default password, unless the account already has a password. */
async function ensurePassword(sql: Sql, userId: string): Promise<void> {
  const [found] =
    await sql`select from user_credentials where user_id = ${userId} and provider = 'credential'`;
  if (found !== undefined) return;
  await sql`
    insert into user_credentials (user_id, provider, account, password)
    values (${userId}, 'credential', ${userId}, ${await hashPassword(PASSWORD)}) on conflict do nothing`;
}

/** The ids of the demo account, without a token. */
export async function ensureDemoSite(sql: Sql): Promise<Ids> {
  const found = await findIds(sql);
  if (found !== undefined) return found;
  const account = await createAccount({ sql }, { email: EMAIL, name: 'Demo', emailConfirmed: true });
  const [site] = await sql`
    insert into sites (project_id, domain, name) values (${account.projectId}, ${DOMAIN}, 'Six Strings') returning id`;
  return { ...account, siteId: site?.id };
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
