import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../deployment.ts';

export interface Migration {
  number: number;
  /** As `0001-accounts`. */
  name: string;
  sql: string;
}

/** The migrations of `schema/migrations/`, in order. */
export async function readMigrations(): Promise<Migration[]> {
  return (await readSqlFiles('migrations')).map(({ name, sql }) => ({
    number: Number.parseInt(name, 10),
    name,
    sql,
  }));
}

/** What `schema/functions/` makes, as one script. Files don't depend on each other's order: bodies aren't checked here. */
export async function readFunctions(): Promise<string> {
  const files = await readSqlFiles('functions');
  return ["select set_config('check_function_bodies', 'off', true);", ...files.map(({ sql }) => sql)].join(
    '\n',
  );
}

async function readSqlFiles(folder: string): Promise<{ name: string; sql: string }[]> {
  const path = join(ROOT, 'schema', folder);
  const names = (await readdir(path)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => ({ name: name.slice(0, -4), sql: await readFile(join(path, name), 'utf8') })),
  );
}
