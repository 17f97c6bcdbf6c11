/** The commands that the service sends, and those with which tests inspect the result. Any other command is unknown. */
import { Failure, OK, type Reply } from '../redis-reply.ts';
import {
  type Arguments,
  addIntegers,
  type CommandSpec,
  command,
  parseInteger,
  syntaxError,
  wrongCount,
} from './command.ts';
import type { Store } from './key-store.ts';

const UNITS_MS: Record<string, number> = { EX: 1000, PX: 1 };

/** `SET key value [NX] [EX seconds | PX milliseconds]`. */
function set(store: Store, args: Arguments): Reply {
  let isNew = false;
  let expiresAt: number | undefined;
  const words = args.from(2).values();
  for (const word of words) {
    const unitMs = UNITS_MS[word.toUpperCase()];
    if (word.toUpperCase() === 'NX' && !isNew) {
      isNew = true;
    } else if (unitMs !== undefined && expiresAt === undefined) {
      const { value } = words.next();
      if (value === undefined) throw syntaxError();
      const count = parseInteger(value);
      if (count <= 0) throw new Failure("ERR invalid expire time in 'set' command");
      expiresAt = Date.now() + count * unitMs;
    } else {
      throw syntaxError();
    }
  }
  if (isNew && store.entry(args.at(0)) !== undefined) return null;
  store.set(args.at(0), 'string', args.at(1), expiresAt);
  return OK;
}

/** Keeps the key's expiry. */
function increment(store: Store, args: Arguments): number {
  const key = args.at(0);
  const sum = addIntegers(parseInteger(store.get(key, 'string') ?? '0'), args.integer(1));
  store.set(key, 'string', String(sum), store.entry(key)?.expiresAt);
  return sum;
}

/** A time in the past deletes the key. */
const expire = (unitMs: number): CommandSpec =>
  command(2, 2, (store, args) => {
    const at = Date.now() + args.integer(1) * unitMs;
    const entry = store.entry(args.at(0));
    if (entry === undefined) return 0;
    if (at <= Date.now()) store.delete(args.at(0));
    else entry.expiresAt = at;
    return 1;
  });

/** The time left in units of `unitMs` milliseconds; -1: no expiry, -2: no such key. */
const timeLeft = (unitMs: number): CommandSpec =>
  command(1, 1, (store, args) => {
    const entry = store.entry(args.at(0));
    if (entry === undefined) return -2;
    return entry.expiresAt === undefined ? -1 : Math.round((entry.expiresAt - Date.now()) / unitMs);
  });

const readHash = (store: Store, key: string): ReadonlyMap<string, string> =>
  store.get(key, 'hash') ?? new Map();

function setFields(store: Store, args: Arguments): number {
  if (args.all.length % 2 === 0) throw wrongCount('hset');
  const hash = store.getOrCreate(args.at(0), 'hash', () => new Map<string, string>());
  const before = hash.size;
  for (const [field, value] of args.pairs(1)) hash.set(field, value);
  return hash.size - before;
}

function deleteFields(store: Store, args: Arguments): number {
  const hash = store.get(args.at(0), 'hash');
  const removed = args.from(1).filter((field) => hash?.delete(field)).length;
  if (hash?.size === 0) store.delete(args.at(0));
  return removed;
}

/** `SCAN cursor MATCH beginning* COUNT n`: returns everything at once, so the returned cursor is always the end. */
function scan(store: Store, args: Arguments): Reply {
  const [match, pattern = '', count] = args.from(1);
  const beginning = /^([^*?[\\]*)\*$/.exec(pattern)?.[1];
  if (match?.toUpperCase() !== 'MATCH' || count?.toUpperCase() !== 'COUNT' || beginning === undefined) {
    throw new Failure('ERR the embedded Redis takes SCAN with MATCH beginning* and COUNT only');
  }
  return ['0', store.keys().filter((key) => key.startsWith(beginning))];
}

export const COMMANDS: Record<string, CommandSpec> = {
  GET: command(1, 1, (store, args) => store.get(args.at(0), 'string') ?? null),
  SET: command(2, Infinity, set),
  INCRBY: command(2, 2, increment),
  DEL: command(1, Infinity, (store, args) => args.all.filter((key) => store.delete(key)).length),
  EXPIRE: expire(1000),
  PEXPIRE: expire(1),
  PERSIST: command(1, 1, (store, args) => {
    const entry = store.entry(args.at(0));
    if (entry?.expiresAt === undefined) return 0;
    entry.expiresAt = undefined;
    return 1;
  }),
  RENAME: command(2, 2, (store, args) => {
    if (!store.rename(args.at(0), args.at(1))) throw new Failure('ERR no such key');
    return OK;
  }),
  HSET: command(3, Infinity, setFields),
  HGET: command(2, 2, (store, args) => readHash(store, args.at(0)).get(args.at(1)) ?? null),
  HMGET: command(2, Infinity, (store, args) => {
    const hash = readHash(store, args.at(0));
    return args.from(1).map((field) => hash.get(field) ?? null);
  }),
  HLEN: command(1, 1, (store, args) => readHash(store, args.at(0)).size),
  HKEYS: command(1, 1, (store, args) => [...readHash(store, args.at(0)).keys()]),
  // Used only by tests.
  HGETALL: command(1, 1, (store, args) => [...readHash(store, args.at(0))].flat()),
  HDEL: command(2, Infinity, deleteFields),
  TTL: timeLeft(1000),
  PTTL: timeLeft(1),
  SCAN: command(5, 5, scan),
};
