import type { AttributeFilter } from './question-schemas.ts';

const NUMBER = /^-?(?:0|[1-9]\d{0,17})(?:\.\d{1,17})?$/;

/**
 * A jsonpath predicate for documents that have all of these attributes; null for no filter. Returned in pieces: the caller puts the
 * root of the path between them. A text that reads as a number or a boolean also matches that number or boolean, and a list matches if
 * one of its items does. Keys must contain neither control characters nor lone surrogates.
 */
export function attributeTerms(filter: AttributeFilter): string[] | null {
  const pieces = [''];
  for (const [key, text] of Object.entries(filter)) {
    const alternatives = [JSON.stringify(text), ...(isPlain(text) ? [text] : [])];
    for (const [at, value] of alternatives.entries()) {
      const before = at === 0 ? (pieces.length === 1 ? '(' : ') && (') : ' || ';
      pieces[pieces.length - 1] += before;
      pieces.push(`.${JSON.stringify(key)} == ${value}`);
    }
  }
  if (pieces.length === 1) return null;
  pieces[pieces.length - 1] += ')';
  return pieces;
}

const isPlain = (text: string): boolean => text === 'true' || text === 'false' || NUMBER.test(text);

/** The filters as `meta` repeats them, with the names of the query's parameters. */
export const shownFilters = <Filters extends { attributes: AttributeFilter; resource: AttributeFilter }>({
  attributes,
  resource,
  ...others
}: Filters): Record<string, unknown> => ({
  ...others,
  ...named('attr', attributes),
  ...named('resource', resource),
});

const named = (prefix: 'attr' | 'resource', filter: AttributeFilter): Record<string, string> =>
  Object.fromEntries(Object.entries(filter).map(([key, value]) => [`${prefix}.${key}`, value]));
