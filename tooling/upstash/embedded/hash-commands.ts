import { Failure } from '../redis-reply.ts';
import { addIntegers, type CommandSpec, command, parseInteger, wrongCount } from './command.ts';
import type { Store } from './key-store.ts';

const read = (store: Store, key: string): ReadonlyMap<string, string> => store.get(key, 'hash') ?? new Map();
const write = (store: Store, key: string): Map<string, string> =>
  store.getOrCreate(key, 'hash', () => new Map<string, string>());

function hashInteger(text: string): number {
  try {
    return parseInteger(text);
  } catch {
    throw new Failure('ERR hash value is not an integer');
  }
}

export const HASHES: Record<string, CommandSpec> = {
  HSET: command(3, Infinity, (store, args) => {
    if (args.all.length % 2 === 0) throw wrongCount('hset');
    const hash = write(store, args.at(0));
    const before = hash.size;
    for (const [field, value] of args.pairs(1)) hash.set(field, value);
    return hash.size - before;
  }),
  HSETNX: command(3, 3, (store, args) => {
    const hash = write(store, args.at(0));
    if (hash.has(args.at(1))) return 0;
    hash.set(args.at(1), args.at(2));
    return 1;
  }),
  HGET: command(2, 2, (store, args) => read(store, args.at(0)).get(args.at(1)) ?? null),
  HMGET: command(2, Infinity, (store, args) => {
    const hash = read(store, args.at(0));
    return args.from(1).map((field) => hash.get(field) ?? null);
  }),
  HGETALL: command(1, 1, (store, args) => [...read(store, args.at(0))].flat()),
  HKEYS: command(1, 1, (store, args) => [...read(store, args.at(0)).keys()]),
  HVALS: command(1, 1, (store, args) => [...read(store, args.at(0)).values()]),
  HLEN: command(1, 1, (store, args) => read(store, args.at(0)).size),
  HEXISTS: command(2, 2, (store, args) => (read(store, args.at(0)).has(args.at(1)) ? 1 : 0)),
  HDEL: command(2, Infinity, (store, args) => {
    const hash = store.get(args.at(0), 'hash');
    const removed = args.from(1).filter((field) => hash?.delete(field)).length;
    if (hash?.size === 0) store.delete(args.at(0));
    return removed;
  }),
  HINCRBY: command(3, 3, (store, args) => {
    const by = args.integer(2);
    const sum = addIntegers(hashInteger(read(store, args.at(0)).get(args.at(1)) ?? '0'), by);
    write(store, args.at(0)).set(args.at(1), String(sum));
    return sum;
  }),
};
