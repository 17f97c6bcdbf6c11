import type pg from 'pg';

/**
 * The parts of a schema, one per line: columns, indexes, constraints, functions, views, triggers. Without partitions, which depend on
 * time, and without comments, whose wording may change.
 */
export async function readCatalogue(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(`
    with tables as (
      select oid, relname, relkind from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v') and not relispartition
    )
    select concat_ws(' ', 'column', relname, attname, format_type(atttypid, atttypmod), case when attnotnull then 'not null' end,
      nullif(attidentity::text, ''), nullif(attgenerated::text, ''), pg_get_expr(adbin, adrelid)) as line
    from tables
    join pg_attribute on attrelid = tables.oid and attnum > 0 and not attisdropped
    left join pg_attrdef on adrelid = tables.oid and adnum = attnum
    union all
    select concat_ws(' ', pg_get_indexdef(indexrelid), case when not indisvalid then 'invalid' end)
    from tables join pg_index on indrelid = tables.oid
    union all
    select concat_ws(' ', 'constraint', relname, conname, pg_get_constraintdef(pg_constraint.oid))
    from tables join pg_constraint on conrelid = tables.oid where contype <> 'n'
    union all
    select pg_get_triggerdef(pg_trigger.oid) from tables join pg_trigger on tgrelid = tables.oid where not tgisinternal
    union all
    select 'view ' || relname || ' ' || pg_get_viewdef(oid) from tables where relkind = 'v'
    union all
    select case prokind when 'a' then 'aggregate ' || oid::regprocedure else pg_get_functiondef(oid) end
    from pg_proc where pronamespace = current_schema()::regnamespace
    order by line`);
  return rows.map(({ line }) => line);
}
