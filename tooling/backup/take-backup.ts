/** Copies a database into a file while it is written to. */
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { VERSION } from '../../lib/version.ts';
import { adoptRelease } from '../schema/adopt-release.ts';
import { readSchema } from '../schema/read-schema.ts';
import {
  type Header,
  jsonLine,
  type QueueLine,
  type SequenceLine,
  type TablePart,
  type WrittenPart,
  writeBackupFile,
} from './backup-file.ts';
import { copyTarget, disconnect, SAME_TEXT } from './copy-settings.ts';
import { listTables, namesOfTables } from './list-tables.ts';
import type { OnProgress } from './show-progress.ts';

/** A partition may be made or dropped between two looks. */
const MAX_TRIES = 20;
const UNDEFINED_TABLE = '42P01';
const INSUFFICIENT_PRIVILEGE = '42501';

export interface BackupOptions {
  /** Messages of the queue, from one moment. They are read before the moment of the tables. */
  queue?: Iterable<QueueLine>;
  secrets?: Readonly<Record<string, string>> | undefined;
  onProgress?: OnProgress;
  /** Receives a line for each table that isn't the service's and is left out. */
  report?: (line: string) => void;
}

export interface Backup {
  header: Header;
  /** Of all tables. */
  rows: number;
  messages: number;
  /** Of the file. */
  bytes: number;
}

/**
 * Writes all tables as they are at one moment, and what else `options` has, in bounded memory.
 *
 * @param client a connection of its own, as the tables' owner
 * @throws a sentence for the operator: there are no tables of the service, they are of a newer version, or the file is there already
 */
export async function takeBackup(
  client: pg.ClientBase,
  path: string,
  { queue = [], secrets, onProgress = () => {}, report = () => {} }: BackupOptions = {},
): Promise<Backup> {
  const recorded = await lastRecorded(client);
  const header = await readHeader(client, recorded);
  let rows = 0;
  let messages = 0;
  function* linesOfQueue(): Generator<Buffer> {
    for (const message of queue) {
      messages += 1;
      yield jsonLine(message);
    }
  }
  async function* copyRows(table: TablePart, position: string): AsyncGenerator<Buffer> {
    const copying = client.query(copyTo(`copy ${copyTarget(table)} to stdout (encoding 'UTF8')`));
    try {
      for await (const chunk of copying) {
        onProgress({ table: table.name, position, rows });
        yield chunk;
      }
    } finally {
      // The server would go on to send to nobody, and answer nothing else.
      if (!copying.readableEnded) disconnect(client);
    }
    rows += copying.rowCount;
  }
  async function* parts(): AsyncGenerator<WrittenPart> {
    if (secrets !== undefined) yield { part: { kind: 'secrets' }, lines: [jsonLine(secrets)] };
    // A message leaves the queue after its events are in the tables. So it is in what is read first, or in the tables, or in both,
    // and what is in both counts once. Read in the other order it could be in neither.
    yield { part: { kind: 'queue' }, lines: linesOfQueue() };
    const snapshot = await takeSnapshot(client, report);
    try {
      if ((await lastRecorded(client)) !== recorded)
        throw new Error('npm run db:apply ran meanwhile. Begin the backup again when it has ended.');
      const { tables } = snapshot;
      for (const [index, table] of tables.entries())
        yield { part: table, lines: copyRows(table, `${index + 1} of ${tables.length}`) };
      yield { part: { kind: 'sequences' }, lines: (await readSequences(client, tables)).map(jsonLine) };
    } finally {
      await snapshot.end();
    }
  }
  try {
    const bytes = await writeBackupFile(path, header, parts());
    return { header, rows, messages, bytes };
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === INSUFFICIENT_PRIVILEGE)
      throw new Error(
        `${error.message}. Back up as the user who owns the tables: the one of npm run db:apply.`,
        {
          cause: error,
        },
      );
    throw error;
  }
}

async function readHeader(client: pg.ClientBase, recorded: number | undefined): Promise<Header> {
  const migration = recorded ?? (await adopt(client));
  const { rows } = await client.query<Pick<Header, 'createdAt' | 'postgres'>>(`
    select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAt",
      current_setting('server_version') as postgres`);
  const { rows: versions } =
    recorded === undefined
      ? { rows: [{ version: '0.1.0' }] }
      : await client.query<{ version: string | null }>('select version from schema_version');
  const [moment] = rows;
  if (moment === undefined) throw new Error('The database doesn’t say what time it is.');
  return { version: versions[0]?.version ?? null, migration, ...moment };
}

