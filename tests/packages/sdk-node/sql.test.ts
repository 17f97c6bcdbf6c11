/** What leaves a backend of its SQL: no literal, every identifier. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeSql } from '../../../packages/sdk-node/src/sql/describe-sql.ts';
import { maskSql } from '../../../packages/sdk-node/src/sql/mask-sql.ts';
import { type SqlDialect, scanSql } from '../../../packages/sdk-node/src/sql/scan-sql.ts';

const DIALECTS: readonly SqlDialect[] = ['postgresql', 'sqlite'];

const masked = (sql: string, dialect: SqlDialect): string => maskSql(scanSql(sql, dialect));

describe('a statement without values', () => {
  test.each<[SqlDialect, string, string]>([
    [
      'postgresql',
      "select * from t where a = 'x''y' and b = 1.5e-3",
      'select * from t where a = ? and b = ?',
    ],
    ['postgresql', 'where id in (1, 2,3) and f() and g(1, x)', 'where id in (?) and f() and g(?, x)'],
    ['postgresql', "insert into t values (1,'x'),\n  (2,null)", 'insert into t values (?), (?,null)'],
    ['postgresql', "select E'a\\'secret', e'\\\\', 'b\\', x", 'select ?, ?, ?, x'],
    ['postgresql', "select E'a'\n  -- it's\n 'b\\'secret', x", 'select ?, x'],
    ['postgresql', "select re'a\\', x", 'select re?, x'],
    ['postgresql', "select\u00a0E'a\\', x", 'select\u00a0E?, x'],
    ['postgresql', "U&'d\\0061t' UESCAPE '!' || B'01' || x'ff' || N'n'", '? UESCAPE ? || ? || ? || ?'],
    [
      'postgresql',
      'select $$ it\'s $a$ $$, $a$ $$ secret $b$ $a$, x$y$ from "t""$$"',
      'select ?, ?, x$y$ from "t""$$"',
    ],
    ['postgresql', "a /* 'x' /* y */ secret */ b -- it's\n, c --x\r'd\n'", 'a b , c ?'],
    ['postgresql', 'select $1, $2::int4, a::text, :name', 'select $1, $2::int4, a::text, :name'],
    ['postgresql', 'select 0x1F, 1_000, .5, 12ab, t1.c2', 'select ?, ?, ?, ?, t1.c2'],
    ['postgresql', "data ->> 'key' @> '{}' and b ? 'c'", 'data ->> ? @> ? and b ? ?'],
    ['sqlite', "select 'a\\', [b 'c], `d``'e`, \"f'\" , x'00'", "select ?, [b 'c], `d``'e`, \"f'\" , ?"],
    ['sqlite', "a /* ' /* */ b -- '\r'\n, c", 'a b , c'],
    ['sqlite', "?, ?12, :a, @b, $c::d, $c(e'f), 'secret'", '?, ?12, :a, @b, $c::d, ?, ?'],
    ['sqlite', "select a\0'secret", 'select a?'],
  ])('%s: %s', (dialect, sql, expected) => {
    expect(masked(sql, dialect)).toBe(expected);
  });

  test.each<[SqlDialect, string]>([
    ['postgresql', "select 'secret"],
    ['postgresql', "select E'x\\'secret\\"],
    ['postgresql', "select E'x\\'secret"],
    ['postgresql', 'select $tag$ secret $ta$'],
    ['postgresql', 'select $$ secret'],
    ['postgresql', 'select "secret'],
    ['postgresql', 'select /* /* */ secret'],
    ['postgresql', 'select --secret'],
    ['sqlite', 'select [secret'],
    ['sqlite', 'select `secret'],
    ['sqlite', "select x'secret"],
    ['sqlite', 'select /* secret'],
  ])('%s, unterminated: %s', (dialect, sql) => {
    expect(masked(sql, dialect)).not.toContain('secret');
    expect(masked(sql, dialect)).toContain('select');
  });

  test('long statements are cut, and are read in time that grows with their length alone', () => {
    const long = `select ${"'a',".repeat(300_000)} secret`;
    expect(describeSql(long, 'postgresql').text.length).toBe(4096);
    for (const part of ["'", "E'\\'", '$a$', '/*', '((', '"', "E'a'\n", '--\n', '$a', "''", '[', ':a('])
      for (const dialect of DIALECTS) expect(masked(part.repeat(20_000), dialect)).not.toBe('-');
  });
});

/** A piece of a statement. `secret` and `kept` are unlike anything else in it. */
interface Piece {
  text: string;
  secret?: string;
  kept?: string;
}

const unlike = (mark: string): fc.Arbitrary<string> =>
  fc.stringMatching(/^[a-z]{4,8}$/).map((text) => `${mark}${text}`);

const secret = unlike('ſecret');
const identifier = unlike('ident');
/** What stands around a secret within a string: signs that other strings and comments begin or end with. */
const noise = fc
  .array(
    fc.constantFrom(
      '--',
      '/*',
      '*/',
      '$',
      '$$',
      '$a$',
      '"',
      '`',
      '[',
      ']',
      '\n',
      '\r',
      ' ',
      'E',
      '1',
      '?',
      '☃',
      '😀',
    ),
    {
      maxLength: 4,
    },
  )
  .map((parts) => parts.join(''));

