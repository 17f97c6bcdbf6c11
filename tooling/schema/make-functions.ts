import type pg from 'pg';
import type { Functions } from './read-schema.ts';

/**
 * Creates the functions, views and triggers of `schema/functions/`, and drops those that earlier files created and no file creates now.
 * Runs in the caller's transaction, so callers see either all old or all new functions.
 *
 * @param earlier what the files made before, as this function returned it
 */
export async function makeFunctions(
  client: pg.ClientBase,
  functions: Functions,
  earlier: readonly string[],
): Promise<string[]> {
  await client.query('set local check_function_bodies = off');
  await client.query(functions.sql);
  const made = await listObjects(client, 'xmin = pg_current_xact_id()::xid');
  const there = new Set(await listObjects(client, 'true'));
  const gone = earlier.filter((object) => !made.includes(object) && there.has(object));
  // Triggers and views depend on functions, so they are dropped first.
  for (const kind of ['trigger', 'view', 'aggregate', 'function'])
    for (const object of gone.filter((name) => name.startsWith(`${kind} `)))
      await client.query(`drop ${object}`);
  return made;
}

/**
 * All functions, views and triggers of the schema, without those of extensions and those that a table needs, which migrations create.
 * Used for 0.1.0, which kept no list.
 */
export async function listFunctions(client: pg.ClientBase): Promise<string[]> {
  return listObjects(client, 'true');
}

/** Objects as `drop` names them: `function day_start(date, text)`, `trigger sites_deleted on sites`. */
async function listObjects(client: pg.ClientBase, condition: 'true' | 'xmin = pg_current_xact_id()::xid') {
  const { rows } = await client.query<{ object: string }>(`
    select case prokind when 'a' then 'aggregate ' else 'function ' end || oid::regprocedure::text as object
    from pg_proc
    where pronamespace = current_schema()::regnamespace and ${condition}
      and not exists (select from pg_depend where refclassid = 'pg_proc'::regclass and refobjid = pg_proc.oid
        and classid in ('pg_class'::regclass, 'pg_attrdef'::regclass, 'pg_constraint'::regclass))
      and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
    union all
    select 'view ' || ev_class::regclass::text
    from pg_rewrite
    where ${condition} and ev_class in (
      select oid from pg_class c where relkind = 'v' and relnamespace = current_schema()::regnamespace
        and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e'))
    union all
    select 'trigger ' || quote_ident(tgname) || ' on ' || tgrelid::regclass::text
    from pg_trigger
    where not tgisinternal and tgparentid = 0 and ${condition}
      and tgrelid in (select oid from pg_class where relnamespace = current_schema()::regnamespace)
    order by object`);
  return rows.map(({ object }) => object);
}
