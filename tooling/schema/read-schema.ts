import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../deployment.ts';

/**
 * How a migration runs. Its first line says so: `-- Runs concurrently.` or `-- Runs in pieces.`; by default it runs in one transaction.
 * docs/upgrades.md has the rules for each kind.
 */
export type MigrationKind = 'transaction' | 'concurrently' | 'pieces';

export interface Migration {
  number: number;
  /** A name such as `0001-accounts`. */
  name: string;
  kind: MigrationKind;
  sql: string;
}

export interface Functions {
  /** All files as one script. PostgreSQL checks function bodies when they run; only `with-owners-rights.sql` must be the last. */
  sql: string;
  /** Changes with any of the files. */
  hash: string;
}

export interface Schema {
  /** Ordered by number. */
  migrations: Migration[];
  functions: Functions;
  /** The rights of each function's role, as one script. Undefined: there are no roles. */
  roles?: string;
}

/** Reads the folder `schema/`. */
export async function readSchema(folder = join(ROOT, 'schema')): Promise<Schema> {
  const [migrations, functions, roles] = await Promise.all([
    readSqlFiles(join(folder, 'migrations')),
    readSqlFiles(join(folder, 'functions')),
    readFile(join(folder, 'roles.sql'), 'utf8'),
  ]);
  const sql = functions.map((file) => file.sql).join('\n');
  const hash = createHash('sha256').update(sql).digest('hex');
  return {
    migrations: migrations.map((file, index) => toMigration(file, index + 1, migrations[index - 1])),
    functions: { sql, hash },
    roles,
  };
}

interface SqlFile {
  name: string;
  sql: string;
}

function toMigration({ name, sql }: SqlFile, expected: number, before: SqlFile | undefined): Migration {
  const number = Number(/^(\d{4})-[a-z\d-]+$/.exec(name)?.[1]);
  if (before !== undefined && number === expected - 1)
    throw new Error(
      `schema/migrations/ has two migrations of number ${number}: ${before.name}.sql and ${name}.sql. ` +
        'Give the newer one the next free number.',
    );
  if (number !== expected)
    throw new Error(
      `schema/migrations/${name}.sql: the file after number ${expected - 1} must be named ` +
        `${String(expected).padStart(4, '0')}-<subject>.sql.`,
    );
  return { number, name, kind: kindOf(name, sql), sql };
}

function kindOf(name: string, sql: string): MigrationKind {
  const [, how] = /^-- Runs (.*)\n/.exec(sql) ?? [];
  if (how === undefined) return 'transaction';
  if (how === 'concurrently.') return 'concurrently';
  if (how === 'in pieces.') return 'pieces';
  throw new Error(
    `schema/migrations/${name}.sql: the first line must be "-- Runs concurrently." or "-- Runs in pieces."`,
  );
}

async function readSqlFiles(folder: string): Promise<SqlFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => ({ name: name.slice(0, -4), sql: await readFile(join(folder, name), 'utf8') })),
  );
}
