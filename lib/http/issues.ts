import * as v from 'valibot';
import { DomainError, type ErrorDetail } from '../errors.ts';
import { ruleOf, showPath } from '../rules.ts';

const MAX_DETAILS = 20;

/**
 * Checks `input` and throws `VALIDATION_ERROR` with one detail per broken rule. The messages are ours, because the library's messages
 * contain the input. `nameOf` maps keys to the names that the caller uses.
 */
export function check<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
  nameOf: (keys: readonly unknown[]) => readonly unknown[] = (keys) => keys,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input, { message: ruleOf, abortPipeEarly: true });
  if (result.success) return result.output;
  throw invalid(result.issues.slice(0, MAX_DETAILS).map((issue) => detailOf(issue, nameOf)));
}

export function invalid(details: ErrorDetail[]): DomainError {
  return new DomainError('VALIDATION_ERROR', 'The request breaks the rules named in `details`.', { details });
}

function detailOf(
  issue: v.BaseIssue<unknown>,
  nameOf: (keys: readonly unknown[]) => readonly unknown[],
): ErrorDetail {
  const keys = (issue.path ?? []).map((item) => item.key);
  return { path: showPath(nameOf(keys)), message: issue.message };
}
