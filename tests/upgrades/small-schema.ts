/** A schema of a few migrations, for tests of applying a schema. */
import { createHash } from 'node:crypto';
import type { Migration, MigrationKind, Schema } from '../../tooling/schema/read-schema.ts';

const ENSURE =
  'create or replace function ensure_partitions(timestamptz) returns void language sql as $$ select $$;';

/** @param migrations each either its statements, or its kind and its statements */
export function smallSchema(
  migrations: readonly (string | readonly [MigrationKind, string])[],
  functions = '',
): Schema {
  const sql = ENSURE + functions;
  return {
    migrations: migrations.map((migration, index): Migration => {
      const [kind, statements] =
        typeof migration === 'string' ? ['transaction' as const, migration] : migration;
      return { number: index + 1, name: `${String(index + 1).padStart(4, '0')}-test`, kind, sql: statements };
    }),
    functions: { sql, hash: createHash('sha256').update(sql).digest('hex') },
  };
}
