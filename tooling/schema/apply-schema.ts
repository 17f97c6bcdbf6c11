import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { VERSION } from '../../lib/version.ts';
import { adoptRelease } from './adopt-release.ts';
import { analyzeTables } from './analyze-tables.ts';
import { createIndexes } from './create-index.ts';
import { grantRoles } from './grant-roles.ts';
import { listFunctions, makeFunctions } from './make-functions.ts';
import { type Migration, readSchema, type Schema } from './read-schema.ts';
import { type Patience, runPatiently } from './run-patiently.ts';

const PATIENCE_MS = 10 * 60_000;
const PROGRESS_EVERY_MS = 2_000;
const LOCK = "hashtextextended('vendor schema', 0)";

export interface ApplyOptions extends Partial<Patience> {
  /** Default: the schema of this checkout. */
  schema?: Schema;
}

export interface Applied {
  /** Names of the migrations that were applied or, for 0.1.0, adopted. */
  migrations: string[];
  functionsMade: boolean;
}

/**
 * Upgrades a database to this checkout: an empty one, or one of any release. Applies each migration once, in order, and replaces
 * functions that differ. Safe to repeat, to stop at any point, and to run twice at once. Collection continues.
 *
 * @param client a connection of its own: settings and a lock are the session's
 * @throws a sentence for the operator: the database is of an unknown or a newer version, or others hold a lock for too long
 */
export async function applySchema(client: pg.ClientBase, options: ApplyOptions = {}): Promise<Applied> {
  const { schema = await readSchema(), patienceMs = PATIENCE_MS, report = () => {} } = options;
  const patience = { patienceMs, report };
  await takeTurn(client, patience);
  try {
    // The server ends the locks of a stopped run, even if nobody reports that the run ended.
    await client.query("set idle_in_transaction_session_timeout = '1min'");
    return await bringUp(client, schema, patience);
  } finally {
    await client.query('reset idle_in_transaction_session_timeout').catch(() => {});
    await client.query(`select pg_advisory_unlock(${LOCK})`).catch(() => {});
  }
}

/** Tries repeatedly instead of waiting: `create index concurrently` of another run would wait for a waiting statement. */
async function takeTurn(client: pg.ClientBase, { patienceMs, report }: Patience): Promise<void> {
  const until = performance.now() + patienceMs;
  for (let isReported = false; ; isReported = true) {
    const { rows } = await client.query<{ ours: boolean }>(`select pg_try_advisory_lock(${LOCK}) as ours`);
    if (rows[0]?.ours === true) return;
    if (performance.now() > until)
      throw new Error('Another run of npm run db:apply goes on. Nothing was done.');
    if (!isReported) report('Waits for another run of npm run db:apply.');
    await setTimeout(200);
  }
}

async function bringUp(client: pg.ClientBase, schema: Schema, patience: Patience): Promise<Applied> {
  const { migrations } = schema;
  const pending = await findPending(client, migrations, patience);
  let functionsMade = false;
  const ensureFunctions = async (): Promise<void> => {
    functionsMade = (await bringUpFunctions(client, schema, patience)) || functionsMade;
  };
  for (const [index, migration] of pending.entries()) {
    // Rows that are written during a long step already have the new form, unless the functions need a later migration's tables.
    const haveTables = pending.slice(index).every(({ kind }) => kind !== 'transaction');
    if (haveTables) await ensureFunctions();
    patience.report(migration.name);
    await applyMigration(client, migration, patience);
  }
  await ensureFunctions();
  await grantRoles(client, schema.roles, patience);
  await noteVersion(client, migrations.length);
  await runPatiently(client, patience, () => client.query('select ensure_partitions(now())'));
  await analyzeTables(client, patience.report);
  return { migrations: pending.map(({ name }) => name), functionsMade };
}

