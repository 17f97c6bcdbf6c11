/** Damaged and hostile exports are refused. The error names file, line, column and rule, never the content, and nothing is written. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { csvRecord } from '../../../lib/export/csv.ts';
import { FIXTURES, GA4, useFolder, useWorlds } from './import-world.ts';
import { zip } from './zip.ts';

const makeWorld = useWorlds();
const folderOf = useFolder();
const HEAD = 'date,visitors,visits,pageviews';
const TOTALS = `${HEAD}\n2026-03-28,7,9,20\n`;
const visitors = <T extends string | Uint8Array>(text: T) => ({ 'imported_visitors.csv': text });
const table = (name: string, text: string) => ({ ...visitors(TOTALS), [`imported_${name}.csv`]: text });
const SOURCES =
  'date,source,referrer,utm_source,utm_medium,utm_campaign,utm_content,utm_term,visitors,visits,pageviews';

test.each<[string, Record<string, string | Uint8Array>, string]>([
  ['no header', visitors(''), 'imported_visitors.csv: must have a header'],
  [
    'a missing column',
    visitors('date,visitors,visits\n'),
    'imported_visitors.csv, line 1: a column is missing: pageviews',
  ],
  [
    'missing columns',
    visitors('day,who\n'),
    'line 1: columns are missing: date, visitors, visits, pageviews',
  ],
  ['a column twice', visitors(`${HEAD},visits\n`), 'line 1: each column must stand in the header once'],
  [
    'a short row',
    visitors(`${TOTALS}2026-03-29,4,5\n`),
    'line 3: must have 4 cells as the header has, and has 3',
  ],
  [
    'a long row',
    visitors(`${HEAD}\n2026-03-28,7,9,20,1\n`),
    'line 2: must have 4 cells as the header has, and has 5',
  ],
  [
    'a date that is none',
    visitors(`${HEAD}\n2026-02-30,1,1,1\n`),
    'line 2, column "date": must be a date like 2026-11-21',
  ],
  ['another form of date', visitors(`${HEAD}\n28/03/2026,1,1,1\n`), 'line 2, column "date": must be a date'],
  ['a date of long ago', visitors(`${HEAD}\n1926-03-28,1,1,1\n`), 'line 2, column "date": must be a date'],
  [
    'a day twice',
    visitors(`${TOTALS}2026-03-28,1,1,1\n`),
    'imported_visitors.csv, line 3: the day was there before',
  ],
  [
    'a negative number',
    visitors(`${HEAD}\n2026-03-28,7,-9,20\n`),
    'line 2, column "visits": must be a whole number from 0 to 2147483647',
  ],
  [
    'a fraction',
    visitors(`${HEAD}\n2026-03-28,7,9,2.5\n`),
    'line 2, column "pageviews": must be a whole number',
  ],
  [
    'an exponent',
    visitors(`${HEAD}\n2026-03-28,7,1e3,20\n`),
    'line 2, column "visits": must be a whole number',
  ],
  [
    'a huge number',
    visitors(`${HEAD}\n2026-03-28,7,9,2147483648\n`),
    'line 2, column "pageviews": must be a whole number',
  ],
  [
    'a huger number',
    visitors(`${HEAD}\n2026-03-28,7,9,${'9'.repeat(400)}\n`),
    'column "pageviews": must be a whole number',
  ],
  [
    'nothing for a number',
    visitors(`${HEAD}\n2026-03-28,7,,20\n`),
    'line 2, column "visits": must be a whole number',
  ],
  [
    'a formula for a number',
    visitors(`${HEAD}\n2026-03-28,=7+1,9,20\n`),
    'line 2, column "visitors": must be a whole number',
  ],
  ['a quote that is not closed', visitors(`${TOTALS}"2026-03-29,4,5,9\n`), 'a quote is not closed'],
  [
    'a quote within a cell',
    visitors(`${HEAD}\n2026-03-28,7,9"1,20\n`),
    'line 2: a quote must stand at the beginning of its cell',
  ],
  [
    'something after a quote',
    visitors(`${HEAD}\n"2026-03-28"x,7,9,20\n`),
    'line 2: after a closing quote a comma or the end of the row',
  ],
  [
    'a row without an end',
    visitors(`${HEAD}\n${'7'.repeat(200_000)}`),
    'a row must have at most 65536 characters',
  ],
  ['very many columns', visitors(`${','.repeat(300)}\n`), 'line 1: must have at most 200 columns'],
  [
    'other than UTF-8',
    visitors(Buffer.from(`${HEAD}\n2026-03-28,7,9,20\xff\n`, 'latin1')),
    'imported_visitors.csv: must be UTF-8',
  ],
  ['UTF-16', visitors(Buffer.from(`\ufeff${TOTALS}`, 'utf16le')), 'imported_visitors.csv: must be UTF-8'],
  ['no totals', { 'imported_pages.csv': 'date\n' }, 'imported_visitors_….csv is missing'],
  ['no CSV', { 'README.txt': 'hello' }, 'has no CSV file'],
  [
    'a page that is none',
    table('pages', 'date,page,visitors,visits,pageviews\n2026-03-28,javascript:alert(1),1,1,1\n'),
    'imported_pages.csv, line 2, column "page": must be a path that begins with /',
  ],
  [
    'control characters',
    table('custom_events', 'date,name,visitors,events\n2026-03-28,a\u001b[2Jb,1,1\n'),
    'column "name": must not have control characters',
  ],
  [
    'a line break in a name',
    table('custom_events', 'date,name,visitors,events\n2026-03-28,ok,1,1\n2026-03-28,"a\nb",1,1\n'),
    'line 3, column "name": must not have control characters',
  ],
  [
    'a long text',
    table('sources', `${SOURCES}\n2026-03-28,${'x'.repeat(2049)},,,,,,,1,1,1\n`),
    'line 2, column "source": must have at most 2048 characters',
  ],
  [
    'a country that is none',
    table('locations', 'date,country,region,visitors,visits,pageviews\n2026-03-28,Portugal,,1,1,1\n'),
    'column "country": must be a code of ISO 3166-1',
  ],
  [
    'a day without totals',
    table('devices', 'date,device,visitors,visits,pageviews\n2026-03-29,Mobile,1,1,1\n'),
    'imported_visitors: has no totals of 2026-03-29',
  ],
  [
    'a sum too great',
    table(
      'devices',
      'date,device,visitors,visits,pageviews\n2026-03-28,Desktop,1,1,2147483647\n2026-03-28,Laptop,1,1,1\n',
    ),
    'imported_devices.csv, line 3: adds up to more than 2147483647',
  ],
])('%s', async (_, files, rule) => {
  const { run, dump } = await makeWorld();
  const before = await dump();
  const failure = await run('plausible', await folderOf(files)).catch((error: Error) => error);
  expect(failure).toMatchObject({ name: 'ImportProblem', message: expect.stringContaining(rule) });
  expect(await dump()).toEqual(before);
});

test.each([
  [
    'a byte order mark, CRLF and quotes',
    '\ufeff"date","visitors","visits","pageviews"\r\n"2026-03-28","7","9","20"\r\n',
  ],
  ['no line end at the end, empty lines', `\n${HEAD}\n\n2026-03-28,7,9,20`],
  [
    'columns in another order, and more of them',
    'pageviews,x,visits,date,visitors\n20,"a ""b"", c\nd",9,2026-03-28,7\n',
  ],
])('what is sound is taken: %s', async (_, text) => {
  const { run } = await makeWorld();
  expect(await run('plausible', await folderOf(visitors(text)), { dryRun: true })).toContain(
    '9 visits, 20 page views, 7 visitors',
  );
});

test('what a spreadsheet would run is a name like others, and is written for spreadsheets as text', async () => {
  const world = await makeWorld();
  const names = ['=HYPERLINK("https://evil.example")', "-2+cmd|' /C calc'!A0", '=1+1', '@name'];
  const rows = names.map((name) => `2026-03-28,"${name.replaceAll('"', '""')}",1,1\n`).join('');
  const files = table('custom_events', `date,name,visitors,events\n${rows}`);
  await world.run('plausible', await folderOf(files));
  const [{ stored = [] } = {}] = await world.sql`
    select json_agg(value order by value) as stored from site_texts
    join sites on sites.key = site_key where sites.id = ${world.siteId}::uuid and value = any(${names}::text[])`;
  expect([...stored].sort()).toEqual([...names].sort());
  for (const name of names) expect(csvRecord([name])).toMatch(/^"?'[=@-]/);
});

test.each([
  ['a text that is none', () => Buffer.from('PK\u0003\u0004 and nothing else')],
  ['one that is cut off', () => zip(visitors(TOTALS)).slice(0, -30)],
])('archives: %s', async (_, make) => {
  const { run } = await makeWorld();
  const path = `${await folderOf({ 'export.zip': make() })}/export.zip`;
  await expect(run('plausible', path)).rejects.toThrow('export.zip: is not a valid ZIP archive');
});

test('archives: names that lead elsewhere, and sizes that are lies', async () => {
  const { run } = await makeWorld();
  const at = async (content: Uint8Array) => `${await folderOf({ 'export.zip': content })}/export.zip`;
  await expect(run('plausible', await at(zip({ '../imported_visitors.csv': TOTALS })))).rejects.toThrow(
    'is not a valid ZIP archive',
  );
  await expect(run('plausible', await at(zip(visitors(TOTALS), -5)))).rejects.toThrow(
    "imported_visitors.csv: can't be read to the end",
  );
  const odd = 'imported_visitors_\u001b[2J.csv';
  const text = await run('plausible', await at(zip({ [odd]: '', ...visitors(TOTALS) })), { dryRun: true });
  expect(text).toContain('left out: files that are none of its tables');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is looked for
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
});

test('a path that leads nowhere', async () => {
  const { run } = await makeWorld();
  await expect(run('umami', '/nowhere/website_event.csv')).rejects.toThrow(
    "website_event.csv: can't be read",
  );
});

const UMAMI = `${FIXTURES}umami/website_event.csv`;

test.each([
  [
    'of several websites',
    /^5f1c3f0e(?=.*10:00:00)/m,
    '6f1c3f0e',
    'column "website_id": must be the same website',
  ],
  ['an id that is none', '188d19ad-', 'no id ', 'column "session_id": must be an id'],
  [
    'no instant',
    '2026-03-28 10:05:00',
    '28.03.2026',
    'line 2, column "created_at": must be an instant of UTC',
  ],
  [
    'no such day',
    '2026-03-28 10:05:00',
    '2026-02-30 10:05:00',
    'line 2, column "created_at": must be an instant of UTC',
  ],
  [
    'an instant of another zone',
    '2026-03-28 10:05:00',
    '2026-03-28 10:05:00+01',
    'column "created_at": must be an instant of UTC',
  ],
  [
    'another type',
    /,1,,,,2026-03-28 10:05:00/,
    ',9,,,,2026-03-28 10:05:00',
    'column "event_type": must be 1 to 5',
  ],
  ['an event without a name', ',2,Signup,', ',2,,', 'column "event_name": must be the name of an event'],
  ['no path', ',/pricing,', ',pricing,', 'line 2, column "url_path": must be a path that begins with /'],
  ['a column too few', 'url_path', 'url', 'line 1: a column is missing: url_path'],
])('umami: %s', async (_, from, to, rule) => {
  const { run, dump } = await makeWorld();
  const before = await dump();
  const text = (await readFile(UMAMI, 'utf8')).replace(from, to);
  await expect(run('umami', await folderOf({ 'website_event.csv': text }))).rejects.toThrow(rule);
  expect(await dump()).toEqual(before);
});

const GA4_TOTALS = 'Date,Active users,Sessions,Views\n20260328,7,9,20\n';

test.each([
  [
    'no totals',
    'Date,Browser,Active users,Sessions,Views\n',
    'the totals are missing: a report by Date alone',
  ],
  ['no date', 'Browser,Active users,Sessions,Views\n', 'b.csv, line 1: a column is missing: Date'],
  ['no users', 'Date,Sessions,Views\n', 'line 1: a column is missing: Total users or Active users'],
  [
    'what a report of traffic has',
    'Date,Session source,Active users,Sessions,Engaged sessions\n',
    'line 1: a column is missing: Views',
  ],
  [
    'two dimensions',
    'Date,Browser,Country,Active users,Sessions,Views\n',
    'line 1: has more than one dimension: Browser, Country',
  ],
  [
    'an unknown dimension',
    'Date,Operating system,Active users,Sessions,Views\n20260328,Windows,7,9,20\n',
    'line 2, column "Operating system": is not known, and not a figure either',
  ],
  [
    'an unknown country',
    'Date,Country,Active users,Sessions,Views\n20260328,Atlantis,7,9,20\n',
    'column "Country": must be the English name of a country; choose the dimension Country ID',
  ],
  [
    'a date in words',
    'Date,Browser,Active users,Sessions,Views\n"Mar 28, 2026",x,7,9,20\n',
    'column "Date": must be a date like 20260328'.replace('20260328', '20261121'),
  ],
  ['the totals twice', GA4_TOTALS, 'line 2: the day was there before'],
  [
    'a second table below',
    'Date,Browser,Active users,Sessions,Views\n20260328,x,7,9,20\n\nDate,City,Views\n',
    'line 4, column "Date": must be a date',
  ],
])('ga4-csv: %s', async (name, text, rule) => {
  const { run } = await makeWorld();
  const folder = await folderOf({ ...(name === 'no totals' ? {} : { 'a.csv': GA4_TOTALS }), 'b.csv': text });
  await expect(run('ga4-csv', folder)).rejects.toThrow(rule);
});

test('ga4-csv: country codes and dates with hyphens', async () => {
  const { run } = await makeWorld();
  const codes = 'Country ID,Views,Total users,Sessions,Date\nPT,20,7,9,2026-03-28\n';
  const output = await run('ga4-csv', await folderOf({ 'a.csv': GA4_TOTALS, 'b.csv': codes }), {
    dryRun: true,
  });
  expect(output).toContain('lists: country');
  expect(await run('ga4-csv', GA4, { dryRun: true })).toContain(
    'left out: the events page_view, session_start',
  );
});
