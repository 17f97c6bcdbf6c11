/** Loads a backup into an empty database. What is loaded is there whole or not at all. */
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type DeadLetter, letterRow } from '../../lib/collection/bury.ts';
import { replayDeadLetters } from '../../lib/collection/dead-letters.ts';
import { connectDatabase } from '../../lib/db.ts';
import { VERSION } from '../../lib/version.ts';
import { startNeon } from '../neon/start-neon.ts';
import { applySchema, RECORD } from '../schema/apply-schema.ts';
import { type Migration, readSchema } from '../schema/read-schema.ts';
import { inTransaction } from '../schema/run-patiently.ts';
import {
  type BackupFile,
  BackupFileError,
  QueueLine,
  type ReadPart,
  readJsonLines,
  SequenceLine,
  type TablePart,
} from './backup-file.ts';
import { copyTarget, SAME_TEXT } from './copy-settings.ts';
import { listTables, namesOfTables, RECORD_TABLES, readColumns } from './list-tables.ts';
import type { OnProgress } from './show-progress.ts';

export interface RestoreOptions {
  onProgress?: OnProgress;
  /** Receives a line for each step. */
  report?: (line: string) => void;
}

/** `empty`: nothing of the service is there. `loaded`: this backup's data is, and a restore was stopped before its last steps. */
export type TargetState = 'empty' | 'loaded';

/**
 * Whether a database can take a backup. Changes nothing.
 *
 * @throws a sentence for the operator: it isn't empty, or the backup is of a newer version
 */
export async function checkTarget(client: pg.ClientBase, { header, path }: BackupFile): Promise<TargetState> {
  const { migrations } = await readSchema();
  if (header.migration > migrations.length)
    throw new Error(
      `${path} is of ${header.version ?? 'a newer version'} and has migration ${header.migration}; this checkout, ${VERSION}, knows ` +
        `${migrations.length}. Nothing was written. Check out ${header.version ?? 'the version that made it'}, or a newer one.`,
    );
  const { rows } = await client.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and relname = any($1)",
    [[...namesOfTables(migrations)]],
  );
  const there = rows.map(({ name }) => name);
  if (there.length === 0) return 'empty';
  if (there.includes('schema_version') && there.includes('dead_letters')) {
    const { rowCount } = await client.query(
      `select from schema_version where version is null and changed_at = $1
      union all select from dead_letters where reason = $2 limit 1`,
      [header.createdAt, waitingReason(header.createdAt)],
    );
    if (rowCount !== 0) return 'loaded';
  }
  throw new Error(
    'This database isn’t empty: it has tables of the service. Nothing was written. Give npm run restore an empty database; ' +
      'on one machine set DATA_FOLDER to a new folder.',
  );
}

/**
 * Loads the tables in one transaction: it makes them by the migrations that the backup's database had, loads their rows, and then makes
 * the indexes. The functions of that version aren't needed, so no trigger changes what is loaded.
 */
export async function loadBackup(
  client: pg.ClientBase,
  backup: BackupFile,
  { onProgress = () => {}, report = () => {} }: RestoreOptions = {},
): Promise<{ rows: number }> {
  const { header } = backup;
  const { migrations } = await readSchema();
  let rows = 0;
  await inTransaction(client, async () => {
    await client.query(SAME_TEXT);
    report(`tables of ${header.version ?? `migration ${header.migration}`}`);
    await makeTables(client, migrations.slice(0, header.migration));
    const indexes = await dropIndexes(client);
    const made = await readColumns(client);
    const empty = new Set((await listTables(client)).map(({ name }) => name));
    report('rows');
    let position = '0 %';
    const onBytes = (read: number): void => {
      position = `${Math.floor((100 * read) / backup.bytes)} %`;
    };
    for await (const { part, lines, count } of backup.parts(onBytes)) {
      if (part.kind === 'sequences') await setSequences(client, lines);
      if (part.kind !== 'table') continue;
      await prepareTable(client, part, made);
      empty.delete(part.name);
      rows += await copyRows(client, part, lines, () => onProgress({ table: part.name, position, rows }));
      count();
    }
    // 0.1.0 kept no record of migrations: the one that was just made is right.
    const missing = [...empty].filter((name) => !RECORD_TABLES.includes(name));
    if (missing.length > 0) throw otherShape(missing[0]);
    report('indexes');
    for (const index of indexes) await client.query(index);
    await loadQueue(client, backup);
    // No function of the database is there yet. `finishRestore` knows by this row whose data it is.
    await client.query(
      "update schema_version set version = null, functions_hash = null, functions = '{}', changed_at = $1",
      [header.createdAt],
    );
  });
  return { rows };
}

async function makeTables(client: pg.ClientBase, migrations: readonly Migration[]): Promise<void> {
  await client.query(RECORD);
  await client.query("insert into schema_version (functions) values ('{}')");
  for (const { number, name, kind, sql } of migrations) {
    // There are no rows to fill, and nobody who waits for an index.
    if (kind !== 'pieces')
      await client.query(
        kind === 'concurrently' ? sql.replaceAll(/(?<=^create (?:unique )?index) concurrently/gim, '') : sql,
      );
    await client.query('insert into schema_migrations (number, name) values ($1, $2)', [number, name]);
  }
}

