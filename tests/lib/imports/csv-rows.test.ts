import { CsvError, parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CsvFault, type CsvRow, CsvRows } from '../../../lib/imports/readers/csv-rows.ts';

const readAll = (parts: readonly string[], comments = false): CsvRow[] => {
  const rows = new CsvRows({ comments });
  return [...parts.flatMap((part) => [...rows.add(part)]), ...rows.end()];
};

test.each<[string, string, CsvRow[]]>([
  ['nothing', '', []],
  ['a row without an end', 'a,b', [{ cells: ['a', 'b'], line: 1 }]],
  [
    'empty cells',
    'a,\n,"",\n',
    [1, 2].map((line) => ({ cells: line === 1 ? ['a', ''] : ['', '', ''], line })),
  ],
  ['empty lines', '\n\r\na\r\n\n', [{ cells: ['a'], line: 3 }]],
  [
    'ends of each kind',
    'a\rb\nc\r\nd',
    ['a', 'b', 'c', 'd'].map((text, index) => ({ cells: [text], line: index + 1 })),
  ],
  [
    'a cell of several lines',
    '"a\r\nb\n","c ""d"""\ne\n',
    [
      { cells: ['a\r\nb\n', 'c "d"'], line: 1 },
      { cells: ['e'], line: 4 },
    ],
  ],
  ['a byte order mark before a quote', '\ufeff"a"\n', [{ cells: ['a'], line: 1 }]],
])('%s, in parts of any length', (_, text, rows) => {
  for (const length of [1, 2, 3, 100]) {
    const parts = text.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? [];
    expect(readAll(parts)).toEqual(rows);
  }
});

test('comments are lines of their own', () => {
  expect(readAll(['# a "quote\nx,y\n#1,2\nz,#'], true)).toEqual([
    { cells: ['x', 'y'], line: 2 },
    { cells: ['z', '#'], line: 4 },
  ]);
  expect(readAll(['#a\n'])).toEqual([{ cells: ['#a'], line: 1 }]);
});

test.each([
  ['a\n"b', 2, 'a quote is not closed'],
  ['a\n"b\nc"d\n', 2, 'after a closing quote'],
  ['a\nb"', 2, 'a quote must stand at the beginning'],
  [`a\n${'b'.repeat(70_000)}`, 2, 'a row must have at most 65536 characters'],
  [`a\n"${'b\n'.repeat(70_000)}`, 2, 'a quote may not be closed before'],
])('a fault names the line on which its row begins', (text, line, rule) => {
  const read = () => readAll([text]);
  expect(read).toThrow(CsvFault);
  expect(read).toThrow(rule);
  expect(read).toThrow(expect.objectContaining({ line }));
});

/** What csv-parse makes of a text; undefined if it is none. */
function byPeer(text: string): string[][] | undefined {
  try {
    return parse(text, { relax_column_count: true, skip_empty_lines: true, record_delimiter: '\n' });
  } catch (error) {
    if (error instanceof CsvError) return undefined;
    throw error;
  }
}

test('any text is read as csv-parse reads it, however it is cut', () => {
  const texts = fc.array(fc.constantFrom('a', 'b ', ',', '"', '""', '\n', 'é', '\n"', '",'), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(texts, (parts) => {
      let rows: string[][] | undefined;
      try {
        rows = readAll(parts).map(({ cells }) => cells);
      } catch (error) {
        expect(error).toBeInstanceOf(CsvFault);
      }
      expect(rows).toEqual(byPeer(parts.join('')));
    }),
    { numRuns: 2000 },
  );
});
