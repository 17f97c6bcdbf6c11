export interface ProblemLocation {
  /** The file's name, printable by `tellName`. */
  file: string;
  /** From 1, counting comments and the header. */
  line?: number | undefined;
  /** The column's name in the header. */
  column?: string | undefined;
}

/** A fault of an export: its location and the broken rule. It never contains the value itself. */
export class ImportProblem extends Error {
  readonly location: ProblemLocation;
  readonly rule: string;

  constructor(location: ProblemLocation, rule: string) {
    const { file, line, column } = location;
    const parts = [
      file,
      line === undefined ? '' : `line ${line}`,
      column === undefined ? '' : `column "${column}"`,
    ].filter((part) => part !== '');
    super(`${parts.join(', ')}: ${rule}`);
    this.name = 'ImportProblem';
    this.location = location;
    this.rule = rule;
  }
}
