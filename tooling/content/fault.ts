/** A rule that a file of `content/` breaks. */
import { compareText } from './compare-text.ts';

/** Line and column, both from 1. */
export interface Position {
  line: number;
  column: number;
}

export interface Fault extends Position {
  /** Path from the content folder's name on, with slashes: `content/services/online-shop.yaml`. */
  file: string;
  /** A field such as `languages.es.title`, or `body`; empty for a fault of the whole file. */
  field: string;
  rule: string;
}

export type Report = (fault: Fault) => void;

export const FILE_START: Position = { line: 1, column: 1 };

/** Thrown once with all faults, ordered by file and line. */
export class ContentFaults extends Error {
  override readonly name = 'ContentFaults';
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    const sorted = sortFaults(faults);
    super(sorted.map(showFault).join('\n'));
    this.faults = sorted;
  }
}

export const sortFaults = (faults: readonly Fault[]): Fault[] =>
  faults.toSorted((a, b) => compareText(a.file, b.file) || a.line - b.line || a.column - b.column);

/** A line for people. */
export const showFault = ({ file, line, column, field, rule }: Fault): string =>
  `${file}:${line}:${column}${field && ` ${field}`}: ${rule}`;
