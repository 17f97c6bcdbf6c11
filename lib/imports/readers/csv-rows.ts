/** Reads CSV (RFC 4180) that comes in parts, in browsers and on servers alike. */

export interface CsvRow {
  cells: string[];
  /** The line on which the row begins, from 1. */
  line: number;
}

/** A broken rule of CSV, and the line on which the row begins. */
export class CsvFault extends Error {
  override name = 'CsvFault';
  readonly line: number;

  constructor(rule: string, line: number) {
    super(rule);
    this.line = line;
  }
}

/** Enough for any row of these exports. Limits memory for a file without line ends. */
const MAX_ROW_LENGTH = 64 * 1024;

/** `end` is where the next row begins. Undefined instead of a row: more text is needed. */
interface Found {
  cells: string[] | undefined;
  end: number;
}

/** Rows end with CRLF, LF or CR. Empty lines are skipped, and with `comments` lines that begin with `#`. */
export class CsvRows {
  readonly #comments: boolean;
  #text = '';
  #line = 1;
  #isStart = true;
  #isEnd = false;

  constructor({ comments = false }: { comments?: boolean | undefined } = {}) {
    this.#comments = comments;
  }

  /** The rows that are complete with this part. */
  add(part: string): Iterable<CsvRow> {
    this.#text += part;
    if (this.#isStart && this.#text !== '') {
      this.#isStart = false;
      if (this.#text.startsWith('\ufeff')) this.#text = this.#text.slice(1);
    }
    return this.#rows();
  }

  /** The row that has no line end, if there is one. */
  end(): Iterable<CsvRow> {
    this.#isEnd = true;
    return this.#rows();
  }

  *#rows(): Iterable<CsvRow> {
    const text = this.#text;
    let at = 0;
    while (at < text.length) {
      const found = this.#next(at);
      if ((found?.end ?? text.length) - at > MAX_ROW_LENGTH)
        throw this.#fault(
          `a row must have at most ${MAX_ROW_LENGTH} characters; a quote may not be closed before`,
        );
      if (found === undefined) break;
      const line = this.#line;
      this.#line += countLines(text, at, found.end);
      at = found.end;
      if (found.cells !== undefined) yield { cells: found.cells, line };
    }
    this.#text = text.slice(at);
  }

  #next(at: number): Found | undefined {
    const text = this.#text;
    const isComment = this.#comments && text[at] === '#';
    const edge = findEdge(isComment ? LINE_END : QUOTE_OR_LINE_END, text, at);
    if (text[edge] === '"') return this.#quoted(at);
    const end = this.#lineEnd(edge);
    if (end === undefined) return undefined;
    return { cells: isComment || edge === at ? undefined : text.slice(at, edge).split(','), end };
  }

  /** A row that has a quote. */
  #quoted(start: number): Found | undefined {
    const text = this.#text;
    const cells: string[] = [];
    for (let at = start; ; at += 1) {
      if (text[at] === '"') {
        const cell = this.#quotedCell(at);
        if (cell === undefined) return undefined;
        cells.push(cell.text);
        at = cell.end;
      } else {
        const edge = findEdge(CELL_END, text, at);
        if (text[edge] === '"') throw this.#fault('a quote must stand at the beginning of its cell');
        cells.push(text.slice(at, edge));
        at = edge;
      }
      if (text[at] === ',') continue;
      const end = this.#lineEnd(at);
      if (end === undefined) return undefined;
      if (end === at && at < text.length)
        throw this.#fault('after a closing quote a comma or the end of the row must follow');
      return { cells, end };
    }
  }

  #quotedCell(start: number): { text: string; end: number } | undefined {
    const text = this.#text;
    let [cell, from] = ['', start + 1];
    for (;;) {
      const close = text.indexOf('"', from);
      if (close === -1 && this.#isEnd) throw this.#fault('a quote is not closed');
      if (close === -1 || (close + 1 === text.length && !this.#isEnd)) return undefined;
      cell += text.slice(from, close);
      if (text[close + 1] !== '"') return { text: cell, end: close + 1 };
      cell += '"';
      from = close + 2;
    }
  }

  /** The index after the line end at `at`; `at` itself if there is no line end. */
  #lineEnd(at: number): number | undefined {
    const text = this.#text;
    if (at >= text.length) return this.#isEnd ? at : undefined;
    if (text[at] === '\n') return at + 1;
    if (text[at] !== '\r') return at;
    if (at + 1 === text.length && !this.#isEnd) return undefined;
    return text[at + 1] === '\n' ? at + 2 : at + 1;
  }

  #fault(rule: string): CsvFault {
    return new CsvFault(rule, this.#line);
  }
}

const LINE_END = /[\r\n]/g;
const QUOTE_OR_LINE_END = /["\r\n]/g;
const CELL_END = /[",\r\n]/g;

function findEdge(edge: RegExp, text: string, from: number): number {
  edge.lastIndex = from;
  return edge.exec(text)?.index ?? text.length;
}

function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = findEdge(LINE_END, text, from); at < to; at = findEdge(LINE_END, text, at + 1))
    if (text[at] === '\n' || text[at + 1] !== '\n') lines += 1;
  return lines;
}
