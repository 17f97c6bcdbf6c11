import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { Overview, PageItem } from '../../../lib/analytics/answers/schemas.ts';
import { REPORTS } from '../../../lib/analytics/reports.ts';
import { columnsOf, keysOf } from '../../../lib/export/columns.ts';
import { csvRecord } from '../../../lib/export/csv.ts';
import { EXPORTED } from '../../../lib/export/export-report.ts';
import { csvFormat, JSON_FORMAT } from '../../../lib/export/format.ts';
import { PART_ITEMS, writeItems } from '../../../lib/export/write-items.ts';

test.each([
  [['/a', 1, -3.9, true, null, ''], '/a,1,-3.9,true,,'],
  [['a,b', 'say "hi"', 'two\r\nlines', ' '], '"a,b","say ""hi""","two\r\nlines", '],
  [['=1+1', '+351', '-3', '@SUM(A1)'], "'=1+1,'+351,'-3,'@SUM(A1)"],
  [['\t=1', '\r=1', '\n=1'], '\t\'=1,"\r\'=1","\n\'=1"'],
  [['＝1', '＋1', '－1', '＠1'], "'＝1,'＋1,'－1,'＠1"],
  [['=HYPERLINK("http://x","y")'], '"\'=HYPERLINK(""http://x"",""y"")"'],
  [['a=1', "'=1", '/=1'], "a=1,'=1,/=1"],
])('%j is written %j', (cells, expected) => {
  expect(csvRecord(cells)).toBe(`${expected}\r\n`);
});

const readCsv = (text: string): string[][] =>
  parse(text, { record_delimiter: '\r\n', relax_column_count: true });

test('whatever is written is read again, and is no formula', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom(...'=+-@\t\r\n",a') }),
  );
  fc.assert(
    fc.property(fc.array(fc.array(text, { minLength: 2, maxLength: 4 }), { minLength: 1 }), (records) => {
      const read = readCsv(records.map(csvRecord).join(''));
      const bare = (cells: string[]) => cells.map((cell) => cell.replaceAll(/'(?=[=+\-@＝＋－＠])/gu, ''));
      expect(read.map(bare)).toEqual(records.map(bare));
      expect(read.flat().filter((cell) => /^\s*[=+\-@]/.test(cell))).toEqual([]);
    }),
  );
});

const namesOf = (entries: v.ObjectEntries, items: readonly object[] = []) =>
  columnsOf(entries, keysOf(entries, items)).map(({ name }) => name);

test('columns are those of the items, objects laid out flat', () => {
  const figures = [
    'visitors',
    'visits',
    'pageviews',
    'reach',
    'exactVisits',
    'conversions',
    'conversionRate',
  ];
  const own = ['path', ...figures];
  expect(namesOf(PageItem.entries)).toEqual([...own, ...figures.map((name) => `previous.${name}`)]);
  const columns = namesOf(Overview.entries);
  expect(columns).toEqual(
    expect.arrayContaining(['bounceRate', 'tiers.visits.anonymousCounts', 'tiers.visitors.consented']),
  );
  expect(columns).not.toContain('tiers');
});

test('a list has a column for each entry that any item has, in order', () => {
  const entries = {
    steps: v.array(v.nullable(v.number())),
    paid: v.array(v.object({ currency: v.string(), amount: v.string() })),
    last: v.string(),
  };
  const items = [
    { steps: [1, null, 3], paid: [{ currency: 'USD', amount: '1.10' }], last: 'a' },
    { steps: Array.from({ length: 11 }, () => 7), paid: [{ amount: '2', currency: 'EUR' }], last: 'b' },
    { steps: [], paid: [], last: 'c' },
  ];
  const names = namesOf(entries, items);
  expect(names).toEqual([
    ...Array.from({ length: 11 }, (_, index) => `steps.${index + 1}`),
    'paid.EUR',
    'paid.USD',
    'last',
  ]);
  const rows = columnsOf(entries, keysOf(entries, items));
  expect(items.map((item) => rows.slice(-3).map(({ cellOf }) => cellOf(item)))).toEqual([
    [null, '1.10', 'a'],
    ['2', null, 'b'],
    [null, null, 'c'],
  ]);
  expect(rows.slice(0, 3).map(({ cellOf }) => cellOf(items[0] ?? {}))).toEqual([1, null, 3]);
  // A later part of the items adds its keys.
  expect([
    ...(keysOf(entries, items.slice(0, 1), keysOf(entries, items.slice(1))).get('paid') ?? []),
  ]).toEqual(['EUR', 'USD']);
});

interface Described {
  type: string;
  literal: true;
  wrapped: object;
  entries: Record<string, object>;
  item: object;
  options: string[];
}

