import { compact, exact } from '../../format.ts';
import type { Drawn, Metric } from '../../state/site-query.ts';

/** A figure of a range or of a part of it. Without visits there are no views per visit: the API too says 0 where it can't divide. */
export const figureOf = (figures: Record<Metric, number>, drawn: Drawn): number =>
  drawn !== 'viewsPerVisit' ? figures[drawn] : figures.visits === 0 ? 0 : figures.pageviews / figures.visits;

/** How it is shown: counts are shortened, and a quotient keeps two digits. */
export const formatOf = (drawn: Drawn): ((value: number) => string) =>
  drawn === 'viewsPerVisit' ? exact : compact;
