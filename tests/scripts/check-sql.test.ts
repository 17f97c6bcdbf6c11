import { expect, test } from 'vitest';
import { findLongFunctions, MAX_EXCEPTIONS, MAX_LINES } from '../../scripts/sql/long-functions.ts';
import { findUnusedFunctions } from '../../scripts/sql/unused-functions.ts';

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
