/** Questions at a terminal. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Asks and returns the answer, without spaces around it. `secret`: what is typed isn't shown. */
export type Ask = (question: string, secret?: boolean) => Promise<string>;

/** Undefined where nobody sits: then nothing is asked. */
export function openTerminal(input = process.stdin, output = process.stdout): Ask | undefined {
  if (!input.isTTY || !output.isTTY) return undefined;
  return async (question, secret = false) => {
    let muted = false;
    const shown = new Writable({
      write: (chunk, _, done) => {
        if (!muted) output.write(chunk);
        done();
      },
    });
    const lines = createInterface({ input, output: shown, terminal: true });
    const stop = new AbortController();
    lines.once('SIGINT', () => stop.abort());
    try {
      const answer = lines.question(`${question}: `, { signal: stop.signal });
      muted = secret;
      return (await answer).trim();
    } catch {
      throw new Error('Stopped. Run npm run setup again: it goes on where it stopped.');
    } finally {
      muted = false;
      lines.close();
      if (secret) output.write('\n');
    }
  };
}
