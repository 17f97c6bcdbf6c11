import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { Overview, PageItem } from '../../../lib/analytics/schemas.ts';
import { cellAt, columnsOf } from '../../../lib/export/columns.ts';
import { csvRecord } from '../../../lib/export/csv.ts';
import { csvFormat, JSON_FORMAT } from '../../../lib/export/format.ts';
import { PART_ITEMS, writeItems } from '../../../lib/export/write-items.ts';

test.each([
  [['/a', 1, -3.9, true, null, ''], '/a,1,-3.9,true,,'],
  [['a,b', 'say "hi"', 'two\r\nlines', ' '], '"a,b","say ""hi""","two\r\nlines", '],
  [['=1+1', '+351', '-3', '@SUM(A1)'], "'=1+1,'+351,'-3,'@SUM(A1)"],
  [['\t=1', '\r=1', '\n=1'], '\'\t=1,"\'\r=1","\'\n=1"'],
  [['＝1', '＋1', '－1', '＠1'], "'＝1,'＋1,'－1,'＠1"],
  [['=HYPERLINK("http://x","y")'], '"\'=HYPERLINK(""http://x"",""y"")"'],
  [['a=1', "'=1", '/=1'], "a=1,'=1,/=1"],
])('%j is written %j', (cells, expected) => {
  expect(csvRecord(cells)).toBe(`${expected}\r\n`);
});

/** Reads CSV by RFC 4180, in a slow and obvious way. */
function readCsv(text: string): string[][] {
  const records: string[][] = [[]];
  let [cell, quoted] = ['', false];
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (quoted && letter === '"' && text.charAt(at + 1) === '"') {
      cell += '"';
      at += 1;
    } else if (letter === '"') quoted = !quoted;
    else if (!quoted && (letter === ',' || text.startsWith('\r\n', at))) {
      records.at(-1)?.push(cell);
      cell = '';
      if (letter === ',') continue;
      records.push([]);
      at += 1;
    } else cell += letter;
  }
  return records.slice(0, -1);
}

test('whatever is written is read again, and is no formula', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom(...'=+-@\t\r\n",a') }),
  );
  fc.assert(
    fc.property(fc.array(fc.array(text, { minLength: 2, maxLength: 4 }), { minLength: 1 }), (records) => {
      const read = readCsv(records.map(csvRecord).join(''));
      expect(
        read.map((cells) =>
          cells.map((cell) => (/^'[=+\-@\t\r\n＝＋－＠]/u.test(cell) ? cell.slice(1) : cell)),
        ),
      ).toEqual(
        records.map((cells) =>
          cells.map((cell) => (/^'[=+\-@\t\r\n＝＋－＠]/u.test(cell) ? cell.slice(1) : cell)),
        ),
      );
      for (const cell of read.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r\n]/);
    }),
  );
});

test('columns are those of the items, objects laid out flat', () => {
  expect(columnsOf(PageItem.entries).map(String)).toEqual([
    'path',
    'visitors',
    'visits',
    'pageviews',
    'reach',
  ]);
  const columns = columnsOf(Overview.entries).map((column) => column.join('.'));
  expect(columns).toEqual(
    expect.arrayContaining(['bounceRate', 'tiers.visits.anonymousCounts', 'tiers.visitors.consented']),
  );
  expect(columns).not.toContain('tiers');
  expect(cellAt({ a: { b: 1 } }, ['a', 'b'])).toBe(1);
  expect(cellAt({}, ['a', 'b'])).toBe(null);
  const nested = v.object({ a: v.object({ b: v.string() }), c: v.array(v.string()) });
  expect(columnsOf(nested.entries)).toEqual([['a', 'b'], ['c']]);
});

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
    const format = csvFormat({ path: v.string(), visits: v.number() });
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
