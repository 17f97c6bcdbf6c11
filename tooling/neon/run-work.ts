import pg from 'pg';
import { OutOfReach } from './neon-errors.ts';
import type { Statement, Work } from './parse-work.ts';
import type { StatementNames } from './statement-names.ts';

type Client = pg.PoolClient;
export type Result = pg.QueryArrayResult<(string | null)[]>;

/** Every value stays the text that PostgreSQL printed. */
const TEXT = { getTypeParser: () => (text: string) => text };

/** Commands that change the session, which the next request must not find changed. */
const SESSION_COMMANDS = new Set(['SET', 'RESET', 'DISCARD', 'LISTEN', 'UNLISTEN', 'PREPARE', 'DEALLOCATE']);

/**
 * Runs one statement, or several in a transaction of their own. Throws PostgreSQL's own error, after rolling back, or
 * `OutOfReach`.
 */
export async function run(pool: pg.Pool, names: StatementNames, work: Work): Promise<Result[]> {
  const client = await connect(pool);
  let reusable = false;
  try {
    const results = await perform(client, names, work);
    reusable = !results.some(({ command }) => SESSION_COMMANDS.has(command));
    return results;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError))
      throw new OutOfReach('the connection to the database was lost', { cause: error });
    // A fatal error is the server's last word on this connection.
    reusable = error.severity === 'ERROR';
    throw error;
  } finally {
    client.release(!reusable || client.getTransactionStatus() !== 'I');
  }
}

async function connect(pool: pg.Pool): Promise<Client> {
  try {
    return await pool.connect();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OutOfReach(`could not connect to the database: ${reason}`, { cause: error });
  }
}

/** Runs the work; when a named statement may have been prepared against an older schema, once more with fresh ones. */
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

/** `feature_not_supported` is what a changed result type is reported as; class 42 has the names and types. */
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
