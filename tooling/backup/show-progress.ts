const EVERY_MS = 2_000;

export interface Progress {
  table: string;
  /** `3 of 120` tables, or `40 %` of the file. */
  position: string;
  /** Of all tables so far. */
  rows: number;
}

/** Called often. */
export type OnProgress = (progress: Progress) => void;

/** Writes a line now and then. */
export function showProgress(report: (line: string) => void): OnProgress {
  let shownAt = performance.now();
  return ({ table, position, rows }) => {
    if (performance.now() - shownAt < EVERY_MS) return;
    shownAt = performance.now();
    report(`  ${position}: ${table}, ${rows.toLocaleString('en')} rows so far`);
  };
}
