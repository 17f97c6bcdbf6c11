import { CsvFault, type CsvRow, CsvRows } from './csv-rows.ts';
import { type ExportFile, tellName } from './export-file.ts';
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

const MAX_COLUMNS = 200;

/**
 * Reads a CSV file (RFC 4180, UTF-8 with or without a byte order mark) of any size row by row. `onRow` gets each row, or the problem of
 * one that has too many or too few cells.
 *
 * @throws ImportProblem at the first fault of the file itself
 */
export async function readTable(
  file: ExportFile,
  options: TableOptions,
  onRow: (row: Row | ImportProblem) => void,
): Promise<void> {
  const name = tellName(file.name);
  const table = new Table(name, options, onRow);
  const rows = new CsvRows(options);
  try {
    for await (const part of textOf(file, name, options.onBytes)) table.add(rows.add(part));
    table.add(rows.end());
  } catch (error) {
    throw error instanceof CsvFault
      ? new ImportProblem({ file: name, line: error.line }, error.message)
      : error;
  }
  if (!table.hasHeader) throw new ImportProblem({ file: name }, 'must have a header');
}

class Table {
  readonly #name: string;
  readonly #options: TableOptions;
  readonly #onRow: (row: Row | ImportProblem) => void;
  #indexes: Map<string, number> | undefined;
  #width = 0;

  constructor(name: string, options: TableOptions, onRow: (row: Row | ImportProblem) => void) {
    this.#name = name;
    this.#options = options;
    this.#onRow = onRow;
  }

  get hasHeader(): boolean {
    return this.#indexes !== undefined;
  }

  add(rows: Iterable<CsvRow>): void {
    for (const { cells, line } of rows) {
      const problem = (rule: string, column?: string) =>
        new ImportProblem({ file: this.#name, line, column }, rule);
      if (this.#indexes === undefined) {
        this.#width = cells.length;
        this.#indexes = indexesOf(cells, this.#options, problem);
      } else this.#onRow(this.#rowOf(cells, this.#indexes, problem));
    }
  }

  #rowOf(cells: string[], indexes: Map<string, number>, problem: Row['problem']): Row | ImportProblem {
    const width = this.#width;
    if (cells.length !== width && this.#options.allowRagged !== true)
      return problem(`must have ${width} cells as the header has, and has ${cells.length}`);
    return {
      get: (column) => cells[indexes.get(column) ?? -1] ?? '',
      more: cells.slice(width),
      problem,
    };
  }
}

function indexesOf(
  header: readonly string[],
  { name }: TableOptions,
  problem: (rule: string) => ImportProblem,
): Map<string, number> {
  if (header.length > MAX_COLUMNS) throw problem(`must have at most ${MAX_COLUMNS} columns`);
  const names = name?.(header, problem) ?? header;
  if (new Set(names).size < names.length) throw problem('each column must stand in the header once');
  return new Map(names.map((text, index) => [text, index]));
}

async function* textOf(
  file: ExportFile,
  name: string,
  onBytes: TableOptions['onBytes'],
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const decode = (chunk?: Uint8Array): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      throw new ImportProblem({ file: name }, 'must be UTF-8');
    }
  };
  for await (const chunk of bytesOf(file, name)) {
    onBytes?.(chunk.length);
    yield decode(chunk);
  }
  yield decode();
}

/** The bytes of a file. Whatever stops the reading is a fault of the file. */
async function* bytesOf(file: ExportFile, name: string): AsyncGenerator<Uint8Array> {
  const broken = () => {
    throw new ImportProblem({ file: name }, "can't be read to the end: it is broken or was cut off");
  };
  const source = (await file.open().catch(broken))[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await source.next().catch(broken);
      if (done === true) return;
      yield value;
    }
  } finally {
    await source.return?.();
  }
}
