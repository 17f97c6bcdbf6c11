/** A rule that a file of `content/` breaks. */
import { compareText } from './compare-text.ts';

/** Both from 1. */
export interface Place {
  line: number;
  column: number;
}

export interface Fault extends Place {
  /** From the content folder's own name on, with slashes: `content/services/online-shop.yaml`. */
  file: string;
  /** `languages.es.title`, `body`, or nothing if it is about the file. */
  field: string;
  rule: string;
}

export type Report = (fault: Fault) => void;

export const FILE_START: Place = { line: 1, column: 1 };

/** Thrown once for all that is broken, in the order of files and lines. */
export class ContentFaults extends Error {
  override readonly name = 'ContentFaults';
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    const sorted = faults.toSorted(
      (a, b) => compareText(a.file, b.file) || a.line - b.line || a.column - b.column,
    );
    super(sorted.map(showFault).join('\n'));
    this.faults = sorted;
  }
}

const showFault = ({ file, line, column, field, rule }: Fault): string =>
  `${file}:${line}:${column}${field && ` ${field}`}: ${rule}`;
