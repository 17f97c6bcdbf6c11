/** Replaces `../load-parts.ts` in the script that includes every part. */
export { seeClick as clicked } from '../parts/links.ts';
export { measureScroll as measure, seeMoment as notice } from '../parts/measure.ts';
