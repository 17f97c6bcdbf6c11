import { compact, count, duration, exact, percent } from '../../format.ts';
import type { Drawn, Metric } from '../../state/site-query.ts';

/** What only consented visits tell. Null: none of these visits is consented. */
type Measured = Record<'bounceRate' | 'avgDuration', number | null>;

/** A figure of a range or of a part of it. Without visits there are no views per visit: the API too says 0 where it can't divide. */
export function figureOf(figures: Record<Metric, number> & Measured, drawn: Drawn): number | null {
  if (drawn !== 'viewsPerVisit') return figures[drawn];
  return figures.visits === 0 ? 0 : figures.pageviews / figures.visits;
}

const FORMATS: Partial<Record<Drawn, (value: number) => string>> = {
  viewsPerVisit: exact,
  bounceRate: percent,
  avgDuration: duration,
};

/** How it is shown: counts are shortened, and a quotient keeps two digits. */
export const formatOf = (drawn: Drawn): ((value: number) => string) => formatIn(drawn, compact);

/** The same for a row of figures. */
export const countOf = (drawn: Drawn): ((value: number) => string) => formatIn(drawn, count);

/** The same, with counts in full. */
export const exactOf = (drawn: Drawn): ((value: number) => string) => formatIn(drawn, exact);

function formatIn(drawn: Drawn, counts: (value: number) => string): (value: number) => string {
  const format = FORMATS[drawn] ?? counts;
  return (value) => format(value);
}
