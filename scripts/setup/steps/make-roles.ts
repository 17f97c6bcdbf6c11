/** A database role for each function, with a password of its own (docs/configuration.md#a-database-role-for-each-function). */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { directUrl } from '../direct-url.ts';
import { roleOf, urlFor } from '../function-secrets.ts';
import type { SetupRun, Step } from '../step.ts';
import { withOwner } from './apply-schema.ts';

const CONNECT_MS = 15_000;
/** Another session changes the same role at this moment. */
const BUSY = 'XX000';
const TRIES = 5;

const ofDatabase = (secrets: readonly string[]): boolean => secrets.includes('DATABASE_URL');

export const makeRoles: Step = {
  title: 'Give each function its own database role',
  plan: ({ deployment }) => [
    `Draws a password for each of ${deployment.steps
      .filter(({ secrets }) => ofDatabase(secrets))
      .map(({ fn }) => roleOf(fn))
      .join(', ')}, and signs in with it.`,
    'A role that has a password from somebody else keeps it, and setup stops there, unless --new-passwords is given: roles belong to the ' +
      'whole server, and another deployment may use them.',
    'If the owner may not change roles, every function gets the owner’s address, and the end says so.',
  ],
  async run(run) {
    const functions = run.deployment.steps.filter(({ secrets }) => ofDatabase(secrets)).map(({ fn }) => fn);
    await withOwner(run, async (client) => {
      const foreign = await findForeign(run, client, functions);
      if (foreign.length > 0)
        throw new Error(
          `${foreign.join(', ')}: these roles have a password already that this checkout doesn't know. If no other deployment uses this ` +
            'server, run setup again with --new-passwords. Otherwise give this one a server (at Neon: a project) of its own.',
        );
      for (const fn of functions) if (!(await giveRole(run, client, fn))) return;
      run.tell(`${functions.length} roles with a password of their own, each tried`);
    });
  },
};

/** Roles that can sign in, but not by us. */
async function findForeign(
  { file, options }: SetupRun,
  client: pg.Client,
  functions: string[],
): Promise<string[]> {
  if (options.newPasswords) return [];
  const unknown = functions.map(roleOf).filter((role) => file.passwords[role] === undefined);
  const { rows } = await client.query<{ rolname: string }>(
    'select rolname from pg_roles where rolcanlogin and rolname = any ($1) order by rolname',
    [unknown],
  );
  return rows.map(({ rolname }) => rolname);
}

/** Returns false if the owner may not: then no function has a role of its own. */
async function giveRole(run: SetupRun, client: pg.Client, fn: string): Promise<boolean> {
  const { file } = run;
  const role = roleOf(fn);
  file.passwords[role] ??= randomBytes(24).toString('hex');
  // Kept first: a password that is set and not kept is lost.
  await run.save();
  try {
    await setPassword(client, role, file.passwords[role]);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || !['42501', '42704'].includes(error.code ?? '')) throw error;
    file.passwords = {};
    await run.save();
    run.notes.push(
      `The database's owner may not change roles (${error.message}): every function has the owner's rights, and a leaked credential of one ` +
        'opens all. Let somebody who may run schema/roles.sql and grant the owner these roles with admin option; then run setup again.',
    );
    return false;
  }
  await tryRole(fn, file);
  return true;
}

/** Another password for a function that is uploaded with it at once: in between, the function can't reach the database. */
export async function renewPassword(run: SetupRun, fn: string): Promise<void> {
  const { file, save } = run;
  const role = roleOf(fn);
  const password = randomBytes(24).toString('hex');
  file.passwords[role] = password;
  await save();
  await withOwner(run, (client) => setPassword(client, role, password));
}

/** The password is 48 hexadecimal digits; a role's statement takes no parameters. */
async function setPassword(client: pg.Client, role: string, password: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await client.query(`alter role ${role} login password '${password}'`);
      return;
    } catch (error) {
      if ((error as pg.DatabaseError).code !== BUSY || tries === TRIES) throw error;
    }
  }
}

async function tryRole(fn: string, file: SetupRun['file']): Promise<void> {
  const client = new pg.Client({
    connectionString: directUrl(urlFor(fn, file) as string),
    connectionTimeoutMillis: CONNECT_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select version from schema_version');
  } catch (error) {
    throw new Error(
      `The role ${roleOf(fn)} can't sign in with its new password (${(error as Error).message}). Run setup again; if it stays so, the server ` +
        'lets only some roles in (pg_hba.conf).',
      { cause: error },
    );
  } finally {
    await client.end().catch(() => {});
  }
}
