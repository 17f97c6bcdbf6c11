import { createContext } from 'preact';
import { useContext, useId } from 'preact/hooks';
import { ApiError, type ErrorDetail } from '../api/operation.ts';
import { words } from '../words/index.ts';

/** What the service refused of a form, by the field that shows it. */
type Refused = ReadonlyMap<string, ErrorDetail>;

const RefusedContext = createContext<Refused>(new Map());
export const RefusalsProvider = RefusedContext.Provider;

/** `recipients.0` is about the field `recipients`. */
const fieldOf = ({ path }: ErrorDetail): string => path.split('.')[0] ?? path;

/** What of an error stands at one of the `fields`, and the error without it; undefined if nothing of it is left. */
export function splitRefusal(error: unknown, fields: readonly string[]): { refused: Refused; rest: unknown } {
  const details = error instanceof ApiError ? error.details : [];
  const atFields = details.filter((detail) => fields.includes(fieldOf(detail)));
  const refused: Refused = new Map(atFields.map((detail) => [fieldOf(detail), detail]));
  if (!(error instanceof ApiError) || atFields.length === 0) return { refused, rest: error ?? undefined };
  const left = details.filter((detail) => !atFields.includes(detail));
  if (left.length === 0) return { refused, rest: undefined };
  const { code, message, status } = error;
  return { refused, rest: new ApiError(code, message, { status, details: left }) };
}

/** What was refused of a field: the rule, and attributes that tie the control to it. */
export function useRefusal(name: string | undefined) {
  const id = useId();
  const detail = useContext(RefusedContext).get(name ?? '');
  if (detail === undefined) return { marks: {}, rule: null };
  return {
    marks: { 'aria-invalid': true, 'aria-describedby': id } as const,
    rule: (
      <small id={id} class="refused">
        <RuleText {...detail} path="" />
      </small>
    ),
  };
}

/** A rule in the language of the page, if it is known here. */
export const RuleText = ({ message, path, shown }: Partial<ErrorDetail> & { message: string }) =>
  shown ?? words.failure.details[message] ?? <span lang="en">{!path ? message : `${path}: ${message}`}</span>;
