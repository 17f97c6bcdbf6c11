/** What is sent of an error. Its message may have anything: addresses of people, tokens, values of a database. */
import { types } from 'node:util';

export interface DescribedError {
  type: string;
  /** Only if it is revealed. */
  message?: string;
  /** The type, the message if it is revealed, and the frames. */
  stack?: string;
}

const TYPE = /^[\w$.]{1,100}$/;
/** A line of V8's stack that has a position. */
const FRAME = /^ {4}at .+(?::\d+:\d+\)?|\((?:<anonymous>|native|index \d+)\))$/;

/** Never throws. */
export function describeError(error: unknown, withMessage: boolean): DescribedError {
  try {
    return types.isNativeError(error) || error instanceof Error
      ? readError(error, withMessage)
      : { type: typeof error, ...(withMessage && { message: String(error) }) };
  } catch {
    // A getter of the error threw.
    return { type: 'Error' };
  }
}

function readError(error: Error, withMessage: boolean): DescribedError {
  const { message, stack } = error;
  const name: unknown = error.name === 'Error' ? error.constructor.name : error.name;
  const type = typeof name === 'string' && TYPE.test(name) ? name : 'Error';
  return {
    type,
    ...(withMessage && { message }),
    ...(typeof stack === 'string' && { stack: withMessage ? stack : withoutMessage(type, stack) }),
  };
}

/** A stack with the frames alone below the type. */
export const withoutMessage = (type: string, stack: string): string =>
  [type, ...stack.split('\n').filter((line) => FRAME.test(line))].join('\n');
