/** The account that `npm run dev` makes for its developer. */
import type { Sql } from '../lib/db.ts';
import { createToken, hashToken, isToken } from '../lib/tokens.ts';

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
  return (await findIds(sql)) ?? (await createIds(sql));
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

async function createIds(sql: Sql): Promise<Ids> {
  const rows = await sql`
    with u as (
      insert into users (email, name) values (${EMAIL}, 'Demo')
      on conflict (lower(email)) do update set name = excluded.name
      returning id
    ), p as (
      insert into projects (name) values ('Demo') returning id
    ), m as (
      insert into project_members (project_id, user_id, role) select p.id, u.id, 'owner' from p, u
    ), e as (
      insert into environments (project_id, name) select id, 'production' from p returning id
    ), s as (
      insert into sites (project_id, domain, name) select id, ${DOMAIN}, 'Six Strings' from p returning id
    )
    select u.id as "userId", p.id as "projectId", e.id as "environmentId", s.id as "siteId" from u, p, e, s`;
  return rows[0] as Ids;
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
  const token = createToken('vapi', (bytes) => crypto.getRandomValues(bytes));
  const hash = await hashToken(token);
  await sql.transaction([
    sql`update api_tokens set revoked_at = now()
        where user_id = ${userId} and name = ${TOKEN_NAME} and revoked_at is null`,
    sql`insert into api_tokens (user_id, name, hash) values (${userId}, ${TOKEN_NAME}, decode(${hash}, 'hex'))`,
  ]);
  return token;
}
