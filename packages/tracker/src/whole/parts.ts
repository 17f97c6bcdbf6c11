/** Takes the place of `../parts.ts` in the script that has everything: nothing is left to load. */
import { seeClick } from '../parts/links.ts';
import { tier } from '../policy.ts';

export { seeMoment as notice } from '../parts/measure.ts';

export const clicked = (event: Event): void => {
  if (tier !== 0) seeClick(event, event.composedPath());
};

/** Tier 3 was reached. What measures finds that out by itself. */
export const measure = (): void => {};
