/** Texts that visitors chose, read back as spreadsheets read them: some separate cells by `;` or a tab, and find quotes only at a cell's start. */
import fc from 'fast-check';
import type * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { REPORTS } from '../../../lib/analytics/reports.ts';
import { columnsOf, keysOf } from '../../../lib/export/columns.ts';
import { csvRecord } from '../../../lib/export/csv.ts';
import { EXPORTED } from '../../../lib/export/export-report.ts';
import { csvFormat } from '../../../lib/export/format.ts';

/** The cells of a file. A quote opens a cell only at its start; what follows the closing one belongs to the cell. */
function readCells(file: string, separator: string): string[] {
  const cells: string[] = [];
  let [cell, isQuoted, isStart] = ['', false, true];
  const end = (): void => {
    cells.push(cell);
    [cell, isStart] = ['', true];
  };
  for (let at = 0; at < file.length; at += 1) {
    const character = file[at] as string;
    if (isQuoted && character === '"' && file[at + 1] === '"') cell += file[++at];
    else if (isQuoted && character === '"') isQuoted = false;
    else if (isQuoted) cell += character;
    else if (isStart && character === '"') [isQuoted, isStart] = [true, false];
    else if (character === separator || character === '\r' || character === '\n') end();
    else [cell, isStart] = [cell + character, false];
  }
  end();
  return cells;
}

/** Spreadsheets may cut white space before a formula. A number is none. */
const isFormula = (cell: string): boolean => /^\s*[=+\-@＝＋－＠]/u.test(cell) && Number.isNaN(Number(cell));

const READERS = [
  [',', ','],
  [';', ';'],
  ['tab', '\t'],
] as const;

const hostile = fc.oneof(
  fc.constantFrom(
    "/x;=cmd|'/C calc'!A0;",
    "/x\t=cmd|'/C calc'!A0",
    '/x;"=1+1',
    'a,b;\n@SUM(1)',
    '";-1+cmd',
    ';; =1',
  ),
  fc.string({ unit: fc.constantFrom(...'=+-@\t\r\n",; a\'＝', '\u00a0') }),
  fc.string({ unit: 'binary' }),
);

describe.each(READERS)('a reader that separates by %s', (_, separator) => {
  test('finds no formula in texts', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(hostile, { minLength: 1, maxLength: 4 }), { minLength: 1 }),
        (records) => {
          expect(readCells(records.map(csvRecord).join(''), separator).filter(isFormula)).toEqual([]);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test.each(EXPORTED)('finds none in %s', (report) => {
    const { item } = REPORTS[report] ?? expect.fail();
    fc.assert(
      fc.property(fc.array(anyOf(item) as fc.Arbitrary<object>, { minLength: 1, maxLength: 4 }), (items) => {
        const format = csvFormat(columnsOf(item.entries, keysOf(item.entries, items)));
        const file = format.opening + items.map(format.item).join('');
        expect(readCells(file, separator).filter(isFormula)).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});

test('what a person reads is what was sent, with an apostrophe before each formula', () => {
  expect(readCells(csvRecord(["/x;=cmd|'/C calc'!A0;", 'a;b', '/y=1;z', 3]), ',').slice(0, 4)).toEqual([
    "/x;'=cmd|'/C calc'!A0;",
    'a;b',
    '/y=1;z',
    '3',
  ]);
});

interface Described {
  type: string;
  literal: true;
  wrapped: v.GenericSchema;
  entries: v.ObjectEntries;
  item: v.GenericSchema;
  options: string[];
}

/** Any value of a schema with hostile texts, which are also the keys of lists and so names of columns. */
function anyOf(schema: object): fc.Arbitrary<unknown> {
  const { type, wrapped, entries, item, options, literal } = schema as Described;
  if (type === 'nullable' || type === 'optional') return anyOf(wrapped);
  if (type === 'object')
    return fc.record(
      Object.fromEntries(Object.entries(entries).map(([name, field]) => [name, anyOf(field)])),
    );
  if (type === 'array') return fc.array(anyOf(item), { maxLength: 3 });
  if (type === 'picklist') return fc.constantFrom(...options);
  if (type === 'literal') return fc.constant(literal);
  if (type === 'number') return fc.integer({ min: 0, max: 1e6 });
  if (type === 'string') return hostile;
  throw new Error(`A report has a ${type}.`);
}
