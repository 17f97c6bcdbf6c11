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
  /** Of a function with a cron whose database answers. */
  cron?: { succeededAt: string | null; isLate: boolean };
}

/** A cron is late if it hasn't done all of its work for this time. An upgrade begins the hour again. */
const CRON_LATE_HOURS = 1;

/**
 * The entrypoint `Health` of a function: answers every request with its `OwnHealth`. `connect` connects to its database, if it has one.
 * `cron` is the name under which the function notes its cron's runs, if it has one. Only a binding reaches an entrypoint with a name.
 */
export function healthEntrypoint<Schema extends EnvSchema>(
  env: Schema,
  connect?: (env: v.InferOutput<Schema>) => Sql,
  cron?: string,
) {
  const prepare = prepareOnce(env, (parsed) => ({ sql: connect?.(parsed) }));
  return {
    fetch: async (_: Request, raw: object): Promise<Response> =>
      Response.json(await readOwnHealth(prepare(raw).resources.sql, cron)),
  };
}

/** Asks the function's database, if it has one, for its version, and for the last run of the function's cron: one row each. */
async function readOwnHealth(sql: Sql | undefined, cron: string | undefined): Promise<OwnHealth> {
  const own = { version: VERSION, migration: MIGRATION };
  if (sql === undefined) return { ...own, database: null };
  try {
    const [row] = await sql`
      select version, coalesce(migration, 0) as migration ${cron === undefined ? sql`` : lastRun(sql, cron)}
      from schema_version`;
    if (row === undefined) return { ...own, database: 'down' };
    const { version, migration, succeeded_at: succeededAt, is_late: isLate } = row;
    return {
      ...own,
      database: { version, migration },
      ...(cron !== undefined && { cron: { succeededAt: succeededAt?.toISOString() ?? null, isLate } }),
    };
  } catch {
    return { ...own, database: 'down' };
  }
}

const lastRun = (sql: Sql, cron: string) => sql`
  , (select ended_at from cron_runs where function = ${cron}) as succeeded_at,
  greatest(changed_at, (select ended_at from cron_runs where function = ${cron}))
    < now() - make_interval(hours => ${CRON_LATE_HOURS}::integer) as is_late`;
