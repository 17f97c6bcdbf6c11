import { type ExportFile, tellName } from '../../lib/imports/readers/export-file.ts';
import type { ReadProgress } from '../../lib/imports/readers/export-reader.ts';

export interface Progress extends ReadProgress {
  /** Number of rows written to the database. */
  onWritten: (rows: number) => void;
  /** Ends the line. */
  done: () => void;
}

interface Terminal {
  isTTY?: boolean;
  write: (text: string) => unknown;
}

const INTERVAL_MS = 200;

/** Overwrites one line of a terminal; prints nothing if the output isn't a terminal. */
export function showProgress(
  terminal: Terminal,
  of: { bytes: number; rows: () => number },
  now: () => number = () => performance.now(),
): Progress {
  if (terminal.isTTY !== true) return { onWritten: () => {}, done: () => {} };
  let [name, bytes, rows, written, shownAt] = ['', 0, 0, 0, Number.NEGATIVE_INFINITY];
  const start = now();
  let writingSince = 0;
  const show = (force = false) => {
    const at = now();
    if (!force && at - shownAt < INTERVAL_MS) return;
    shownAt = at;
    const reading = `reading ${percent(bytes, of.bytes)} ${name} ${perSecond(rows, at - start)}`;
    const writing = `writing ${percent(written, of.rows())} ${perSecond(written, at - writingSince)}`;
    terminal.write(`\r\u001b[K${written > 0 ? writing : reading}`);
  };
  return {
    onFile: (file: ExportFile) => {
      name = tellName(file.name);
      show(true);
    },
    onBytes: (count) => {
      bytes += count;
      show();
    },
    onRow: () => {
      rows += 1;
    },
    onWritten: (count) => {
      writingSince ||= now();
      written += count;
      show();
    },
    done: () => terminal.write('\r\u001b[K'),
  };
}

const percent = (part: number, whole: number): string =>
  `${whole === 0 ? 100 : Math.min(100, Math.floor((100 * part) / whole))} %`;

const perSecond = (rows: number, ms: number): string =>
  `${rows} rows${ms < 1 ? '' : `, ${Math.round((1000 * rows) / ms)}/s`}`;
