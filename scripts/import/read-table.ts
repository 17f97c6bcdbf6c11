import { pipeline, Readable } from 'node:stream';
import { CsvError, type Info, parse } from 'csv-parse';
import { type ExportFile, tellName } from './export-files.ts';
import { ImportProblem } from './import-problem.ts';

/** A row of a table, with cells by column name. */
export interface Row {
  /** The text of a column; '' if the file lacks the column. */
  get: (column: string) => string;
  /** Cells beyond those of the header. */
  more: readonly string[];
  /** Makes a problem of this row from a broken rule. */
  problem: (rule: string, column?: string) => ImportProblem;
}

export interface TableOptions {
  /** Skips lines that begin with `#`, before the header and between rows. */
  comments?: boolean;
  /** Validates the header and returns the column names for the rows. Default: the header's own names. */
  name?: (header: readonly string[], problem: (rule: string) => ImportProblem) => readonly string[];
  /** Accepts rows that are longer or shorter than the header. */
  allowRagged?: boolean;
  onBytes?: (bytes: number) => void;
}

/** Enough for any row of these exports. Limits memory for a file without line ends. */
const MAX_ROW_LENGTH = 64 * 1024;
const MAX_COLUMNS = 200;

const RULES: Partial<Record<CsvError['code'], string>> = {
  CSV_MAX_RECORD_SIZE: `a row must have at most ${MAX_ROW_LENGTH} characters; a quote may not be closed before`,
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'after a closing quote a comma or the end of the row must follow',
  INVALID_OPENING_QUOTE: 'a quote must stand at the beginning of its cell',
};

/**
 * Reads a CSV file (RFC 4180, UTF-8 with or without a byte order mark) of any size row by row.
 *
 * @throws ImportProblem at the first fault
 */
export async function readTable(
  file: ExportFile,
  options: TableOptions,
  onRow: (row: Row) => void,
): Promise<void> {
  const name = tellName(file.name);
  let places: Map<string, number> | undefined;
  let width = 0;
  let line: number | undefined;
  try {
    for await (const record of recordsOf(await file.open(), options)) {
      const { cells } = record;
      line = record.line;
      const problem = (rule: string, column?: string) =>
        new ImportProblem({ file: name, line: record.line, column }, rule);
      if (places === undefined) {
        width = cells.length;
        places = placesOf(cells, options, problem);
        continue;
      }
      if (cells.length !== width && options.allowRagged !== true)
        throw problem(`must have ${width} cells as the header has, and has ${cells.length}`);
      const known = places;
      onRow({
        get: (column) => cells[known.get(column) ?? -1] ?? '',
        more: cells.slice(width),
        problem,
      });
    }
  } catch (error) {
    throw toProblem(error, name, line);
  }
  if (places === undefined) throw new ImportProblem({ file: name }, 'must have a header');
}

function placesOf(
  header: readonly string[],
  { name }: TableOptions,
  problem: (rule: string) => ImportProblem,
): Map<string, number> {
  if (header.length > MAX_COLUMNS) throw problem(`must have at most ${MAX_COLUMNS} columns`);
  const names = name?.(header, problem) ?? header;
  if (new Set(names).size < names.length) throw problem('each column must stand in the header once');
  return new Map(names.map((text, place) => [text, place]));
}

interface CsvRecord {
  cells: string[];
  line: number;
}

async function* recordsOf(
  stream: Readable,
  { comments = false, onBytes }: TableOptions,
): AsyncGenerator<CsvRecord> {
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_LENGTH,
    ...(comments && { comment: '#', comment_no_infix: true }),
  });
  pipeline(Readable.from(decode(stream, onBytes)), parser, () => {});
  for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
    // The parser counts lines to the end of the row; a cell may span several lines.
    const spanned = record.reduce(
      (lines, cell) => lines + (cell.includes('\n') ? cell.split('\n').length - 1 : 0),
      0,
    );
    yield { cells: record, line: info.lines - spanned };
  }
}

async function* decode(stream: Readable, onBytes: TableOptions['onBytes']): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for await (const chunk of stream) {
    onBytes?.(chunk.length);
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder.decode();
}

function toProblem(error: unknown, file: string, lastLine: number | undefined): unknown {
  if (error instanceof ImportProblem) return error;
  const after = lastLine === undefined ? undefined : lastLine + 1;
  if (error instanceof CsvError) {
    const { code, lines } = error as CsvError & { lines?: number };
    return new ImportProblem({ file, line: lines ?? after }, RULES[code] ?? 'must be CSV by RFC 4180');
  }
  if (
    error instanceof TypeError &&
    (error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
  )
    return new ImportProblem({ file }, 'must be UTF-8');
  return error instanceof Error && isReading(error)
    ? new ImportProblem({ file }, "can't be read to the end: it is broken or was cut off")
    : error;
}

/** Errors of files and archives. Any other error is a defect of this program. */
const isReading = (error: Error): boolean => 'code' in error || error.constructor === Error;
