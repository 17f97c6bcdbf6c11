/**
 * Redis in its own terms. Strings are byte strings throughout, one character (0 to 255) a byte, so that what isn't text
 * survives; `bytesOf` and `textOf` are the way in and out.
 */
export type Reply = string | number | null | Status | Failure | Reply[];

/** A command's name and arguments, as byte strings. */
export type Command = [name: string, ...args: string[]];

/** What commands answer that have nothing to say: `OK`, `PONG`. */
export class Status {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export const OK = new Status('OK');

/** An error that Redis answers, such as `WRONGTYPE ...`. */
export class Failure extends Error {
  override readonly name = 'Failure';
}

/** No connection to Redis, or it was lost before the answer came. */
export class OutOfReach extends Error {
  override readonly name = 'OutOfReach';
}

/** A transaction that Redis refused as a whole. */
export class Discarded extends Error {
  override readonly name = 'Discarded';
}

export const bytesOf = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
export const textOf = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');

/** What answers commands: an embedded Redis or a real one. */
export interface Redis {
  /**
   * Runs commands in order, each with its own reply (a `Failure` among them ends nothing); `atomic` lets nothing happen
   * in between. Throws `OutOfReach` and `Discarded`.
   */
  run(commands: readonly Command[], atomic: boolean): Promise<Reply[]>;
  close(): Promise<void>;
}