/** The migrations that the database lacks. The first run creates the tables that record them. */
async function findPending(
  client: pg.ClientBase,
  migrations: readonly Migration[],
  patience: Patience,
): Promise<Migration[]> {
  const { rows } = await client.query("select to_regclass('schema_version') is not null as kept");
  if (rows[0]?.kept !== true) {
    const adopted = await adoptRelease(client, migrations);
    const functions = adopted.length === 0 ? [] : await listFunctions(client);
    await runPatiently(client, patience, async () => {
      await client.query(RECORD);
      for (const migration of adopted) await noteMigration(client, migration);
      await client.query('insert into schema_version (functions) values ($1)', [functions]);
    });
    if (adopted.length > 0) patience.report('This is a database of 0.1.0.');
  }
  const applied = await client.query<{ number: number; name: string }>(
    'select number, name from schema_migrations',
  );
  const numbers = new Set(applied.rows.map(({ number }) => number));
  const last = Math.max(0, ...numbers);
  if (last > migrations.length)
    throw new Error(
      `This database is newer: it has migration ${last}, and this checkout, ${VERSION}, knows ${migrations.length}. ` +
        'Nothing was changed. Check out the version that the database is of.',
    );
  return migrations.filter(({ number }) => !numbers.has(number));
}

/** Makes the tables that record what a database has. */
export const RECORD = `
  create table schema_migrations (
    number integer primary key,
    name text not null,
    applied_at timestamptz not null default now()
  );
  comment on table schema_migrations is 'The migrations that this database has, each once.';
  create table schema_version (
    one boolean primary key default true check (one),
    version text,
    migration integer,
    functions_hash text,
    functions text[] not null,
    position text,
    changed_at timestamptz not null default now()
  );
  comment on table schema_version is 'One row: what version this database is of.';
  comment on column schema_version.version is 'Of the code that brought it up. Null: never to the end.';
  comment on column schema_version.migration is 'The last migration of that version.';
  comment on column schema_version.functions is 'Functions, views and triggers that files made, so that those that no file makes any more can go.';
  comment on column schema_version.position is 'Where the migration that runs in pieces goes on; null: at its beginning.';`;

const noteMigration = (client: pg.ClientBase, { number, name }: Migration) =>
  client.query('insert into schema_migrations (number, name) values ($1, $2)', [number, name]);

async function applyMigration(
  client: pg.ClientBase,
  migration: Migration,
  patience: Patience,
): Promise<void> {
  switch (migration.kind) {
    case 'transaction':
      await runPatiently(client, patience, async () => {
        await client.query(migration.sql);
        await noteMigration(client, migration);
      });
      return;
    case 'concurrently':
      await createIndexes(client, migration.sql, patience);
      await noteMigration(client, migration);
      return;
    case 'pieces':
      return runInPieces(client, migration, patience);
  }
}

/** Each piece gets the end of the piece before it, which is stored in the same transaction. A stopped run continues there. */
async function runInPieces(client: pg.ClientBase, migration: Migration, patience: Patience): Promise<void> {
  let reportedAt = performance.now();
  for (let pieces = 1, done = false; !done; pieces += 1) {
    const position = await runPatiently(client, patience, async () => {
      const { rows } = await client.query<{ position: string | null }>('select position from schema_version');
      const piece = await client.query<{ next?: string | null }>(migration.sql, [rows[0]?.position ?? null]);
      const next = piece.rows[0]?.next ?? null;
      await client.query('update schema_version set position = $1', [next]);
      if (next === null) await noteMigration(client, migration);
      return next;
    });
    done = position === null;
    if (!done && performance.now() - reportedAt > PROGRESS_EVERY_MS) {
      patience.report(`  ${migration.name}: ${pieces} pieces, up to ${position}`);
      reportedAt = performance.now();
    }
  }
}

/** Returns whether the functions were replaced. */
async function bringUpFunctions(
  client: pg.ClientBase,
  { functions }: Schema,
  patience: Patience,
): Promise<boolean> {
  const { rows } = await client.query<{ functions_hash: string | null; functions: string[] }>(
    'select functions_hash, functions from schema_version',
  );
  if (rows[0]?.functions_hash === functions.hash) return false;
  patience.report('functions');
  await runPatiently(client, patience, async () => {
    const made = await makeFunctions(client, functions, rows[0]?.functions ?? []);
    await client.query('update schema_version set functions_hash = $1, functions = $2', [
      functions.hash,
      made,
    ]);
  });
  return true;
}

/** The row is written only when the version changes. */
const noteVersion = (client: pg.ClientBase, migration: number) =>
  client.query(
    `update schema_version set version = $1, migration = $2, changed_at = now()
    where (version, migration) is distinct from ($1, $2)`,
    [VERSION, migration],
  );
