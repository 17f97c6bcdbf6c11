import type { Sql } from '../../lib/db.ts';
import { printLines, whole } from '../print-table.ts';

/** A table, or all days and months of one that is partitioned. */
export interface TableSize {
  name: string;
  rows: number;
  dead: number;
  heap: number;
  indexes: number;
}

/** Sizes in bytes, and rows as PostgreSQL counts them; the largest tables first. */
export async function measureTables(sql: Sql): Promise<TableSize[]> {
  const rows = await sql`
    select regexp_replace(c.relname, '_\\d{6,8}$', '') as name, sum(greatest(s.n_live_tup, 0))::float8 as rows, sum(s.n_dead_tup)::float8 as dead,
      sum(pg_table_size(c.oid))::float8 as heap, sum(pg_indexes_size(c.oid))::float8 as indexes
    from pg_class c join pg_stat_user_tables s on s.relid = c.oid
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
    group by 1 order by sum(pg_total_relation_size(c.oid)) desc`;
  return rows as TableSize[];
}

const MIB = 1024 ** 2;
const SHOWN = 20;
const mib = (bytes: number): string => whole(bytes / MIB);

export async function printSizes(sql: Sql): Promise<void> {
  const tables = await measureTables(sql);
  const total = tables.reduce((sum, { heap, indexes }) => sum + heap + indexes, 0);
  printLines(
    `The largest tables of ${mib(total)} MiB`,
    [
      ['table', 'rows', 'MiB', 'with indexes', 'bytes a row'],
      ...tables
        .slice(0, SHOWN)
        .map(({ name, rows, heap, indexes }) => [
          name,
          whole(rows),
          mib(heap),
          mib(heap + indexes),
          rows > 0 ? whole((heap + indexes) / rows) : '',
        ]),
    ],
    (at) => at > 0,
  );
}
