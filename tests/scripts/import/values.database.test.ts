/** The imported lists of each format, by day and value: visitors, visits, page views. */
import { expect, test } from 'vitest';
import type { ImportSource } from '../../../lib/visits/imported-data.ts';
import { FIXTURES, GA4, useFolder, useWorlds, type World } from './import-world.ts';

const makeWorld = useWorlds();
const folderOf = useFolder();

/** The values of a dimension as sorted lines `28 value: visitors visits hits`, where 28 is the day. */
async function valuesOf({ sql, siteId }: World, dimension: string): Promise<string[]> {
  const rows = await sql`
    select line from (
      select to_char(bucket, 'DD ') || t.value || ': ' || concat_ws(' ', visitors, visits, hits) as line
      from rollup_values r
      join sites on sites.key = r.site_key
      cross join lateral unnest(r.value, visitors_2, visits_2, hits_2, hits_1, hits_3, visits_1, visits_3, visitors_3)
        as v(id, visitors, visits, hits, h1, h3, v1, v3, who3)
      join site_texts t on t.site_key = r.site_key and t.id = v.id
      where sites.id = ${siteId} and dimension = dimension_number(${dimension}) and span = 1
        and (h1, h3, v1, v3, who3) = (0, 0, 0, 0, 0)
    ) l
    order by line collate "C"`;
  return rows.map(({ line }) => line as string);
}

async function expectValues(
  source: ImportSource,
  paths: string | readonly string[],
  lists: readonly (readonly [dimension: string, lines: readonly string[]])[],
): Promise<void> {
  const world = await makeWorld();
  await world.run(source, paths);
  for (const [dimension, lines] of lists)
    expect([dimension, await valuesOf(world, dimension)]).toEqual([dimension, lines]);
}

test('plausible', () =>
  expectValues('plausible', `${FIXTURES}plausible`, [
    [
      'page',
      [
        '28 /: 6 8 11',
        '28 /guias/a%C3%A7%C3%A3o: 3 3 5',
        '28 /pricing: 2 2 4',
        '29 /: 4 5 9',
        '30 /pricing: 5 5 15',
      ],
    ],
    ['entry_page', ['28 /: 5 7 16', '28 /pricing: 2 2 4', '29 /: 4 5 9', '30 /pricing: 5 6 15']],
    ['exit_page', ['28 /pricing: 7 9 20', '29 /: 4 5 9', '30 /pricing: 6 7 15']],
    [
      'source',
      [
        '28 Direct: 3 3 6',
        '28 Google: 3 4 10',
        '28 newsletter: 1 2 4',
        '29 X: 4 5 9',
        '30 blog.example.net: 6 7 15',
      ],
    ],
    [
      'channel',
      [
        '28 Direct: 3 3 6',
        '28 Email: 1 2 4',
        '28 Organic search: 3 4 10',
        '29 Organic social: 4 5 9',
        '30 Referral: 6 7 15',
      ],
    ],
    ['utm_source', ['28 newsletter: 1 2 4']],
    ['utm_medium', ['28 email: 1 2 4']],
    ['utm_campaign', ['28 spring: 1 2 4']],
    ['utm_content', ['28 top: 1 2 4']],
    ['utm_term', []],
    ['country', ['28 PT: 6 8 18', '28 Unknown: 1 1 2', '29 ES: 4 5 9', '30 PT: 6 7 15']],
    ['region', ['28 PT-11: 2 3 6', '28 PT-13: 4 5 12', '30 PT-13: 6 7 15']],
    ['city', []],
    ['device', ['28 desktop: 5 7 16', '28 mobile: 2 2 4', '29 tablet: 4 5 9', '30 Unknown: 6 7 15']],
    ['browser', ['28 Chrome: 5 7 16', '28 Edge: 2 2 4', '29 Safari: 4 5 9', '30 Firefox: 6 7 15']],
    ['event', ['28 Outbound Link: Click: 2 2 4', '28 Signup: 2 2 2', '30 Signup: 1 1 1']],
    ['os', []],
  ]));

