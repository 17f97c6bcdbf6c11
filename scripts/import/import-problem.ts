export interface ProblemPlace {
  /** As `tellName` has it. */
  file: string;
  /** From 1, with comments and the header. */
  line?: number | undefined;
  /** By its header. */
  column?: string | undefined;
}

/** What is wrong with an export: where, and the rule that it breaks. Never holds what stands there. */
export class ImportProblem extends Error {
  constructor({ file, line, column }: ProblemPlace, rule: string) {
    const place = [
      file,
      line === undefined ? '' : `line ${line}`,
      column === undefined ? '' : `column "${column}"`,
    ].filter((part) => part !== '');
    super(`${place.join(', ')}: ${rule}`);
    this.name = 'ImportProblem';
  }
}
