import * as v from 'valibot';
import { DomainError, type ErrorDetail } from '../errors.ts';

const MAX_DETAILS = 20;
/** A caller's own key appears in `path` only if it looks like a name; anything else would echo the input. */
const NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/;

/**
 * Checks `input` and throws `VALIDATION_ERROR` with one detail for each broken rule. Messages are ours: the library's
 * own contain what was received.
 */
export function check<Schema extends v.GenericSchema>(schema: Schema, input: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input, { message: ruleOf, abortPipeEarly: true });
  if (result.success) return result.output;
  throw invalid(result.issues.slice(0, MAX_DETAILS).map(detailOf));
}

export function invalid(details: ErrorDetail[]): DomainError {
  return new DomainError('VALIDATION_ERROR', 'The request breaks the rules named in `details`.', { details });
}

function detailOf(issue: v.BaseIssue<unknown>): ErrorDetail {
  const keys = (issue.path ?? []).map((item) => item.key);
  return { path: showPath(keys), message: issue.message };
}

/** Keys as a `path` of an error detail. */
export function showPath(keys: readonly unknown[]): string {
  return keys.map((key) => (typeof key === 'number' || NAME.test(String(key)) ? String(key) : '*')).join('.');
}

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

/** The rule that an issue broke, from the schema alone. A schema's own message is preferred by valibot before this. */
export function ruleOf(issue: v.BaseIssue<unknown>): string {
  if (issue.kind === 'schema') {
    if (issue.expected === 'never') return 'is not a known field';
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

/** `("a" | "b")` as valibot writes it, for people: `one of "a", "b"`. */
function plain(expected: string): string {
  if (!expected.startsWith('(')) return expected;
  return `one of ${expected.slice(1, -1).replaceAll(' | ', ', ')}`;
}
