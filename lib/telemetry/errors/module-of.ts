import { isRandom } from './text-template.ts';

/** The last steps of a path say where code is; what is before them differs between machines. */
const KEPT_STEPS = 3;
const MAX_STEP = 64;
const ORIGIN =
  /^(?:webpack-internal:\/\/\/|webpack:\/\/[^/]{0,100}\/|file:\/\/|[a-z][a-z+.-]{1,30}:\/\/[^/]{0,260})/i;

/**
 * The end of a file's path, without what a build or a release puts into it: `https://shop.example/assets/cart-BZx81kQe.js?v=2` is
 * `assets/cart-*.js`.
 */
export function moduleOf(path: string): string {
  const plain = path
    .replace(ORIGIN, '')
    .replace(/[?#].*$/, '')
    .replaceAll('\\', '/');
  return plain
    .split('/')
    .filter((step) => step !== '' && step !== '.' && step !== '..' && !/^[A-Za-z]:$/.test(step))
    .slice(-KEPT_STEPS)
    .map(withoutVariable)
    .join('/');
}

/** A step of a path with `*` for hashes, dates and versions. */
const withoutVariable = (step: string): string =>
  step
    .slice(0, MAX_STEP)
    .split(/([.\-_@~+ ])/)
    .map((part) => (isVariable(part) ? '*' : part))
    .join('')
    .replaceAll(/\*(?:[.\-_@~+ ]\*)+/g, '*');

/** A hash has digits among its letters; `oauth2` is a word. */
const isVariable = (part: string): boolean =>
  /^\d+$/.test(part) ||
  /\d{3}/.test(part) ||
  (part.length >= 6 && /\d/.test(part) && !/^[a-z]+\d{1,2}$/.test(part)) ||
  isRandom(part);
