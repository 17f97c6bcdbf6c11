/** Writes tables and functions as a document in SQL. */
import type { FunctionsOfFile } from './read-functions.ts';
import type { Column, Table } from './read-tables.ts';

const WIDTH = 120;

/** PostgreSQL's long names of types, and the short ones that `schema/` uses. */
const SHORT_TYPES: readonly (readonly [long: RegExp, short: string])[] = [
  [/timestamp with time zone/g, 'timestamptz'],
  [/timestamp without time zone/g, 'timestamp'],
  [/character varying/g, 'varchar'],
];

export const renderSchema = (tables: readonly Table[], files: readonly FunctionsOfFile[]): string =>
  [
    heading('Tables'),
    ...tables.map(renderTable),
    heading('Functions, by file'),
    ...files.filter(({ functions }) => functions.length > 0).map(renderFile),
  ].join('\n\n');

const heading = (text: string): string => `-- ${'-'.repeat(20)} ${text} ${'-'.repeat(20)}`;

function renderTable({ name, comment, columns, constraints, partitionedBy, indexes }: Table): string {
  const parts = [
    ...columns.map(renderColumn),
    ...constraints.map((constraint) => `  ${shorten(constraint)}`),
  ];
  const partition = partitionedBy === null ? '' : ` partition by ${shorten(partitionedBy)}`;
  return [
    ...(comment === null ? [] : commentLines(comment, '')),
    `create table ${name} (`,
    parts.join(',\n'),
    `)${partition};`,
    ...indexes.map((index) => `${shortenIndex(index)};`),
  ].join('\n');
}

const renderColumn = ({ name, definition, comment }: Column): string =>
  [...(comment === null ? [] : commentLines(comment, '  ')), `  ${name} ${shorten(definition)}`].join('\n');

function renderFile({ file, functions }: FunctionsOfFile): string {
  const heads = functions.map(({ comment, head }) => [...comment, `function ${head};`].join('\n'));
  return [heading(file), ...heads].join('\n\n');
}

/** As `schema/` writes it: keywords in small letters, short names of types, no cast of a text to text. */
const shorten = (text: string): string =>
  text
    .split(/('(?:[^']|'')*')/)
    .map((part, index) => (index % 2 === 1 ? part : shortenWords(part)))
    .join('');

const shortenWords = (part: string): string =>
  SHORT_TYPES.reduce((short, [long, name]) => short.replace(long, name), part)
    .replace(/\b[A-Z]{2,}\b/g, (keyword) => keyword.toLowerCase())
    .replace(/^::text\b(?!\[)/, '');

/** The schema's name says nothing here, and B-trees are the default. */
const shortenIndex = (index: string): string =>
  shorten(index)
    .replace(/ on (only )?public\./, ' on ')
    .replace(' using btree ', ' ');

/** A comment of SQL in lines of at most `WIDTH`. */
function commentLines(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = `${indent}--`;
  for (const word of text.split(/\s+/)) {
    if (line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = `${indent}--`;
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}
