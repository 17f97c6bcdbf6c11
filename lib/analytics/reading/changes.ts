import type { ChangesUnknown } from '../answers/schemas.ts';

/** Two ranges, as far as a change from one to the other is about them. */
interface Ranges {
  /** Whether anything was observed in the range. */
  observed: boolean;
  /** When collection began. */
  since: string | null;
  /** The other range. `rows` null: a share withholds them. */
  compared: { from: string; to: string; observed: boolean; rows: unknown };
  /** Whether somebody asked for this comparison, and so sees the figures of the other range too. */
  isAsked: boolean;
}

/** Why changes between two ranges say nothing (docs/reports.md#changes). Undefined: they do. */
export function whyUnknown({ observed, since, compared, isAsked }: Ranges): ChangesUnknown | undefined {
  if (!observed) return 'notObserved';
  if (!compared.observed) return 'comparedNotObserved';
  const [from, to] = [Date.parse(compared.from), Date.parse(compared.to)];
  if (!isAsked && since !== null && Date.parse(since) > (from + to) / 2) return 'comparedPartly';
  return compared.rows === null ? 'comparedWithheld' : undefined;
}
