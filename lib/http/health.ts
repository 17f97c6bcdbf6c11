import type * as v from 'valibot';
import type { Sql } from '../db.ts';
import { MIGRATION, VERSION } from '../version.ts';
import { type EnvSchema, prepareOnce } from './env.ts';

/** What a function knows of itself. `database` is null where it has none, `down` where it can't reach it. */
export interface OwnHealth {
  version: string;
  /** The last migration that the code knows. */
  migration: number;
  database: { version: string | null; migration: number } | 'down' | null;
}

/**
 * The entrypoint `Health` of a function: answers every request with its `OwnHealth`. `connect` connects to its database, if it has one.
 * Only a binding reaches an entrypoint with a name.
 */
export function healthEntrypoint<Schema extends EnvSchema>(
  env: Schema,
  connect?: (env: v.InferOutput<Schema>) => Sql,
) {
  const prepare = prepareOnce(env, (parsed) => ({ sql: connect?.(parsed) }));
  return {
    fetch: async (_: Request, raw: object): Promise<Response> =>
      Response.json(await readOwnHealth(prepare(raw).resources.sql)),
  };
}

/** Asks the function's database, if it has one, for its version: one row. */
async function readOwnHealth(sql: Sql | undefined): Promise<OwnHealth> {
  const own = { version: VERSION, migration: MIGRATION };
  if (sql === undefined) return { ...own, database: null };
  try {
    const [row] = await sql`
      select version, coalesce(migration, 0) as migration from schema_version`;
    return { ...own, database: (row as OwnHealth['database'] | undefined) ?? 'down' };
  } catch {
    return { ...own, database: 'down' };
  }
}
