/** What the readers say of an export has words in each language. */
import { expect, test } from 'vitest';
import { ImportProblem } from '../../lib/imports/readers/import-problem.ts';
import { readExport } from '../../lib/imports/readers/read-export.ts';
import type { ImportSource } from '../../lib/visits/imported-data.ts';
import { imports as en } from '../../web/app/words/en/imports.ts';
import { imports as es } from '../../web/app/words/es/imports.ts';
import { imports as pt } from '../../web/app/words/pt/imports.ts';

const ROOM = {
  ...{ domain: 'example.com', domains: [], timezone: 'Europe/Lisbon', from: null },
  ...{ before: '2026-05-09', imports: [] },
};
const HEAD = 'date,visitors,visits,pageviews';
const TOTALS = `${HEAD}\n2026-03-28,7,9,20\n`;
const GA4 = 'Date,Active users,Sessions,Views\n';
const UMAMI = 'website_id,session_id,visit_id,created_at,event_type,url_path,event_name,country\n';

const read = (source: ImportSource, files: Record<string, string>) =>
  readExport({ get: () => Promise.reject(new Error()) }, ROOM, {
    source,
    files: Object.entries(files).map(([name, text]) => ({
      name,
      size: text.length,
      open: async () => new Blob([text]).stream(),
    })),
    now: Date.parse('2026-05-10T12:00:00Z'),
    progress: {},
  });

const plausible = (
  text: string,
  more: Record<string, string> = {},
): [ImportSource, Record<string, string>] => ['plausible', { 'imported_visitors.csv': text, ...more }];
const list = (name: string, text: string) => plausible(TOTALS, { [`imported_${name}.csv`]: text });
const umami = (row: string): [ImportSource, Record<string, string>] => ['umami', { 'a.csv': UMAMI + row }];

test.each<[ImportSource, Record<string, string>]>([
  plausible(''),
  plausible(`${','.repeat(300)}\n`),
  plausible('date,visitors\n'),
  plausible(`${HEAD},visits\n`),
  plausible(`${TOTALS}2026-03-29,4,5\n`),
  plausible(`${TOTALS}2026-02-30,4,5,9\n`),
  plausible(`${TOTALS}2027-02-20,4,5,9\n`),
  plausible(`${TOTALS}2026-03-28,4,5,9\n`),
  plausible(`${TOTALS}2026-03-29,4,-5,9\n`),
  plausible(`${TOTALS}"2026-03-29,4,5,9\n`),
  plausible(`${TOTALS}2026-03-29,4"5,9\n`),
  plausible(`${TOTALS}"2026-03-29"4,5,9\n`),
  plausible('7'.repeat(200_000)),
  plausible(HEAD),
  ['plausible', { 'imported_pages.csv': 'date\n' }],
  list('pages', 'date,page,visitors,visits,pageviews\n2026-03-28,x,1,1,1\n'),
  list('custom_events', 'date,name,visitors,events\n2026-03-28,a\u001bb,1,1\n'),
  list('custom_events', `date,name,visitors,events\n2026-03-28,${'x'.repeat(2049)},1,1\n`),
  list('custom_events', 'date,name,visitors,events\n2026-03-29,a,1,1\n'),
  list('locations', 'date,country,region,visitors,visits,pageviews\n2026-03-28,Portugal,,1,1,1\n'),
  list('browsers', `date,browser,visitors,visits,pageviews\n${'2026-03-28,x,1,1,2147483647\n'.repeat(2)}`),
  ['ga4-csv', { 'a.csv': `Date,Browser,Active users,Sessions,Views\n` }],
  ['ga4-csv', { 'a.csv': 'Date,Browser,City,Active users,Sessions,Views\n' }],
  ['ga4-csv', { 'a.csv': `${GA4}20260328,7,9,20,1\n` }],
  ['ga4-csv', { 'a.csv': 'Date,OS,Active users,Sessions,Views\n20260328,Windows,7,9,20\n' }],
  ['ga4-csv', { 'a.csv': 'Date,Country,Active users,Sessions,Views\n20260328,Atlantis,7,9,20\n' }],
  ['umami', { 'a.csv': '', 'b.csv': '' }],
  umami('a,b,c,yesterday,1,/,,\n'),
  umami('a,b b,c,2026-03-28 10:00:00,1,/,,\n'),
  umami('a,b,c,2026-03-28 10:00:00,9,/,,\n'),
  umami('a,b,c,2026-03-28 10:00:00,2,/,,\n'),
  umami('a,b,c,2026-03-28 10:00:00,1,/,,\nb,b,c,2026-03-28 10:00:00,1,/,,\n'),
])('%s %#: the rule is translated to Spanish and Portuguese', async (source, files) => {
  const problem = await read(source, files).catch((error: unknown) => error);
  if (!(problem instanceof ImportProblem)) throw problem;
  const { rule } = problem;
  expect(es.tell(rule)).not.toBe(en.tell(rule));
  expect(pt.tell(rule)).not.toBe(en.tell(rule));
  expect(en.tell(rule)).not.toContain('--');
});

test.each<[ImportSource, Record<string, string>]>([
  plausible(TOTALS, {
    ...{ 'imported_operating_systems.csv': '', 'imported_custom_props.csv': '', 'x.csv': '' },
    'imported_locations.csv': 'date,country,region,visitors,visits,pageviews\n',
  }),
  umami('a,b,c,2026-03-28 10:00:00,1,/,,\na,b,c,2026-03-28 10:00:00,3,/,,\n'),
  [
    'ga4-csv',
    {
      'a.csv': `${GA4}20260328,7,9,20\n`,
      'b.csv': 'Date,Active users,Event name,Event count\n20260328,7,x,9\n',
    },
  ],
])('%s: what is left out is translated to Spanish and Portuguese', async (source, files) => {
  const { notes } = await read(source, files);
  expect(notes.length).toBeGreaterThan(1);
  for (const note of notes) for (const { tell } of [es, pt]) expect(tell(note)).not.toBe(note);
});
