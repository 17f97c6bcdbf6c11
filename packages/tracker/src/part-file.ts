import type { Core, Part } from './part-types.ts';
import { site, src } from './script-tag.ts';

/** What parts are given. */
let core: Core;

export const setCore = (...given: Core): void => {
  core = given;
};

/** Of what core and parts give each other: a part that the browser still has of an earlier version isn't taken. */
const VERSION = 3;

const loading: Record<string, Promise<unknown>> = {};

/**
 * Loads a part, once. It comes from the script's own folder, so that a proxy serves it too. The site in the fragment gives each site of a
 * page a module of its own. Resolves to what the part returns; to nothing where it doesn't load.
 */
export const load = (name: string): Promise<unknown> =>
  (loading[name] ??= (async () => {
    const address = new URL(name + '.js?' + VERSION + '#' + site, src).href;
    // An import delays the page's load event until it is done; from the cache it takes no time.
    await fetch(address);
    const part: { default: Part } = await import(address);
    return part.default(...core);
  })().catch(() => {}));