/** The migrations of 0.1.0, which kept no record of them. */
async function adopt(client: pg.ClientBase): Promise<number> {
  const adopted = await adoptRelease(client, (await readSchema()).migrations);
  if (adopted.length > 0) return adopted.length;
  throw new Error('This database has no tables of the service: there is nothing to back up.');
}

/** The last migration that a database has; undefined: it keeps no record. */
async function lastRecorded(client: pg.ClientBase): Promise<number | undefined> {
  const { rowCount } = await client.query("select from pg_class where oid = to_regclass('schema_version')");
  if (rowCount === 0) return undefined;
  const { rows } = await client.query<{ last: number }>(
    'select coalesce(max(number), 0) as last from schema_migrations',
  );
  const last = rows[0]?.last ?? 0;
  const { length } = (await readSchema()).migrations;
  if (last > length)
    throw new Error(
      `This database is newer: it has migration ${last}, and this checkout, ${VERSION}, knows ${length}. ` +
        'Check out the version that the database is of, and take the backup with that one.',
    );
  return last;
}

/**
 * Begins a transaction that sees all tables as they are at one moment, until `end`. Nobody waits for it but who changes a table's shape:
 * crons drop no partition meanwhile, and new ones can be made, since the tables above partitions aren't locked.
 */
export async function takeSnapshot(
  client: pg.ClientBase,
  report: (line: string) => void = () => {},
): Promise<{ tables: TablePart[]; end(): Promise<void> }> {
  const { migrations } = await readSchema();
  const known = namesOfTables(migrations);
  const isOwn = ({ name, partition }: TablePart): boolean => known.has(partition?.of ?? name);
  // The same lock as `keep_partitions` (schema/functions/retention.sql), for the session.
  await client.query(`select pg_advisory_lock_shared(${PARTITIONS})`);
  const end = async (): Promise<void> => {
    await client.query('rollback').catch(() => {});
    await client.query(`select pg_advisory_unlock_shared(${PARTITIONS})`).catch(() => {});
  };
  try {
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const listed = await listTables(client);
      const tables = listed.filter(isOwn);
      if (await beginWithLocks(client, tables, listed)) {
        for (const { name } of listed.filter((table) => !isOwn(table)))
          report(`${name} is left out: it isn’t a table of the service.`);
        return { tables, end };
      }
    }
    throw new Error(
      'Tables are made or dropped all the time. Begin the backup again when npm run db:apply has ended.',
    );
  } catch (error) {
    await end();
    throw error;
  }
}

const PARTITIONS = "hashtextextended('partitions', 0)";

/** Returns false if tables have changed since they were listed. */
async function beginWithLocks(
  client: pg.ClientBase,
  tables: readonly TablePart[],
  listed: readonly TablePart[],
): Promise<boolean> {
  // The first statement that reads makes the snapshot: with the locks before it no table can be rewritten after it.
  await client.query('begin isolation level repeatable read, read only');
  await client.query(SAME_TEXT);
  try {
    const names = tables.map(({ name }) => pg.escapeIdentifier(name)).join(', ');
    await client.query(`lock table ${names} in access share mode`);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== UNDEFINED_TABLE) throw error;
    await client.query('rollback');
    return false;
  }
  if (JSON.stringify(await listTables(client)) === JSON.stringify(listed)) return true;
  await client.query('rollback');
  return false;
}

/** Where each sequence stands. It may be ahead of the tables, and never behind. */
async function readSequences(client: pg.ClientBase, tables: readonly TablePart[]): Promise<SequenceLine[]> {
  const { rows } = await client.query<SequenceLine>(
    // Materialized, or the planner asks the last value of what is no sequence.
    `with sequences as materialized (
      select c.relname as "table", a.attname as "column", sequence.oid
      from pg_class c
      join pg_depend d on d.refobjid = c.oid and d.refclassid = 'pg_class'::regclass and d.classid = 'pg_class'::regclass
        and d.deptype in ('a', 'i')
      join pg_class sequence on sequence.oid = d.objid and sequence.relkind = 'S'
      join pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid
      where c.relnamespace = current_schema()::regnamespace and c.relname = any($1)
    ), kept as (
      select "table", "column", pg_sequence_last_value(oid)::text as last from sequences
    )
    select * from kept where last is not null`,
    [tables.map(({ name }) => name)],
  );
  return rows;
}
