import { Failure } from '../redis-reply.ts';
import { parseInteger, syntaxError } from './command.ts';

export type ExpiryUnit = 'EX' | 'PX' | 'EXAT' | 'PXAT';

const UNITS = {
  EX: (value: number, now: number) => now + value * 1000,
  PX: (value: number, now: number) => now + value,
  EXAT: (value: number) => value * 1000,
  PXAT: (value: number) => value,
};

const isUnit = (word: string): word is ExpiryUnit => Object.hasOwn(UNITS, word);

/** The instant, epoch milliseconds, that an expiry means. */
export const instantOf = (unit: ExpiryUnit, value: number): number => UNITS[unit](value, Date.now());

export interface Options {
  flags: Set<string>;
  expiresAt: number | undefined;
}

/** Reads trailing options: `flags` allowed here, and at most one expiry. Throws a syntax error for anything else. */
export function parseOptions(name: string, words: readonly string[], flags: readonly string[]): Options {
  const found = new Set<string>();
  let expiresAt: number | undefined;
  for (let i = 0; i < words.length; i++) {
    const word = (words[i] ?? '').toUpperCase();
    if (flags.includes(word) && !found.has(word)) {
      found.add(word);
    } else if (isUnit(word) && expiresAt === undefined) {
      i += 1;
      expiresAt = parseExpiry(name, word, words[i]);
    } else {
      throw syntaxError();
    }
  }
  return { flags: found, expiresAt };
}

export function parseExpiry(name: string, unit: ExpiryUnit, text: string | undefined): number {
  if (text === undefined) throw syntaxError();
  const value = parseInteger(text);
  if (value <= 0) throw new Failure(`ERR invalid expire time in '${name}' command`);
  return instantOf(unit, value);
}
