/** The account that `npm run dev` makes for its developer. */
import { createAccount } from '../lib/accounts/create-account.ts';
import { createApiToken } from '../lib/accounts/create-api-token.ts';
import type { Sql } from '../lib/db.ts';
import { hashToken, isToken } from '../lib/tokens.ts';

export interface DemoAccount {
  email: string;
  apiToken: string;
  siteId: string;
  projectId: string;
  environmentId: string;
}

const EMAIL = 'demo@vendor.local';
const DOMAIN = 'localhost';
const TOKEN_NAME = 'npm run dev';

type Ids = Omit<DemoAccount, 'email' | 'apiToken'> & { userId: string };

/** The demo account of a database, made if it isn't there. Keeps `knownToken` if it still works. */
export async function ensureDemoAccount(sql: Sql, knownToken?: string): Promise<DemoAccount> {
  const { userId, ...ids } = await ensureDemoSite(sql);
  const isKept = knownToken !== undefined && (await isValid(sql, userId, knownToken));
  return { email: EMAIL, apiToken: isKept ? knownToken : await replaceToken(sql, userId), ...ids };
}

/** The demo account's ids, without a token. */
export async function ensureDemoSite(sql: Sql): Promise<Ids> {
  const found = await findIds(sql);
  if (found !== undefined) return found;
  const account = await createAccount({ sql }, { email: EMAIL, name: 'Demo' });
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

/** A new token; those that earlier starts made and nobody holds any more are revoked. */
async function replaceToken(sql: Sql, userId: string): Promise<string> {
  await sql`
    update api_tokens set revoked_at = now() where user_id = ${userId} and name = ${TOKEN_NAME} and revoked_at is null`;
  const { token } = await createApiToken({ sql }, { email: EMAIL, name: TOKEN_NAME });
  return token;
}
