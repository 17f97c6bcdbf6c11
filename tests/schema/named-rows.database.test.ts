/** `event_row` and `visit_row` build rows by position, so that nothing else does: their arguments are the columns of the tables. */
import { expect, test } from 'vitest';
import { useDatabase } from '../services/database.ts';

const database = useDatabase();

test.each([
  ['event_row', 'events'],
  ['visit_row', 'visits'],
])('%s takes the columns of %s, in their order, and puts each where it belongs', async (name, table) => {
  const { sql } = database();
  const columns = await sql`
    select attname as name, format_type(atttypid, atttypmod) as type
    from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and not attisdropped
    order by attnum`;
  const parameters = await sql`
    select p.name, format_type(p.type, null) as type
    from pg_proc, unnest(proargnames, proargtypes::oid[]) with ordinality as p(name, type, n)
    where proname = ${name} order by n`;
  expect(columns.length).toBeGreaterThan(10);
  expect(parameters).toEqual(columns);
  const [{ body } = {}] = await sql`select prosrc as body from pg_proc where proname = ${name}`;
  const [, listed = ''] = /row\(([^)]+)\)/.exec(body) ?? [];
  expect(listed.split(',').map((column) => column.trim())).toEqual(columns.map((column) => column.name));
});
