import type { Sql } from '../db.ts';
import { MIGRATION, VERSION } from '../version.ts';

/** Where a function says of what version it is, by a binding. */
export const HEALTH_PATH = '/internal/health';

/** What a function knows of itself. `database` is null where it has none, `down` where it can't reach it. */
export interface OwnHealth {
  version: string;
  /** The last migration that the code knows. */
  migration: number;
  database: { version: string | null; migration: number } | 'down' | null;
}

/** Asks the database that is among a function's resources, if there is one, for its version: one row. */
export async function readOwnHealth(resources: unknown): Promise<OwnHealth> {
  const own = { version: VERSION, migration: MIGRATION };
  if (!hasDatabase(resources)) return { ...own, database: null };
  try {
    const [row] = await resources.sql`
      select version, coalesce(migration, 0) as migration from schema_version`;
    return { ...own, database: (row as OwnHealth['database'] | undefined) ?? 'down' };
  } catch {
    return { ...own, database: 'down' };
  }
}

const hasDatabase = (resources: unknown): resources is { sql: Sql } =>
  typeof resources === 'object' && resources !== null && 'sql' in resources;
