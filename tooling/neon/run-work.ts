import pg from 'pg';
import { OutOfReach } from './neon-errors.ts';
import type { Statement, Work } from './parse-work.ts';
import type { StatementNames } from './statement-names.ts';

type Client = pg.PoolClient;
export type Result = pg.QueryArrayResult<(string | null)[]>;

/** Every value stays the text that PostgreSQL printed. */
const TEXT = { getTypeParser: () => (text: string) => text };

/** Commands that change the session. The change must not reach the next request. */
const SESSION_COMMANDS = new Set(['SET', 'RESET', 'DISCARD', 'LISTEN', 'UNLISTEN', 'PREPARE', 'DEALLOCATE']);

/** The role that a connection has now; none: the role that opened it. */
const roles = new WeakMap<Client, string>();

/**
 * Runs one statement, or several in one transaction, with the rights of `role` if there is one. Throws PostgreSQL's own error, after a
 * rollback, or `OutOfReach`.
 */
export async function run(
  pool: pg.Pool,
  names: StatementNames,
  work: Work,
  role: string | undefined,
): Promise<Result[]> {
  const client = await connect(pool);
  let reusable = false;
  try {
    await takeRole(client, role);
    const results = await perform(client, names, work);
    reusable = !results.some(({ command }) => SESSION_COMMANDS.has(command));
    return results;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError))
      throw new OutOfReach('the connection to the database was lost', { cause: error });
    // After a fatal error the server closes the connection.
    reusable = error.severity === 'ERROR';
    throw error;
  } finally {
    client.release(!reusable || client.getTransactionStatus() !== 'I');
  }
}

/**
 * A connection keeps its role for the next request, which mostly is of the same function. PostgreSQL applies a role's own time limit only
 * when the role signs in, so `set role` needs it here.
 */
async function takeRole(client: Client, role: string | undefined): Promise<void> {
  if (roles.get(client) === role) return;
  roles.delete(client);
  await client.query('reset role; reset statement_timeout');
  if (role === undefined) return;
  await client.query(TIME_LIMIT, [role]);
  await client.query(`set role ${pg.escapeIdentifier(role)}`);
  roles.set(client, role);
}

const TIME_LIMIT = `
  select set_config('statement_timeout', split_part(setting, '=', 2), false)
  from pg_db_role_setting cross join unnest(setconfig) setting
  where setrole = (select oid from pg_roles where rolname = $1) and setting like 'statement\\_timeout=%'
    and setdatabase in (0, (select oid from pg_database where datname = current_database()))
  order by setdatabase`;

async function connect(pool: pg.Pool): Promise<Client> {
  try {
    return await pool.connect();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OutOfReach(`could not connect to the database: ${reason}`, { cause: error });
  }
}

/** Runs the work. If a named statement may have been prepared against an older schema, runs it once more with new ones. */
async function perform(client: Client, names: StatementNames, work: Work): Promise<Result[]> {
  const texts = (work.kind === 'single' ? [work.statement] : work.statements).map(({ query }) => query);
  try {
    const results = await once(client, names.nameOf, work);
    texts.forEach(names.worked);
    return results;
  } catch (error) {
    if (!mayBeStale(error) || !texts.map(names.forget).includes(true)) throw error;
    return await once(client, () => undefined, work);
  }
}

/** PostgreSQL reports a changed result type as `feature_not_supported`; class 42 has names and types. */
function mayBeStale(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError && (error.code === '0A000' || error.code?.startsWith('42') === true)
  );
}

async function once(client: Client, nameOf: StatementNames['nameOf'], work: Work): Promise<Result[]> {
  if (work.kind === 'single') return [await query(client, nameOf, work.statement)];
  await client.query(work.begin);
  try {
    const results: Result[] = [];
    for (const statement of work.statements) results.push(await query(client, nameOf, statement));
    await client.query('commit');
    return results;
  } catch (error) {
    if (error instanceof pg.DatabaseError) await client.query('rollback');
    throw error;
  }
}

function query(client: Client, nameOf: StatementNames['nameOf'], statement: Statement): Promise<Result> {
  const name = nameOf(statement.query);
  return client.query<(string | null)[]>({
    text: statement.query,
    values: statement.params,
    rowMode: 'array',
    types: TEXT,
    ...(name === undefined ? { queryMode: 'extended' } : { name }),
  });
}
