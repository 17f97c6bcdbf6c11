import { DomainError, type ErrorCode, type ErrorDetail } from '../../lib/errors.ts';
import { envelopeOf } from '../../lib/http/http-errors.ts';
import { tidyValue } from '../../lib/mcp/stored-text.ts';

const MAX_CHOICES = 20;

/** An error that lists what there is. The names are values beside the message, because strangers may have written them. */
export class ChoiceError extends DomainError {
  readonly choices: readonly unknown[];

  constructor(
    code: ErrorCode,
    message: string,
    { choices, details }: { choices: readonly unknown[]; details?: readonly ErrorDetail[] },
  ) {
    super(code, message, details && { details });
    this.choices = choices.slice(0, MAX_CHOICES);
  }
}

/** An error as the caller of a tool sees it. */
export interface AgentError {
  code: ErrorCode;
  message: string;
  details?: readonly ErrorDetail[];
  choices?: unknown;
  /** Where text of strangers stands, as in answers. */
  untrusted?: readonly string[];
  /** Seconds after which the same call may succeed. */
  retryAfter?: number;
}

/** Names of REST that tools have other words for. */
const WORDS: readonly [RegExp, string][] = [
  [/\bfilter_privacy_tier\b|\bprivacy_tier\b/g, 'tier'],
  [/\bfilter_(?=[a-z])/g, ''],
  [/\bnextCursor\b/g, 'cursor'],
];

/** A sentence of the service in the words of tools. */
export const inToolWords = (sentence: string): string =>
  WORDS.reduce((text, [rest, tool]) => text.replace(rest, tool), sentence);

export function describeError(error: DomainError): AgentError {
  const { error: code, message, details } = envelopeOf(error);
  const rest = {
    message: inToolWords(message),
    ...(details !== undefined && {
      details: details.map((one) => ({ ...one, message: inToolWords(one.message) })),
    }),
  };
  return {
    code,
    ...rest,
    ...(error instanceof ChoiceError && { choices: tidyValue(error.choices), untrusted: ['choices'] }),
    ...(error.retryAfterSeconds !== undefined && { retryAfter: error.retryAfterSeconds }),
  };
}
