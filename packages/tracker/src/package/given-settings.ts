/** Takes the place of `../script-tag.ts` in the package: there is no script element. */
import { dataset } from './settings.ts';

export { dataset, src } from './settings.ts';

export const { site } = dataset;
