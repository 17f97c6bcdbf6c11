import type pg from 'pg';
import { VERSION } from '../../lib/version.ts';
import { readSchema } from './read-schema.ts';

/** Why this checkout may not be deployed on a database: a sentence for the operator; undefined if it may. */
export async function checkVersion(client: pg.ClientBase): Promise<string | undefined> {
  const { rows: kept } = await client.query("select from pg_class where oid = to_regclass('schema_version')");
  if (kept.length === 0)
    return `The database has no version: it is empty, or of 0.1.0. Run npm run db:apply before you deploy ${VERSION}.`;
  const { migrations, functions } = await readSchema();
  const { rows } = await client.query<{ version: string | null; migration: number; functions_hash: string }>(
    'select version, migration, functions_hash from schema_version',
  );
  const [row] = rows;
  if (row === undefined || row.version === null)
    return 'npm run db:apply was stopped before its end. Run it again before you deploy.';
  if (row.migration > migrations.length)
    return (
      `The database is of ${row.version}, which is newer than this checkout, ${VERSION}. Check out ${row.version}. ` +
      'To go back by one release, deploy without DATABASE_URL.'
    );
  const isSame =
    row.version === VERSION && row.migration === migrations.length && row.functions_hash === functions.hash;
  if (!isSame)
    return `The database is of ${row.version}, and not of this checkout, ${VERSION}. Run npm run db:apply before you deploy.`;
  return undefined;
}