/** Drops the indexes that no constraint needs: made after the rows they cost a fraction. Returns the statements that make them. */
async function dropIndexes(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string; comment: string }>(`
    select quote_ident(own.relname) as name, replace(pg_get_indexdef(own.oid), ' ON ONLY ', ' ON ') as definition,
      format('comment on index %I is %L', own.relname, obj_description(own.oid, 'pg_class')) as comment
    from pg_index
    join pg_class own on own.oid = indexrelid
    join pg_class on pg_class.oid = indrelid
    where pg_class.relnamespace = current_schema()::regnamespace
      and not pg_class.relispartition
      and not exists (select from pg_constraint where conindid = indexrelid)
    order by own.relname`);
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map(({ definition, comment }) => `${definition}; ${comment}`);
}

/** Empties a table of what migrations put there, or makes a partition. */
async function prepareTable(
  client: pg.ClientBase,
  { name, columns, partition, options }: TablePart,
  made: ReadonlyMap<string, TablePart['columns']>,
): Promise<void> {
  const table = partition?.of ?? name;
  if (!isSame(made.get(table) ?? [], columns)) throw otherShape(table);
  if (partition === undefined) {
    await client.query(`delete from ${pg.escapeIdentifier(name)}`);
    return;
  }
  const [from, to] = [partition.from, partition.to].map(pg.escapeLiteral);
  const parameters = options.length > 0 ? `with (${options.join(', ')})` : '';
  await client.query(
    `create table ${pg.escapeIdentifier(name)} partition of ${pg.escapeIdentifier(table)}
    for values from (${from}) to (${to}) ${parameters}`,
  );
}

/** Their order may differ. */
function isSame(some: TablePart['columns'], others: TablePart['columns']): boolean {
  const sorted = [some, others].map((columns) => columns.map(({ name, type }) => `${name} ${type}`).sort());
  return JSON.stringify(sorted[0]) === JSON.stringify(sorted[1]);
}

const otherShape = (name = '') =>
  new BackupFileError(
    `The table ${name} of this backup has another shape than the migrations of this checkout make. Nothing was written. ` +
      'It was made between two releases: check out the commit that made it.',
  );

async function copyRows(
  client: pg.ClientBase,
  table: TablePart,
  lines: ReadPart['lines'],
  onChunk: () => void,
): Promise<number> {
  const copying = client.query(copyFrom(`copy ${copyTarget(table)} from stdin (freeze, encoding 'UTF8')`));
  await pipeline(
    lines,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        onChunk();
        yield chunk;
      }
    },
    copying,
  );
  return copying.rowCount;
}

/** Where the functions send what could not be stored after the last try (`wrangler.toml`). */
const QUEUE_OF_EVENTS = 'vendor-events';
const BATCH_SIZE = 500;

const waitingReason = (createdAt: string): string => `waited in the queue of the backup of ${createdAt}`;

/** Puts the messages of the queue among the dead letters, whose replay counts each event once. */
async function loadQueue(client: pg.ClientBase, backup: BackupFile): Promise<void> {
  const { createdAt } = backup.header;
  for (const wanted of ['dead', 'waiting'] as const)
    for await (const { part, lines } of backup.parts()) {
      if (part.kind !== 'queue') continue;
      let letters: DeadLetter[] = [];
      const insert = async (): Promise<void> => {
        await client.query(INSERT_LETTERS, [createdAt, JSON.stringify(letters.map(letterRow))]);
        letters = [];
      };
      for await (const { queue, message } of readJsonLines(QueueLine, lines)) {
        if ((queue === QUEUE_OF_EVENTS) !== (wanted === 'waiting')) continue;
        const reason = wanted === 'dead' ? 'not stored after the last retry' : waitingReason(createdAt);
        letters.push({ body: JSON.parse(message), reason });
        if (letters.length === BATCH_SIZE) await insert();
      }
      if (letters.length > 0) await insert();
      break;
    }
}

const INSERT_LETTERS = `
  insert into dead_letters (site_id, failed_at, reason, message)
  select "siteId", $1, reason, message
  from jsonb_to_recordset($2::jsonb) as r("siteId" uuid, reason text, message text)
  on conflict do nothing`;

/**
 * Brings a loaded database up to this checkout, with functions, rights and statistics, and then stores what waited in the queue. Safe to
 * repeat, and to stop at any point.
 */
export async function finishRestore(
  client: pg.ClientBase,
  url: string,
  { header }: BackupFile,
  report: (line: string) => void = () => {},
): Promise<{ stored: number; repeated: number; kept: number }> {
  await applySchema(client, { report });
  const reason = waitingReason(header.createdAt);
  const { rows } = await client.query<{ after: number | null }>(
    'select (min(id) - 1)::integer as after from dead_letters where reason = $1',
    [reason],
  );
  const done = { stored: 0, repeated: 0, kept: 0 };
  let after = rows[0]?.after ?? null;
  if (after === null) return done;
  report('messages that waited in the queue');
  const neon = await startNeon({ database: { url }, connections: 1 });
  try {
    const ctx = { sql: connectDatabase(neon), now: Date.now };
    while (after !== null) {
      const { stored, repeated, kept, next } = await replayDeadLetters(ctx, { after });
      done.stored += stored;
      done.repeated += repeated;
      for (const letter of kept) {
        const { rowCount } = await client.query(
          'update dead_letters set reason = $1 where id = $2 and reason = $3',
          [letter.reason, letter.id, reason],
        );
        done.kept += rowCount ?? 0;
      }
      after = next;
    }
  } finally {
    await neon.close();
  }
  return done;
}

async function setSequences(client: pg.ClientBase, lines: ReadPart['lines']): Promise<void> {
  for await (const { table, column, last } of readJsonLines(SequenceLine, lines))
    await client.query('select setval(pg_get_serial_sequence(quote_ident($1), $2), $3::bigint)', [
      table,
      column,
      last,
    ]);
}
