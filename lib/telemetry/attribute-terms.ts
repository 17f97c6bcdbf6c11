import type { AttributeFilter } from './question-schemas.ts';

const NUMBER = /^-?(?:0|[1-9]\d{0,17})(?:\.\d{1,17})?$/;

/**
 * A jsonpath predicate that holds for documents with all of these attributes, in the pieces between which its root stands, so that
 * the database puts it under another one; null for no filter. A text that reads as a number or as true or false is that too, and
 * a list matches if one of its items does. Keys must have neither control characters nor lone surrogates.
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

/** Filters as `meta` repeats them: attributes by what they are asked by. */
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
