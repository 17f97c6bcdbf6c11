/** The headers of an answer as `writeHead` gets them: an object, names and values in turns, or pairs. Together with those set before. */
import type { ServerResponse } from 'node:http';

/** What `writeHead` was given. `undefined`: none. */
export type Given = Readonly<Record<string, unknown>> | readonly unknown[] | undefined;

const isPairs = (given: readonly unknown[]): given is [unknown, unknown][] => Array.isArray(given[0]);

function pairsOf(given: Given): (readonly [name: unknown, value: unknown])[] {
  if (given === undefined) return [];
  if (!Array.isArray(given)) return Object.entries(given);
  if (isPairs(given)) return given;
  return Array.from(
    { length: given.length / 2 },
    (_, index) => [given[index * 2], given[index * 2 + 1]] as const,
  );
}

const isNamed = (name: unknown, wanted: string): boolean =>
  typeof name === 'string' && name.length === wanted.length && name.toLowerCase() === wanted;

/**
 * The value of a header, named in small letters, as the answer would have it; several are joined. `undefined`: there is none. Throws where
 * `writeHead` refuses the value, or may.
 */
export function readHeader(response: ServerResponse, given: Given, name: string): string | undefined {
  const values = pairsOf(given).flatMap(([own, value]) => (isNamed(own, name) ? [value] : []));
  if (values.length === 0) {
    const set = response.getHeader(name);
    if (set === undefined) return undefined;
    values.push(set);
  }
  const texts = values.flat();
  if (!texts.every((text) => typeof text === 'string' || typeof text === 'number'))
    throw new TypeError(`${name} is no text`);
  return texts.join(', ');
}

/** The same headers in the same form, with others instead of those that have their names. */
export function replaceHeaders(
  given: Given,
  others: readonly (readonly [name: string, value: string])[],
): Given {
  const names = others.map(([name]) => name.toLowerCase());
  const kept = pairsOf(given).filter(([own]) => !names.some((name) => isNamed(own, name)));
  const all = [...kept, ...others];
  if (!Array.isArray(given)) return Object.fromEntries(all);
  return isPairs(given) ? all : all.flat(1);
}
