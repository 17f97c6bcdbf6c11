import { describe, expect, test } from 'vitest';
import { formatSql } from '../../scripts/sql/format-sql.ts';
import { findLongFunctions, MAX_EXCEPTIONS, MAX_LINES } from '../../scripts/sql/long-functions.ts';
import { findUnusedFunctions } from '../../scripts/sql/unused-functions.ts';

const wide = (name: string): string => `${name}_of_a_name_that_takes_so_much_room_that_few_fit_into_a_line`;

describe('formatting', () => {
  test.each([
    ['what fits into a line', 'select a,\n  f( b )\nfrom t\nwhere c;', 'select a, f(b) from t where c;'],
    [
      'a function call and a comparison with a list',
      'select a where b in (1,2);',
      'select a where b in (1, 2);',
    ],
    [
      'clauses of a query that takes several lines',
      `select ${wide('a')}, ${wide('b')} from t join u on t.id=u.id where t.x and t.y;`,
      `select\n  ${wide('a')},\n  ${wide('b')}\nfrom t join u on t.id = u.id\nwhere t.x and t.y;`,
    ],
    [
      'conditions, one a line',
      `select ${wide('a')} from t where ${wide('b')} = 1 and ${wide('c')} or d and e;`,
      `select ${wide('a')}\nfrom t\nwhere ${wide('b')} = 1\n  and ${wide('c')}\n  or d and e;`,
    ],
    ['comments, and one blank line', '-- a\n\n\n\n-- b\nselect 1; -- c', '-- a\n\n-- b\nselect 1;\n-- c'],
    [
      'tables, one column a line',
      'create table t (a integer, b text not null);',
      'create table t (\n  a integer,\n  b text not null\n);',
    ],
    [
      'a function in SQL',
      'create function f(a integer) returns integer language sql\nas $$select a+1$$;',
      'create function f(a integer) returns integer\nlanguage sql as $$\n  select a + 1\n$$;',
    ],
    [
      'a function in PL/pgSQL',
      `create function f() returns void language plpgsql as $$ declare a integer := 1;
      begin if a > 1 then for b in select 1 loop -- why
      perform g( b ); end loop; elsif a = case when true then 1 end then return; else a := 2; end if;
      exception when unique_violation then null; end $$;`,
      `create function f() returns void
language plpgsql as $$
declare
  a integer := 1;
begin
  if a > 1 then
    for b in select 1 loop -- why
      perform g(b);
    end loop;
  elsif a = case when true then 1 end then
    return;
  else
    a := 2;
  end if;
exception when unique_violation then
  null;
end
$$;`,
    ],
  ])('%s', (_, before, after) => {
    expect(formatSql(before)).toBe(`${after}\n`);
    expect(formatSql(`${after}\n`)).toBe(`${after}\n`);
  });

  test('keeps the body of a function of a migration as it is', () => {
    const text = 'create function f(language text) returns text\nlanguage sql as $$select  1$$;\n';
    expect(formatSql(text, { keepsBodies: true })).toBe(text);
  });

  test('fills long comments, and texts of comments on columns, anew', () => {
    const words = Array.from({ length: 40 }, (_, n) => `word${n}`).join(' ');
    const formatted = formatSql(`-- ${words}\ncomment on table t is '${words}';`);
    expect(Math.max(...formatted.split('\n').map(({ length }) => length))).toBeLessThan(120);
    expect(formatted.replaceAll(/'\n {2}'|\n-- |\s+/g, ' ')).toContain(
      "word38 word39 comment on table t is 'word0",
    );
  });

  test('keeps strings and quoted names as they are', () => {
    expect(formatSql(`select  'a  ( b' as "c  d",$1;`)).toBe(`select 'a  ( b' as "c  d", $1;\n`);
  });
});

test('a function is used if other SQL or code names it, not by itself or in a comment', () => {
  const make = (name: string, body: string): string =>
    `create or replace function ${name}() returns void language sql as $$ ${body} $$;`;
  const sql = [
    make('alone', 'select alone()'),
    `-- commented()\n${make('commented', 'select 1')}`,
    `${make('called', 'select 1')} ${make('caller', 'select called()')}`,
    `create trigger t after delete on a for each row execute function fired(); ${make('fired', 'select 1')}`,
  ];
  expect(findUnusedFunctions(sql, ['await sql`select caller()`'])).toEqual(['alone', 'commented']);
});

test('functions with more than 80 lines are found, and exceptions that nothing needs', () => {
  /** Of `lines` lines, the first two and the last two of which every function has. */
  const make = (name: string, lines: number) =>
    `create or replace function ${name}(a integer, b text default '') returns void\nlanguage plpgsql as $$\n${'  a;\n'.repeat(lines - 4)}end\n$$;\n`;
  const sql = [make('short', MAX_LINES) + make('long', MAX_LINES + 1), make('excepted', 200)];
  expect(findLongFunctions(sql, { excepted: 'a reason' })).toEqual([
    'long() has 81 lines: at most 80. Make a step of it a function.',
  ]);
  expect(findLongFunctions(sql, { excepted: 'a reason', long: 'a reason', short: 'a reason' })).toEqual([
    "short() isn't longer than 80 lines: it needs no exception.",
  ]);
  const many = Array.from({ length: MAX_EXCEPTIONS + 1 }, (_, n) => `excepted_${n}`);
  expect(
    findLongFunctions(
      many.map((name) => make(name, 100)),
      Object.fromEntries(many.map((name) => [name, 'a reason'])),
    ),
  ).toEqual(['More than 5 functions are exceptions to the limit of 80 lines.']);
});
