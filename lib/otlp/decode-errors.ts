import { DomainError } from '../errors.ts';

/** Bounds an error's path: values may nest 32 levels deep. */
const MAX_PATH_CHARS = 200;

/** A part of the body that breaks a rule of its encoding. The decoder's loops add where it lies, from the inside out. */
class Malformed extends Error {
  path: string;
  readonly rule: string;

  constructor(rule: string, path: string) {
    super(rule);
    this.rule = rule;
    this.path = path;
  }
}

/** `path` names the field if it is known. `rule` reads after the field’s name, and never quotes the input. */
export const malformed = (rule: string, path = ''): Error => new Malformed(rule, path);

/** The same error, below `path`, such as `spans[7]`. */
export function within(path: string, error: unknown): unknown {
  if (error instanceof Malformed) error.path = error.path === '' ? path : `${path}.${error.path}`;
  return error;
}

/** Runs a decoder. Throws `VALIDATION_ERROR`, with the path and the rule, for a body that isn't a valid request. */
export function decoding<Batch>(decode: () => Batch): Batch {
  try {
    return decode();
  } catch (error) {
    throw error instanceof Malformed ? undecodable(error.rule, error.path) : error;
  }
}

/** The body isn't a valid request of its kind. An empty path is the whole body. */
export function undecodable(message: string, path = ''): DomainError {
  const shown = path.length > MAX_PATH_CHARS ? `${path.slice(0, MAX_PATH_CHARS)}…` : path;
  return new DomainError('VALIDATION_ERROR', 'The body is not a valid OTLP request of this path.', {
    details: [{ path: shown, message }],
  });
}

export const tooLarge = (what: string): DomainError => new DomainError('PAYLOAD_TOO_LARGE', what);
