import type pg from 'pg';
import { type Patience, runPatiently, tryPatiently } from './run-patiently.ts';

const STATEMENT = /^create (unique )?index concurrently (\w+) on (\w+) (.+)$/is;

interface IndexStatement {
  unique: string;
  name: string;
  table: string;
  /** The text after the table: method, columns, condition. */
  definition: string;
}

/**
 * Creates the indexes of a migration that runs concurrently; writers continue meanwhile. A valid index is kept; an invalid index of an
 * interrupted run is created again. For a partitioned table each partition gets its index separately.
 */
export async function createIndexes(client: pg.ClientBase, sql: string, patience: Patience): Promise<void> {
  for (const statement of parseIndexes(sql)) {
    if ((await indexState(client, statement.name)) === 'valid') continue;
    if (await isPartitioned(client, statement.table)) await createOnPartitions(client, statement, patience);
    else await createOne(client, statement, patience);
  }
}

function parseIndexes(sql: string): IndexStatement[] {
  const statements = sql
    .replaceAll(/^--.*\n/gm, '')
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
  return statements.map((statement) => {
    const [, unique = '', name, table, definition] = STATEMENT.exec(statement) ?? [];
    if (name === undefined || table === undefined || definition === undefined)
      throw new Error(
        `A migration that runs concurrently has only "create index concurrently <name> on <table> …", not:\n${statement}`,
      );
    return { unique, name, table, definition };
  });
}

/** The parent's index has no rows and becomes valid with the last partition's index. New partitions get theirs automatically. */
async function createOnPartitions(
  client: pg.ClientBase,
  { unique, name, table, definition }: IndexStatement,
  patience: Patience,
): Promise<void> {
  await runPatiently(client, patience, () =>
    client.query(`create ${unique}index if not exists ${name} on only ${table} ${definition}`),
  );
  const partitions = await partitionsWithout(client, table, name);
  for (const [index, partition] of partitions.entries()) {
    patience.report(`  ${name}: partition ${index + 1} of ${partitions.length}, ${partition}`);
    const own = `${name}_${partition.slice(-8)}`;
    await createOne(client, { unique, name: own, table: partition, definition }, patience);
    await runPatiently(client, patience, () => client.query(`alter index ${name} attach partition ${own}`));
  }
}

async function createOne(
  client: pg.ClientBase,
  { unique, name, table, definition }: IndexStatement,
  patience: Patience,
): Promise<void> {
  await tryPatiently(client, patience, async () => {
    // It waits for older transactions, but nobody waits for it.
    await client.query(`set lock_timeout = ${patience.patienceMs}`);
    try {
      const state = await indexState(client, name);
      if (state === 'valid') return;
      if (state === 'invalid') await client.query(`drop index concurrently ${name}`);
      await client.query(`create ${unique}index concurrently ${name} on ${table} ${definition}`);
    } finally {
      await client.query('reset lock_timeout').catch(() => {});
    }
  });
}

async function indexState(client: pg.ClientBase, name: string): Promise<'none' | 'invalid' | 'valid'> {
  const { rows } = await client.query<{ indisvalid: boolean }>(
    'select indisvalid from pg_index where indexrelid = to_regclass($1)',
    [name],
  );
  if (rows[0] === undefined) return 'none';
  return rows[0].indisvalid ? 'valid' : 'invalid';
}

async function isPartitioned(client: pg.ClientBase, table: string): Promise<boolean> {
  const { rows } = await client.query("select from pg_class where oid = $1::regclass and relkind = 'p'", [
    table,
  ]);
  return rows.length > 0;
}

async function partitionsWithout(client: pg.ClientBase, table: string, index: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name
    from pg_inherits part
    join pg_class c on c.oid = part.inhrelid
    where part.inhparent = $1::regclass and not exists (
      select from pg_index i join pg_inherits own on own.inhrelid = i.indexrelid
      where i.indrelid = c.oid and own.inhparent = $2::regclass)
    order by c.relname`,
    [table, index],
  );
  return rows.map(({ name }) => name);
}
