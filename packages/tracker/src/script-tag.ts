import { own } from './own.ts';
import { safe } from './safe.ts';

/** The script's own element. Its attributes are the only settings. A module has no `currentScript`. */
const find = (): unknown =>
  own('currentScript') ?? own('querySelector').call(document, 'script[type=module][data-site]');

/** Without an element there is no site. */
export const { src, dataset = {} } = (safe(find)() ?? {}) as Partial<HTMLScriptElement>;

/** The names of the attributes. */
export let attributes = '';
for (const name in dataset) attributes += name + ',';

export const { site } = dataset;
