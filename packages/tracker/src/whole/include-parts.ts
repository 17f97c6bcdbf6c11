/** Takes the place of `../load-parts.ts` in the script that has everything: nothing is left to load. */
export { seeClick as clicked } from '../parts/links.ts';
export { measureScroll as measure, seeMoment as notice } from '../parts/measure.ts';
