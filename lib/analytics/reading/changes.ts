import type { ChangesUnknown } from '../answers/schemas.ts';

/** Two ranges, as far as a change from one to the other is about them. */
interface Ranges {
  /** Whether anything was observed in the range. */
  observed: boolean;
  /** When collection began. */
  since: string | null;
  /** The other range. `rows` null: a share withholds them. */
  compared: { from: string; observed: boolean; rows: unknown };
}

/** Why changes between two ranges say nothing (docs/reports.md#changes). Undefined: they do. */
export function whyUnknown({ observed, since, compared }: Ranges): ChangesUnknown | undefined {
  if (!observed) return 'notObserved';
  if (!compared.observed) return 'comparedNotObserved';
  if (since !== null && Date.parse(since) > Date.parse(compared.from)) return 'comparedPartly';
  return compared.rows === null ? 'comparedWithheld' : undefined;
}
