/** Schemas of imports (docs/import.md#over-http). */
import * as v from 'valibot';
import { isDate } from '../dates.ts';
import { Count, described, Id, Instant } from '../fields.ts';
import { isCountry } from '../privacy/countries.ts';
import { IMPORT_SOURCES, IMPORTED_DIMENSIONS, type ImportedDimension } from '../visits/imported-data.ts';
import { MAX_FIGURE, MAX_PIECE_ROWS } from './import-limits.ts';

/** Maximum imports of a site. */
export const MAX_IMPORTS = 100;
const MAX_PIECES = 20_000;
/** PostgreSQL's index takes 2,704 bytes. A path has at most 1024 characters, all else less. */
const MAX_VALUE_LENGTH = 1024;
const MAX_VALUE_BYTES = 2600;

const Source = v.picklist(IMPORT_SOURCES);
const Day = v.pipe(v.string(), v.check(isDate, 'must be a date like 2026-11-21, of the years 2000 to 2099'));
const Figure = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_FIGURE));

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const CONTROLS = /[\u0000-\u001f\u007f]/;
const encoder = new TextEncoder();
const Value = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(MAX_VALUE_LENGTH),
  v.check(
    (text) => encoder.encode(text).length <= MAX_VALUE_BYTES,
    `must have at most ${MAX_VALUE_BYTES} bytes of UTF-8`,
  ),
  v.check((text) => !CONTROLS.test(text), 'must not have control characters'),
);

export const Dimension = v.picklist(IMPORTED_DIMENSIONS);

const isPath = (value: string): boolean => value.startsWith('/');
/** What reports read out of values. All else is shown as it is. */
const SHAPES: Partial<Record<ImportedDimension, { is: (value: string) => boolean; rule: string }>> = {
  page: { is: isPath, rule: 'must begin with /' },
  entry_page: { is: isPath, rule: 'must begin with /' },
  exit_page: { is: isPath, rule: 'must begin with /' },
  country: {
    is: (value) => value === 'Unknown' || isCountry(value),
    rule: 'must be a code like PT, or Unknown',
  },
  region: {
    is: (value) => value === 'Unknown' || /^[A-Z]{2}-[A-Z\d]{1,3}$/.test(value),
    rule: 'must be a code like PT-13, or Unknown',
  },
  language: {
    is: (value) => value === 'Unknown' || /^[a-z]{2,3}(?:-[A-Za-z\d]{2,8})*$/.test(value),
    rule: 'must be a tag like pt-PT, or Unknown',
  },
};

/** The totals of a day. */
const DayRow = v.strictTuple([Day, Figure, Figure, Figure]);
/** A value of a list on a day. */
const ValueRow = v.strictTuple([Day, Value, Figure, Figure, Figure]);

export const BeginImport = v.strictObject({
  siteId: Id,
  source: described(Source, 'The tool that counted.'),
  dimensions: v.pipe(
    v.array(Dimension),
    v.description('The lists that it brings, also those that turn out to be empty.'),
    v.maxLength(IMPORTED_DIMENSIONS.length),
    v.check((names) => new Set(names).size === names.length, 'must have each name once'),
  ),
  contentHash: v.pipe(
    v.string(),
    v.description(
      'Hex SHA-256 of all that will come. An import under way with the same hash is continued, any other one under way is thrown away.',
    ),
    v.regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits in lower case'),
  ),
});
export type BeginImport = v.InferOutput<typeof BeginImport>;

export const OneImport = v.strictObject({ siteId: Id, importId: Id });
export type OneImport = v.InferOutput<typeof OneImport>;

const Piece = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_PIECES));

const isOnce = (rows: readonly (readonly unknown[])[], columns: number): boolean =>
  new Set(rows.map((row) => JSON.stringify(row.slice(0, columns)))).size === rows.length;

export const AddImportPiece = v.pipe(
  v.strictObject({
    siteId: Id,
    importId: Id,
    number: described(Piece, 'From 1. A piece that came before changes nothing.'),
    days: v.optional(
      v.pipe(
        v.array(DayRow),
        v.description('Totals: date in the site’s zone, visitors, visits, page views. Each day once.'),
        v.minLength(1),
        v.maxLength(MAX_PIECE_ROWS),
        v.check((rows) => isOnce(rows, 1), 'must have each day once'),
      ),
    ),
    dimension: v.optional(described(Dimension, 'The list of `values`.')),
    values: v.optional(
      v.pipe(
        v.array(ValueRow),
        v.description(
          'Date, value, visitors, visits, page views (of `event`: events). Of days whose totals came in an earlier piece. Each value of a day once in an import.',
        ),
        v.minLength(1),
        v.maxLength(MAX_PIECE_ROWS),
        v.check((rows) => isOnce(rows, 2), 'must have each value of a day once'),
      ),
    ),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { value } = dataset;
    const refuse = (key: 'days' | 'dimension' | 'values', message: string) =>
      addIssue({
        message,
        path: [{ type: 'object', origin: 'value', input: value as never, key, value: value[key] }],
      });
    if ((value.days === undefined) === (value.values === undefined))
      return refuse('values', 'must be there if `days` is not, and only then');
    if ((value.values === undefined) !== (value.dimension === undefined))
      return refuse('dimension', 'must be there if `values` is, and only then');
    const shape = SHAPES[value.dimension ?? 'event'];
    if (shape !== undefined && value.values?.some(([, text]) => !shape.is(text)) === true)
      refuse('values', `${shape.rule} in the second item of each`);
  }),
);
export type AddImportPiece = v.InferOutput<typeof AddImportPiece>;

export const FinishImport = v.strictObject({
  siteId: Id,
  importId: Id,
  pieces: described(Piece, 'How many pieces it has.'),
});
export type FinishImport = v.InferOutput<typeof FinishImport>;

export const Import = v.object({
  id: Id,
  source: v.string(),
  dimensions: v.array(v.string()),
  state: described(v.picklist(['receiving', 'done']), 'No report shows an import before it is done.'),
  from: v.pipe(v.nullable(v.string()), v.description('Its first day. Null: none came yet.')),
  to: v.pipe(v.nullable(v.string()), v.description('Its last day.')),
  days: described(Count, 'How many days it has: between the first and the last some may be missing.'),
  rows: described(Count, 'Days and values.'),
  pieces: described(Count, 'The number of the last piece that came.'),
  createdAt: Instant,
  finishedAt: v.nullable(Instant),
});
export type Import = v.InferOutput<typeof Import>;

export const ImportDetail = v.object({
  ...Import.entries,
  dates: described(v.array(v.string()), 'Its days.'),
});
export type ImportDetail = v.InferOutput<typeof ImportDetail>;

export const ImportRoom = v.object({
  domain: v.string(),
  domains: described(v.array(v.string()), 'Further domains of the site.'),
  timezone: v.string(),
  from: v.pipe(
    v.nullable(v.string()),
    v.description('The first day that the site’s policy keeps. Null: it keeps all.'),
  ),
  before: described(
    v.string(),
    'Only days before this one can be imported: the day of the site’s own first event, or yesterday.',
  ),
  imports: v.pipe(v.array(Import), v.description('Newest first.')),
});
export type ImportRoom = v.InferOutput<typeof ImportRoom>;
