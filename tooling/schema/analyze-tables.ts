import type pg from 'pg';

/**
 * Analyzes every table with rows of which the planner knows nothing: after a restore, and partitioned tables, which autovacuum never
 * analyzes. Takes a sample of each, seconds at any size.
 */
export async function analyzeTables(client: pg.ClientBase, report: (line: string) => void): Promise<void> {
  const { rows } = await client.query<{ name: string }>(UNKNOWN);
  if (rows.length > 0) report('statistics');
  for (const { name } of rows) await client.query(`analyze ${name}`);
}

const UNKNOWN = `
  select c.oid::regclass::text as name
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
    and exists (
      select from pg_partition_tree(c.oid) part where pg_relation_size(part.relid) > 0
      union all
      select where pg_relation_size(c.oid) > 0
    )
    and not exists (
      select from pg_stats s
      where s.schemaname = current_schema() and s.tablename = c.relname and s.inherited = (c.relkind = 'p')
    )
  order by c.relkind = 'p', c.oid`;
