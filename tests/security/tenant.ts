/** Creates people, projects and tokens for one test. */
import type { Sql } from '../../lib/db.ts';
import { createToken, hashToken } from '../../lib/tokens.ts';
import { createCookie } from './session.ts';

export type Role = 'owner' | 'admin' | 'viewer';

export interface Person {
  userId: string;
  email: string;
  /** An API token of the person. */
  token: string;
  /** The `Cookie` header of the person's session. */
  cookie: string;
}

export interface Tenant extends Person {
  projectId: string;
  siteId: string;
}

/** What an API key opens at most; by default, everything that its person sees and changes. */
export interface KeyLimits {
  access?: 'read' | 'write';
  projectIds?: readonly string[];
  siteIds?: readonly string[];
  /** Default: the key has no end. */
  expiresAt?: Date;
}

/** Makes one more API key for a person and returns it. */
export async function addApiKey(
  sql: Sql,
  { userId }: Pick<Person, 'userId'>,
  limits: KeyLimits = {},
): Promise<string> {
  const { access = 'write', projectIds = null, siteIds = null, expiresAt } = limits;
  const token = newToken();
  await sql`
    insert into api_tokens (user_id, name, access, project_ids, site_ids, expires_at, hash)
    values (
      ${userId}, 'narrow', ${access}, ${projectIds}::uuid[], ${siteIds}::uuid[],
      ${expiresAt?.toISOString() ?? null}::timestamptz, decode(${await hashToken(token)}, 'hex'))`;
  return token;
}

export const newToken = () => createToken('vapi', (bytes) => crypto.getRandomValues(bytes));

/** Creates a person with a token and a session, and without a project. */
export async function createPerson(sql: Sql): Promise<Person> {
  const token = newToken();
  const email = `${crypto.randomUUID()}@example.com`;
  const session = await createCookie();
  const [row] = await sql`
    with person as (
      insert into users (email, email_verified) values (${email}, true) returning id
    ), signed_in as (
      insert into user_sessions (user_id, hash, expires_at)
      select id, decode(${session.hash}, 'hex'), now() + interval '1 hour' from person
    )
    insert into api_tokens (user_id, name, hash)
    select id, 'test', decode(${await hashToken(token)}, 'hex') from person
    returning user_id
  `;
  return { userId: row?.user_id, email, token, cookie: session.cookie };
}

/** Creates a person whose address isn't confirmed. */
export async function createUnconfirmed(sql: Sql): Promise<Person> {
  const person = await createPerson(sql);
  await sql`update users set email_verified = false where id = ${person.userId}`;
  return person;
}

/** Creates a person with a project and a site in it. */
export async function createTenant(sql: Sql): Promise<Tenant> {
  const person = await createPerson(sql);
  const projectId = await createProject(sql, person, 'owner');
  return { ...person, projectId, siteId: await createSite(sql, projectId) };
}

/** Makes a site in a project and returns its id. */
export async function createSite(sql: Sql, projectId: string): Promise<string> {
  const [site] = await sql`
    insert into sites (project_id, domain, name) values (${projectId}, 'example.com', 'Example') returning id
  `;
  return site?.id;
}

/** Creates a project with `person` as a member. Returns its id. */
export async function createProject(sql: Sql, person: Person, role: Role): Promise<string> {
  const [row] = await sql`
    with project as (insert into projects (name) values ('Test') returning id)
    insert into project_members (project_id, user_id, role)
    select id, ${person.userId}, ${role} from project
    returning project_id
  `;
  return row?.project_id;
}

/** Adds a new person to an existing project. */
export async function addMember(sql: Sql, projectId: string, role: Role): Promise<Person> {
  const person = await createPerson(sql);
  await sql`
    insert into project_members (project_id, user_id, role) values (${projectId}, ${person.userId}, ${role})
  `;
  return person;
}

/** Removes a person from a project. */
export async function removeFrom(sql: Sql, projectId: string, { userId }: Person): Promise<void> {
  await sql`delete from project_members where project_id = ${projectId} and user_id = ${userId}`;
}

/** Revokes all tokens of a person and ends their sessions. */
export async function revoke(sql: Sql, person: Person): Promise<void> {
  await sql`update api_tokens set revoked_at = now() where user_id = ${person.userId}`;
  await sql`delete from user_sessions where user_id = ${person.userId}`;
}
