import { Failure, OK, type Reply } from '../redis-reply.ts';
import { addIntegers, type CommandSpec, command, parseInteger, syntaxError, wrongCount } from './command.ts';
import { parseExpiry, parseOptions } from './expiry-options.ts';
import type { Store } from './key-store.ts';

const get = (store: Store, key: string): string | undefined => store.get(key, 'string');

/** Changes a string and leaves when it ends. */
function change(store: Store, key: string, value: string): void {
  store.set(key, 'string', value, store.entry(key)?.expiresAt);
}

function increment(store: Store, key: string, by: number): number {
  const sum = addIntegers(parseInteger(get(store, key) ?? '0'), by);
  change(store, key, String(sum));
  return sum;
}

function set(store: Store, key: string, value: string, words: readonly string[]): Reply {
  const { flags, expiresAt } = parseOptions('set', words, ['NX', 'XX', 'GET', 'KEEPTTL']);
  if (flags.has('NX') && flags.has('XX')) throw syntaxError();
  if (flags.has('KEEPTTL') && expiresAt !== undefined) throw syntaxError();
  const held = store.entry(key);
  const before = flags.has('GET') ? (get(store, key) ?? null) : undefined;
  const refused = (flags.has('NX') && held !== undefined) || (flags.has('XX') && held === undefined);
  if (!refused) store.set(key, 'string', value, flags.has('KEEPTTL') ? held?.expiresAt : expiresAt);
  if (before !== undefined) return before;
  return refused ? null : OK;
}

function setEach(store: Store, pairs: readonly [string, string][]): void {
  for (const [key, value] of pairs) store.set(key, 'string', value);
}

export const STRINGS: Record<string, CommandSpec> = {
  GET: command(1, 1, (store, args) => get(store, args.at(0)) ?? null),
  SET: command(2, Infinity, (store, args) => set(store, args.at(0), args.at(1), args.from(2))),
  SETNX: command(2, 2, (store, args) => (set(store, args.at(0), args.at(1), ['NX']) === OK ? 1 : 0)),
  SETEX: command(3, 3, (store, args) => {
    store.set(args.at(0), 'string', args.at(2), parseExpiry('setex', 'EX', args.at(1)));
    return OK;
  }),
  PSETEX: command(3, 3, (store, args) => {
    store.set(args.at(0), 'string', args.at(2), parseExpiry('psetex', 'PX', args.at(1)));
    return OK;
  }),
  GETSET: command(2, 2, (store, args) => set(store, args.at(0), args.at(1), ['GET'])),
  GETDEL: command(1, 1, (store, args) => {
    const value = get(store, args.at(0)) ?? null;
    store.delete(args.at(0));
    return value;
  }),
  GETEX: command(1, 3, (store, args) => {
    const { flags, expiresAt } = parseOptions('getex', args.from(1), ['PERSIST']);
    if (flags.size > 0 && expiresAt !== undefined) throw syntaxError();
    const value = get(store, args.at(0));
    const changes = flags.size > 0 || expiresAt !== undefined;
    if (value !== undefined && changes) store.set(args.at(0), 'string', value, expiresAt);
    return value ?? null;
  }),
  MGET: command(1, Infinity, (store, args) =>
    args.all.map((key) => {
      const entry = store.entry(key);
      return entry?.kind === 'string' ? (entry.value as string) : null;
    }),
  ),
  MSET: command(2, Infinity, (store, args) => {
    if (args.all.length % 2 !== 0) throw wrongCount('mset');
    setEach(store, args.pairs(0));
    return OK;
  }),
  MSETNX: command(2, Infinity, (store, args) => {
    if (args.all.length % 2 !== 0) throw wrongCount('msetnx');
    const pairs = args.pairs(0);
    if (pairs.some(([key]) => store.entry(key) !== undefined)) return 0;
    setEach(store, pairs);
    return 1;
  }),
  APPEND: command(2, 2, (store, args) => {
    const value = (get(store, args.at(0)) ?? '') + args.at(1);
    change(store, args.at(0), value);
    return value.length;
  }),
  STRLEN: command(1, 1, (store, args) => get(store, args.at(0))?.length ?? 0),
  INCR: command(1, 1, (store, args) => increment(store, args.at(0), 1)),
  DECR: command(1, 1, (store, args) => increment(store, args.at(0), -1)),
  INCRBY: command(2, 2, (store, args) => increment(store, args.at(0), args.integer(1))),
  DECRBY: command(2, 2, (store, args) => increment(store, args.at(0), -args.integer(1))),
  INCRBYFLOAT: command(2, 2, (store, args) => {
    const sum = parseFloatStrictly(get(store, args.at(0)) ?? '0') + parseFloatStrictly(args.at(1));
    if (!Number.isFinite(sum)) throw new Failure('ERR increment would produce NaN or Infinity');
    change(store, args.at(0), String(sum));
    return String(sum);
  }),
};

function parseFloatStrictly(text: string): number {
  const value = text.trim() === text && text !== '' ? Number(text) : Number.NaN;
  if (!Number.isFinite(value)) throw new Failure('ERR value is not a valid float');
  return value;
}