const within = (make: (text: string) => string): fc.Arbitrary<Piece> =>
  fc.tuple(noise, secret, noise).map(([before, value, after]) => ({
    text: make(`${before}${value}${after}`),
    secret: value,
  }));

const PIECES: Record<SqlDialect, fc.Arbitrary<Piece>> = {
  postgresql: fc.oneof(
    within((text) => `'${text}'`),
    within((text) => `'it''s ${text}\\'`),
    within((text) => `E'\\'${text}\\\\'`),
    within((text) => `e'a' -- it's\n 'b\\'${text}'`),
    within((text) => `U&'${text}'`),
    within((text) => `$tag$'${text}$tag$`),
    within((text) => `$$'${text.replaceAll('$', '€')}$$`),
    within((text) => `/* ' /* " */ ${text.replaceAll('*', '')} */`),
    within((text) => `-- '${text.replaceAll(/[\n\r]/g, '')}\n`),
    identifier.map((kept) => ({ text: kept, kept })),
    identifier.map((kept) => ({ text: `"--${kept} '"`, kept })),
    identifier.map((kept) => ({ text: `${kept}$x$`, kept })),
    fc.constantFrom('$1', '1.5e3', '(', ')', ',', '=', '::', 'é', '||').map((text) => ({ text })),
  ),
  sqlite: fc.oneof(
    within((text) => `'${text}'`),
    within((text) => `'it''s ${text}\\'`),
    within((text) => `x'${text}'`),
    within((text) => `/* ' " [ ${text.replaceAll('*', '')} */`),
    within((text) => `-- '${text.replaceAll('\n', '')}\n`),
    identifier.map((kept) => ({ text: kept, kept })),
    identifier.map((kept) => ({ text: `"--${kept} '"`, kept })),
    identifier.map((kept) => ({ text: `[${kept} ' -- ]`, kept })),
    identifier.map((kept) => ({ text: `\`${kept} ' /* \``, kept })),
    fc.constantFrom('?1', ':a', '$b::c', '1.5e3', '(', ')', ',', '=', 'é', '||').map((text) => ({ text })),
  ),
};

test.each(DIALECTS)('%s: of random statements no literal is left, and each identifier is', (dialect) => {
  fc.assert(
    fc.property(fc.array(PIECES[dialect], { maxLength: 30 }), (pieces) => {
      const sql = pieces.map(({ text }) => text).join(' , ');
      const { text, summary } = describeSql(sql, dialect);
      for (const piece of pieces) {
        if (piece.secret) expect(text + summary).not.toContain(piece.secret);
        if (piece.kept) expect(text).toContain(piece.kept);
      }
    }),
    { numRuns: 2000 },
  );
});

test.each(DIALECTS)('%s: of random statements, cut anywhere, no literal is left', (dialect) => {
  fc.assert(
    fc.property(fc.array(PIECES[dialect], { maxLength: 12 }), fc.nat(400), (pieces, length) => {
      const sql = pieces.map(({ text }) => text).join(' , ');
      const { text, summary } = describeSql(sql.slice(0, length), dialect);
      expect(text + summary).not.toContain('ſ');
    }),
    { numRuns: 2000 },
  );
});

test.each<[string, string]>([
  ['select * from orders where id = 1', 'SELECT orders'],
  [
    'INSERT INTO shop.orders (a) SELECT a FROM baskets b, public."My Items" i JOIN c ON c.id = i.id',
    'INSERT shop.orders SELECT baskets public."My Items" c',
  ],
  ['select extract(day from x.at) from t where exists (select 1 from z)', 'SELECT t SELECT z'],
  ['insert into t values (1) on conflict (id) do update set a = 1', 'INSERT t'],
  ['select * from t for update', 'SELECT t'],
  ['delete from only t using u where a is distinct from b', 'DELETE t u'],
  ['update t set a = (select max(b) from q)', 'UPDATE t SELECT q'],
  ['merge into t using s on t.id = s.id when matched then update set a = 1', 'MERGE t s'],
  ['create table if not exists x (id int references y(id))', 'CREATE x'],
  ['create unique index concurrently i on t (a)', 'CREATE i'],
  ['with a as (select 1 from b) select * from a', 'SELECT b SELECT a'],
  ["select replace(a, 'x', 'y') from t", 'SELECT t'],
  ['replace into kv values (1)', 'REPLACE kv'],
  ['truncate a, b', 'TRUNCATE a b'],
  ['begin', 'BEGIN'],
  ["'x'", ''],
  ['', ''],
])('the summary of %s is %s', (sql, summary) => {
  expect(describeSql(sql, 'postgresql').summary).toBe(summary);
});

test('a summary ends with the last table that fits', () => {
  const { summary } = describeSql(
    `select * from ${Array.from({ length: 90 }, (_, n) => `table${n}`).join(', ')}`,
    'sqlite',
  );
  expect(summary.length).toBeLessThanOrEqual(255);
  expect(summary).toMatch(/^SELECT table0 .* table\d+$/);
});
