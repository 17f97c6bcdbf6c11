/** A path pattern matches like an equivalent regular expression, and its text is never used as a regular expression. */
import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { CreateGoal } from '../../../lib/goals/schemas.ts';
import { isPageLike } from '../../oracle/hits.ts';
import { useDatabase } from '../../services/database.ts';

const database = useDatabase();

async function matching(pattern: string, paths: readonly string[]): Promise<string[]> {
  const rows = await database().sql`
    select path from unnest(${paths}::text[]) with ordinality as p(path, n) where page_matches(path, ${pattern}) order by n`;
  return rows.map(({ path }) => path);
}

test.each<[string, string[], string[]]>([
  ['/blog', ['/blog'], ['/blog/', '/blog/a', '/Blog', '/x/blog', '/blogs']],
  ['/blog/*', ['/blog/a', '/blog/%C3%A9'], ['/blog', '/blog/', '/blog/a/', '/blog/a/b', '/x/blog/a']],
  ['/blog/**', ['/blog/', '/blog/a', '/blog/a/b/', '/blog//'], ['/blog', '/blogs/a', '/x/blog/a']],
  ['/*/docs/**', ['/en/docs/', '/en/docs/a/b'], ['/en/docs', '//docs/a', '/a/b/docs/c', '/docs/a']],
  ['/*/*', ['/a/b'], ['/a', '/a/', '/a/b/c', '//b']],
  ['/**', ['/', '/a', '/a/b'], []],
  ['/a_c%', ['/a_c%'], ['/abc', '/abcd', '/a_cd']],
  ['/a.b\\/*', ['/a.b\\/c'], ['/a.b/c', '/axb\\/c']],
  ['/#/*', ['/#/a'], ['/#/', '/a']],
])('%s', async (pattern, yes, no) => {
  expect(v.is(CreateGoal, { siteId: crypto.randomUUID(), name: 'x', page: pattern })).toBe(true);
  expect(await matching(pattern, [...yes, ...no])).toEqual(yes);
});

test('the database and a regular expression agree', async () => {
  const part = fc.constantFrom('', 'a', 'b', 'ab', '%', '_', '\\', 'a%', '.*', 'é');
  const paths = fc.array(fc.array(part, { maxLength: 4 }), { minLength: 1, maxLength: 20 });
  const pattern = fc
    .tuple(
      fc.array(
        fc.oneof(
          part.filter((text) => !text.includes('*')),
          fc.constant('*'),
        ),
        { maxLength: 3 },
      ),
      fc.constantFrom([], ['**']),
    )
    .map(([parts, end]) => `/${[...parts, ...end].join('/')}`);
  await fc.assert(
    fc.asyncProperty(pattern, paths, async (wanted, drawn) => {
      const all = drawn.map((parts) => `/${parts.join('/')}`);
      expect(v.is(CreateGoal, { siteId: crypto.randomUUID(), name: 'x', page: wanted })).toBe(true);
      expect(await matching(wanted, all)).toEqual(all.filter((path) => isPageLike(path, wanted)));
    }),
    { numRuns: 500 },
  );
});

test.each([
  '',
  'blog',
  '*',
  '/blog*',
  '/**/a',
  '/a/***',
  '/*a',
  '/**a',
  '/*/*/*/*/*/*/*/*/*',
  `/${'a'.repeat(1024)}`,
])('%s is no pattern', (page) => {
  expect(v.is(CreateGoal, { siteId: crypto.randomUUID(), name: 'x', page })).toBe(false);
});

test('a hostile pattern takes no longer than its length says', async () => {
  const path = `/${'a/'.repeat(511)}`;
  const started = performance.now();
  expect(
    await matching(
      `/*/*/*/*/*/*/*/${'a'.repeat(900)}/**`,
      Array.from({ length: 200 }, () => path),
    ),
  ).toEqual([]);
  expect(performance.now() - started).toBeLessThan(2000);
});