test('umami', () =>
  expectValues('umami', `${FIXTURES}umami`, [
    [
      'page',
      [
        '28 /: 1 1 1',
        '28 /pricing: 1 2 2',
        '28 /thanks: 1 1 1',
        '29 /: 1 1 1',
        '30 /: 1 1 1',
        '30 /pricing: 1 1 1',
      ],
    ],
    ['entry_page', ['28 /: 1 1 3', '28 /pricing: 1 1 1', '29 /: 1 1 1', '30 /: 1 1 2']],
    ['exit_page', ['28 /pricing: 1 1 1', '28 /thanks: 1 1 3', '29 /: 1 1 1', '30 /pricing: 1 1 2']],
    [
      'source',
      ['28 Google: 1 1 3', '28 newsletter: 1 1 1', '29 Direct: 1 1 1', '30 Direct: 1 1 0', '30 X: 1 1 2'],
    ],
    [
      'channel',
      [
        '28 Email: 1 1 1',
        '28 Organic search: 1 1 3',
        '29 Direct: 1 1 1',
        '30 Direct: 1 1 0',
        '30 Organic social: 1 1 2',
      ],
    ],
    ['utm_campaign', ['28 spring: 1 1 1']],
    ['country', ['28 PT: 1 2 4', '29 PT: 1 1 1', '30 US: 1 1 2', '30 Unknown: 1 1 0']],
    ['region', ['28 PT-13: 1 2 4', '29 PT-13: 1 1 1', '30 US-CA: 1 1 2']],
    ['city', ['28 Porto: 1 2 4', '29 Porto: 1 1 1', '30 San Francisco: 1 1 2']],
    ['device', ['28 desktop: 1 2 4', '29 desktop: 1 1 1', '30 desktop: 1 1 0', '30 mobile: 1 1 2']],
    ['browser', ['28 Chrome: 1 2 4', '29 Chrome: 1 1 1', '30 Firefox: 1 1 0', '30 Safari: 1 1 2']],
    ['language', ['28 pt-PT: 1 2 4', '29 pt-PT: 1 1 1', '30 Unknown: 1 1 0', '30 en-US: 1 1 2']],
    ['hostname', ['28 example.com: 1 2 4', '29 example.com: 1 1 1', '30 example.com: 2 2 2']],
    ['event', ['28 Signup: 1 1 1', '30 Signup: 1 1 1']],
  ]));

test('ga4-csv', () =>
  expectValues('ga4-csv', GA4, [
    ['page', ['28 /: 6 8 14', '28 /pricing: 3 3 6', '29 /: 4 5 9', '30 /pricing: 6 7 14']],
    ['source', ['28 Direct: 3 4 8', '28 Google: 4 5 12', '29 Google: 4 5 9', '30 Direct: 6 7 15']],
    [
      'channel',
      ['28 Direct: 3 4 8', '28 Organic search: 4 5 12', '29 Paid search: 4 5 9', '30 Direct: 6 7 15'],
    ],
    ['country', ['28 PT: 5 7 16', '28 TR: 2 2 4', '29 ES: 4 5 9', '30 Unknown: 6 7 15']],
    ['device', ['28 desktop: 5 7 16', '28 tv: 2 2 4', '29 mobile: 4 5 9', '30 tablet: 6 7 15']],
    ['event', ['28 generate_lead: 2 2 3', '30 generate_lead: 1 1 1']],
  ]));

test('many rows go in by parts, each once', async () => {
  const world = await makeWorld();
  // Four parts and a bit.
  const days = Array.from({ length: 8 }, (_, day) => `2026-02-${String(day + 1).padStart(2, '0')}`);
  const totals = days.map((day) => `${day},3000,3000,6000`);
  const pages = days.flatMap((day) =>
    Array.from({ length: 1000 }, (_, n) => `${day},/page/${n % 900},1,1,2`),
  );
  const folder = await folderOf({
    'imported_visitors.csv': ['date,visitors,visits,pageviews', ...totals].join('\n'),
    'imported_pages.csv': ['date,page,visitors,visits,pageviews', ...pages].join('\n'),
  });
  expect(await world.run('plausible', folder)).toContain('7208 rows');
  const lines = await valuesOf(world, 'page');
  expect(lines).toHaveLength(8 * 900);
  expect([lines.includes('08 /page/99: 2 2 4'), lines.includes('01 /page/100: 1 1 2')]).toEqual([true, true]);
});
