import { wordsOf } from './folded-words.ts';

/**
 * Makes the ids of a text's headings, in their order: `Before you begin` becomes `before-you-begin`, and a second one
 * `before-you-begin-2`. A heading without letters and digits is `section`.
 */
export function createHeadingIds(): (heading: string) => string {
  const taken = new Set<string>();
  return (heading) => {
    const base = wordsOf(heading).join('-') || 'section';
    let id = base;
    for (let count = 2; taken.has(id); count += 1) id = `${base}-${count}`;
    taken.add(id);
    return id;
  };
}
