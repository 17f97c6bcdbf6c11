import type pg from 'pg';
import type { Migration } from '../schema/read-schema.ts';
import type { TablePart } from './backup-file.ts';

/** Tables that record which migrations a database has. */
export const RECORD_TABLES = ['schema_migrations', 'schema_version'];

/** The tables that migrations make, and those that no longer exist. */
export function namesOfTables(migrations: readonly Migration[]): Set<string> {
  const made = migrations.flatMap(({ sql }) =>
    [...sql.matchAll(/^(?:create table (?:if not exists )?|alter table \w+ rename to )(\w+)/gim)].map(
      ([, name = '']) => name,
    ),
  );
  return new Set([...RECORD_TABLES, ...made]);
}

/**
 * The tables with data of their own, partitions among them, without those of extensions. A table comes after all that its foreign keys
 * name, and after the partitions before it.
 */
export async function listTables(client: pg.ClientBase): Promise<TablePart[]> {
  const all = await client.query<Row>(TABLES);
  const rows = all.rows.filter(({ partitioned }) => !partitioned);
  const done = new Set<string>();
  const sorted: Row[] = [];
  for (let rest = rows; rest.length > 0; ) {
    const isFree = ({ name, refers }: Row): boolean =>
      refers.every((other) => other === name || done.has(other));
    const free = rest.filter(isFree);
    if (free.length === 0)
      throw new Error(`Tables refer to each other in a circle: ${rest.map(({ name }) => name)}.`);
    for (const { name } of free) done.add(name);
    sorted.push(...free);
    rest = rest.filter((row) => !free.includes(row));
  }
  return sorted.map(({ name, columns, parent, bound, options }) => ({
    ...{ kind: 'table', name, columns, options: options ?? [] },
    ...(parent !== null && { partition: { of: parent, ...boundsOf(name, bound) } }),
  }));
}

/** The columns of each table that is no partition, by its name. */
export async function readColumns(client: pg.ClientBase): Promise<Map<string, TablePart['columns']>> {
  const { rows } = await client.query<Row>(TABLES);
  return new Map(rows.filter(({ parent }) => parent === null).map(({ name, columns }) => [name, columns]));
}

interface Row {
  name: string;
  /** Its rows are in its partitions. */
  partitioned: boolean;
  columns: TablePart['columns'];
  parent: string | null;
  bound: string | null;
  options: string[] | null;
  /** Tables that its foreign keys name. */
  refers: string[];
}

function boundsOf(name: string, bound: string | null): { from: string; to: string } {
  const [, from, to] = /^FOR VALUES FROM \('([^']+)'\) TO \('([^']+)'\)$/.exec(bound ?? '') ?? [];
  if (from === undefined || to === undefined)
    throw new Error(`The partition ${name} isn't one of a time: ${bound}.`);
  return { from, to };
}

const TABLES = `
  select c.relname as name, c.relkind = 'p' as partitioned, parent.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound, c.reloptions as options,
    array(
      select json_build_object('name', attname, 'type', format_type(atttypid, atttypmod))
      from pg_attribute
      where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
      order by attnum
    ) as columns,
    array(
      select distinct other.relname::text
      from pg_constraint join pg_class other on other.oid = confrelid
      where conrelid = c.oid and contype = 'f'
    ) as refers
  from pg_class c
  left join pg_inherits on inhrelid = c.oid
  left join pg_class parent on parent.oid = inhparent
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and c.relpersistence <> 't'
    and not exists (
      select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')
  order by coalesce(parent.relname, c.relname), c.relname`;
