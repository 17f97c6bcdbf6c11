import type * as v from 'valibot';

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  loose_object: 'an object',
  strict_object: 'an object',
  record: 'an object',
};

export const UNKNOWN_FIELD = 'is not a known field';

/** The rule that an issue broke, from the schema alone. valibot prefers a schema's own message to this one. */
export function ruleOf(issue: v.BaseIssue<unknown>): string {
  if (issue.kind === 'schema') {
    if (issue.expected === 'never') return UNKNOWN_FIELD;
    if (issue.path?.at(-1)?.origin === 'key' && issue.received === 'undefined') return 'is required';
    const name = TYPE_NAMES[issue.type];
    if (name !== undefined) return `must be ${name}`;
    return issue.expected === null ? 'is not valid' : `must be ${plain(issue.expected)}`;
  }
  return actionRule(issue, typeof issue.input === 'string' ? 'characters' : 'items');
}

function actionRule({ type, requirement, expected }: v.BaseIssue<unknown>, units: string): string {
  switch (type) {
    case 'min_length':
      return requirement === 1 ? 'must not be empty' : `must have at least ${requirement} ${units}`;
    case 'max_length':
      return `must have at most ${requirement} ${units}`;
    case 'length':
      return `must have exactly ${requirement} ${units}`;
    case 'max_entries':
      return `must have at most ${requirement} fields`;
    case 'non_empty':
      return 'must not be empty';
    case 'min_value':
      return `must be at least ${requirement}`;
    case 'max_value':
      return `must be at most ${requirement}`;
    case 'integer':
      return 'must be a whole number';
    case 'finite':
      return 'must be finite';
    case 'uuid':
      return 'must be a UUID';
    case 'regex':
      return 'has the wrong format';
    default:
      return expected === null ? 'is not valid' : `must be ${plain(expected)}`;
  }
}

/** Makes valibot's `("a" | "b")` readable: `one of "a", "b"`. */
function plain(expected: string): string {
  if (!expected.startsWith('(')) return expected;
  return `one of ${expected.slice(1, -1).replaceAll(' | ', ', ')}`;
}

/** A caller's own key is shown only if it looks like a name; any other key would echo the input. */
const NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/;

/** Joins keys to the `path` of an error detail. */
export function showPath(keys: readonly unknown[]): string {
  return keys.map((key) => (typeof key === 'number' || NAME.test(String(key)) ? String(key) : '*')).join('.');
}