/** Any value of a schema. Texts are such that no parser takes them for something else, and lists have each key once. */
function anyOf(schema: object): fc.Arbitrary<unknown> {
  const { type, wrapped, entries, item, options, literal } = schema as Described;
  if (type === 'nullable') return fc.option(anyOf(wrapped));
  if (type === 'optional') return fc.option(anyOf(wrapped), { nil: undefined });
  if (type === 'object')
    return fc.record(
      Object.fromEntries(Object.entries(entries).map(([name, field]) => [name, anyOf(field)])),
    );
  if (type === 'array')
    return fc.uniqueArray(anyOf(item), {
      maxLength: 12,
      selector: (part) => (typeof part === 'object' && part !== null ? Object.values(part)[0] : {}),
    });
  if (type === 'picklist') return fc.constantFrom(...options);
  if (type === 'literal') return fc.constant(literal);
  if (type === 'number') return fc.integer({ min: 0, max: 1e6 });
  if (type === 'string')
    return fc.string({ unit: fc.constantFrom('a', 'B', '7', ',', '"', ' ', 'ç') }).map((text) => `x${text}`);
  throw new Error(`A report has a ${type}.`);
}

/** Every number and text of a value. */
const leavesOf = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(leavesOf)
    : value === null || value === undefined
      ? []
      : [value];

const isPart = (value: unknown): value is { key: string } => typeof value === 'object' && value !== null;

/** The values that stand in cells; the keys of lists stand in the header. */
const cellsOf = (item: object): unknown[] =>
  Object.values(item).flatMap((value) => {
    if (Array.isArray(value))
      return value.flatMap((part) =>
        isPart(part) ? leavesOf(Object.values(part).slice(1)) : leavesOf(part),
      );
    return typeof value === 'object' && value !== null ? cellsOf(value) : leavesOf(value);
  });

test.each(EXPORTED)(
  '%s as CSV: every value of the items is in a cell of its own, and no cell is JSON',
  (report) => {
    const { item } = REPORTS[report] ?? expect.fail();
    fc.assert(
      fc.property(fc.array(anyOf(item) as fc.Arbitrary<object>, { minLength: 1, maxLength: 5 }), (items) => {
        const format = csvFormat(columnsOf(item.entries, keysOf(item.entries, items)));
        const [header = [], ...rows] = readCsv(format.opening + items.map(format.item).join(''));
        expect(new Set(header).size).toBe(header.length);
        expect(rows.map((row) => row.filter((cell) => cell !== '').sort())).toEqual(
          items.map((given) => cellsOf(given).map(String).sort()),
        );
        expect(rows.flat().filter((cell) => /^[{[]/.test(cell))).toEqual([]);
      }),
      { numRuns: 50 },
    );
  },
);

async function gather(parts: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const part of parts) text += part;
  return text;
}

/** A list of `count` items, and a record of the requested parts. */
function listOf(count: number) {
  const asked: number[] = [];
  const read = async ({ limit, offset }: { limit: number; offset: number }) => {
    asked.push(offset);
    const size = Math.min(limit, count - offset);
    const data = Array.from({ length: size }, (_, index) => ({ path: `/${offset + index}`, visits: 1 }));
    return { data, more: offset + limit < count };
  };
  return { asked, read };
}

test.each([0, 1, PART_ITEMS - 1, PART_ITEMS, PART_ITEMS + 1, 3 * PART_ITEMS + 7])(
  'all of %i items are written once, in order',
  async (count) => {
    const { read } = listOf(count);
    const first = await read({ limit: PART_ITEMS, offset: 0 });
    const format = csvFormat(columnsOf({ path: v.string(), visits: v.number() }, new Map()));
    const [csv, json] = await Promise.all(
      [format, JSON_FORMAT].map(async (as) => gather(writeItems(as, first, read))),
    );
    const paths = Array.from({ length: count }, (_, index) => `/${index}`);
    expect(readCsv(csv ?? '')).toEqual([['path', 'visits'], ...paths.map((path) => [path, '1'])]);
    expect(JSON.parse(json ?? '')).toEqual(paths.map((path) => ({ path, visits: 1 })));
  },
);

test('a part is read only when the one before was taken', async () => {
  const { asked, read } = listOf(10 * PART_ITEMS);
  const parts = writeItems(JSON_FORMAT, await read({ limit: PART_ITEMS, offset: 0 }), read);
  await parts.next();
  expect(asked).toEqual([0]);
  await parts.next();
  expect(asked).toEqual([0, PART_ITEMS]);
  await parts.return(undefined);
  expect(await parts.next()).toEqual({ value: undefined, done: true });
});
