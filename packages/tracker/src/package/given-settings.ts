/** Replaces `../script-tag.ts` in the package, which has no script element. */
import { dataset } from './settings.ts';

export { dataset, src } from './settings.ts';

export const attributes = Object.keys(dataset).join();

export const { site } = dataset;
