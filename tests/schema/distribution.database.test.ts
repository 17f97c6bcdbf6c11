/**
 * What a distributed PostgreSQL (Citus) asks of tables that are divided by a key: its rules, read from the catalogue. docs/scale.md lists
 * what keeps to none of them. Nothing here was run on a real cluster.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../tooling/deployment.ts';
import { useDatabase } from '../services/database.ts';

const database = useDatabase();

/** Tables with the key by which they would be divided; null: they stay on one node. Partitions follow their tables. */
const TABLES = `
  tables as (
    select c.oid, relname as name, (
      select attname from pg_attribute
      where attrelid = c.oid and attname in ('site_key', 'environment_key') and not attisdropped
    ) as key
    from pg_class c
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
  )`;

const select = async (text: string): Promise<Record<string, unknown>[]> => {
  const { sql } = database();
  return sql.query(`with ${TABLES} ${text}`);
};
const namesOf = (rows: Record<string, unknown>[]): unknown[] => rows.map(({ name }) => name);

/** The names in the cell beside `title` in docs/scale.md. */
async function listed(title: string): Promise<string[]> {
  const text = await readFile(join(ROOT, 'docs/scale.md'), 'utf8');
  const row = text.split('\n').find((line) => line.startsWith(`| ${title} |`)) ?? '';
  return [...row.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name as string).toSorted();
}

test('a table of one site or environment has one key, as an integer that is never null', async () => {
  expect(
    await select(`
      select name from tables
      where (select count(*) from pg_attribute
        where attrelid = tables.oid and attname in ('site_key', 'environment_key') and not attisdropped) > 1
        or key is not null and not exists (
          select from pg_attribute where attrelid = tables.oid and attname = key and attnotnull and atttypid = 'int4'::regtype
        )`),
  ).toEqual([]);
  expect((await select('select name from tables where key is not null')).length).toBeGreaterThan(50);
});

test('each unique key of such a table has the key of its division', async () => {
  expect(
    await select(`
      select name, indexrelid::regclass::text as index
      from tables join pg_index on indrelid = tables.oid
      where key is not null and (indisunique or indisexclusion)
        and not exists (
          select from pg_attribute where attrelid = tables.oid and attname = key and attnum = any (indkey)
        )`),
  ).toEqual([]);
});

test('no such table has a foreign key, and none refers to it', async () => {
  expect(
    await select(`
      select name, conname from tables join pg_constraint on tables.oid in (conrelid, confrelid)
      where contype = 'f' and key is not null`),
  ).toEqual([]);
});

test('no such table has a trigger, a rule, row security, or an identity that isn’t a bigint', async () => {
  expect(
    await select(`
      select name from tables join pg_class c on c.oid = tables.oid
      where key is not null and (
        exists (select from pg_trigger where tgrelid = c.oid and not tgisinternal)
        or c.relhasrules or c.relrowsecurity
        or exists (select from pg_attribute where attrelid = c.oid and attidentity <> '' and atttypid <> 'int8'::regtype)
      )`),
  ).toEqual([]);
});

test('what such a table is made of calls no function of ours', async () => {
  expect(
    await select(`
      select distinct name, p.proname
      from tables
      join pg_depend d on d.refclassid = 'pg_proc'::regclass and (
        d.classid = 'pg_attrdef'::regclass and d.objid in (select a.oid from pg_attrdef a where a.adrelid = tables.oid)
        or d.classid = 'pg_constraint'::regclass and d.objid in (select k.oid from pg_constraint k where k.conrelid = tables.oid)
      )
      join pg_proc p on p.oid = d.refobjid
      where key is not null and p.pronamespace = 'public'::regnamespace`),
  ).toEqual([]);
});

test('the tables that stay on one node are those of the document', async () => {
  const names = namesOf(await select('select name from tables where key is null order by name'));
  expect(names.toSorted()).toEqual(await listed('Tables that stay on one node'));
});

test('the functions that find rows by where they lie are those of the document', async () => {
  const names = namesOf(
    await select(`
      select distinct proname::text as name from pg_proc
      where pronamespace = 'public'::regnamespace
        and (prosrc ~ '\\mctid\\M' or 'tid[]'::regtype = any (proargtypes::oid[] || proallargtypes)) order by 1`),
  );
  expect(names).toEqual(
    await listed('Functions that find rows by `ctid`').then((all) => all.filter((name) => name !== 'ctid')),
  );
});

test('the functions that go over sites or environments are those of the document', async () => {
  const names = namesOf(
    await select(`
      select distinct proname::text as name
      from pg_proc p join pg_language l on l.oid = prolang
      join tables on key is not null
        and coalesce(prosrc, '') || coalesce(pg_get_function_sqlbody(p.oid), '') ~ ('\\m(from|join|into|update|only)\\s+' || tables.name || '\\M')
      where pronamespace = 'public'::regnamespace and lanname in ('sql', 'plpgsql')
        and pg_get_function_identity_arguments(p.oid)
          !~* '\\m(of_site|site|environment|of_environment|erased_site|deleted_site|site_key|environment_key) (integer|uuid)'
      order by 1`),
  );
  expect(names).toEqual(await listed('Functions over several of them'));
});
