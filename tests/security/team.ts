/** The people of a project, signed in, for tests of what each of them may do. */
import { type GenericSchema, parse } from 'valibot';
import { expect } from 'vitest';
import type { Sql } from '../../lib/db.ts';
import { DomainError } from '../../lib/errors.ts';
import { type Signed, signed } from './signed.ts';
import { addMember, createTenant, type Person } from './tenant.ts';

export interface SignedPerson extends Signed {
  email: string;
}

/** The context of a person's calls in their session. */
export async function signIn(sql: Sql, { userId, email }: Person): Promise<SignedPerson> {
  const [session] = await sql`select id from user_sessions where user_id = ${userId}`;
  return { ...signed(sql, userId, session?.id), email };
}

const WHO = ['stranger', 'viewer', 'admin', 'owner'] as const;
export type Who = (typeof WHO)[number];

export interface Team extends Record<Who, SignedPerson> {
  projectId: string;
  siteId: string;
}

/** A project with a site and a member of each role. Their names are their roles. The stranger has another project. */
export async function createTeam(sql: Sql): Promise<Team> {
  const { projectId, siteId, ...owner } = await createTenant(sql);
  const name = async (who: Who, person: Person) => {
    await sql`update users set name = ${who} where id = ${person.userId}`;
    return signIn(sql, person);
  };
  return {
    ...{ projectId, siteId, owner: await name('owner', owner) },
    admin: await name('admin', await addMember(sql, projectId, 'admin')),
    viewer: await name('viewer', await addMember(sql, projectId, 'viewer')),
    stranger: await name('stranger', await createTenant(sql)),
  };
}

/** Signs a person out while their call is under way. */
export const endSessions = (sql: Sql, { userId }: Signed) =>
  sql`delete from user_sessions where user_id = ${userId}`;

/** Makes a person's last proof an old one. */
export const ageSessions = (sql: Sql, { userId }: Signed) =>
  sql`update user_sessions set created_at = now() - interval '11 minutes' where user_id = ${userId}`;

/** An error says something in a sentence; one for what is missing names it. */
const SENTENCE = /^(?:No such (?!undefined)\w[\w ]*|(?!No such)[A-Z].+)\.$/;

/** What a call came to: `done`, or the code of its error. */
export async function outcomeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'done';
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return SENTENCE.test(error.message) ? error.code : `${error.code} "${error.message}"`;
  }
}

/** What a call comes to for each person of a team, one after the other. */
export async function outcomesOf(
  team: Team,
  call: (person: SignedPerson) => Promise<unknown>,
): Promise<Record<string, string>> {
  const outcomes: Record<string, string> = {};
  for (const who of WHO) outcomes[who] = await outcomeOf(call(team[who]));
  return outcomes;
}

/** What only members, only owners and admins, and only owners may do. */
export const MEMBERS_MAY = { stranger: 'NOT_FOUND', viewer: 'done', admin: 'done', owner: 'done' };
export const MANAGERS_MAY = { ...MEMBERS_MAY, viewer: 'FORBIDDEN' };
export const OWNERS_MAY = { ...MANAGERS_MAY, admin: 'FORBIDDEN' };

/** The changes in a project's audit log, as sorted `action target name`. */
export async function linesOf(sql: Sql, projectId: string): Promise<string[]> {
  const lines = await sql`
    select action, target, target_name from audit_log where project_id = ${projectId} and result = 'done'`;
  return lines
    .map(({ action, target, target_name }) => `${action} ${target} ${target_name ?? '-'}`)
    .toSorted();
}

/** Checks that an answer has the form that the API's document gives: all of its fields, and no other. */
export function expectFits(schema: GenericSchema, answer: unknown): void {
  expect(parse(schema, answer)).toEqual(answer);
}
