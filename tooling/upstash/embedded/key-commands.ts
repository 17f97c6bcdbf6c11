import { Failure, OK, type Reply, Status } from '../redis-reply.ts';
import { type Arguments, type CommandSpec, command, parseInteger, syntaxError } from './command.ts';
import { type ExpiryUnit, instantOf } from './expiry-options.ts';
import { matchesGlob } from './glob.ts';
import type { Store } from './key-store.ts';

const PONG = new Status('PONG');

const remove = command(1, Infinity, (store, args) => args.all.filter((key) => store.delete(key)).length);

/** EXPIRE and its kin: a time that has passed deletes, and a condition may refuse. */
const expire = (unit: ExpiryUnit): CommandSpec =>
  command(2, 3, (store, args) => {
    const at = instantOf(unit, args.integer(1));
    const condition = args.all[2]?.toUpperCase();
    const entry = store.entry(args.at(0));
    if (condition !== undefined && !(condition in CONDITIONS)) {
      throw new Failure(`ERR Unsupported option ${args.at(2)}`);
    }
    if (entry === undefined) return 0;
    if (condition !== undefined && !CONDITIONS[condition]?.(at, entry.expiresAt)) return 0;
    if (at <= Date.now()) store.delete(args.at(0));
    else entry.expiresAt = at;
    return 1;
  });

const CONDITIONS: Record<string, (at: number, before: number | undefined) => boolean> = {
  NX: (_at, before) => before === undefined,
  XX: (_at, before) => before !== undefined,
  GT: (at, before) => before !== undefined && at > before,
  LT: (at, before) => before === undefined || at < before,
};

/** What is left in units of so many milliseconds; -1: it doesn't end, -2: it isn't there. */
const timeLeft = (unitMs: number): CommandSpec =>
  command(1, 1, (store, args) => {
    const entry = store.entry(args.at(0));
    if (entry === undefined) return -2;
    return entry.expiresAt === undefined ? -1 : Math.round((entry.expiresAt - Date.now()) / unitMs);
  });

/** Everything in one go: the cursor that it gives back is always the end. */
function scan(store: Store, args: Arguments): Reply {
  if (!/^\d+$/.test(args.at(0))) throw new Failure('ERR invalid cursor');
  let pattern = '*';
  let kind: string | undefined;
  for (const [option, value] of args.pairs(1)) {
    const name = option.toUpperCase();
    if (name === 'MATCH') pattern = value;
    else if (name === 'TYPE') kind = value.toLowerCase();
    else if (name !== 'COUNT' || parseInteger(value) < 1) throw syntaxError();
  }
  const keys = store.keys().filter((key) => {
    return matchesGlob(pattern, key) && (kind === undefined || store.entry(key)?.kind === kind);
  });
  return ['0', keys];
}

export const KEYS: Record<string, CommandSpec> = {
  DEL: remove,
  UNLINK: remove,
  EXISTS: command(1, Infinity, (store, args) => args.all.filter((key) => store.entry(key)).length),
  TYPE: command(1, 1, (store, args) => new Status(store.entry(args.at(0))?.kind ?? 'none')),
  EXPIRE: expire('EX'),
  PEXPIRE: expire('PX'),
  EXPIREAT: expire('EXAT'),
  PEXPIREAT: expire('PXAT'),
  TTL: timeLeft(1000),
  PTTL: timeLeft(1),
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
  SCAN: command(1, 7, scan),
  DBSIZE: command(0, 0, (store) => store.size),
  PING: command(0, 1, (_store, args) => args.all[0] ?? PONG),
  ECHO: command(1, 1, (_store, args) => args.at(0)),
  TIME: command(0, 0, () => {
    const now = Date.now();
    return [String(Math.floor(now / 1000)), String((now % 1000) * 1000)];
  }),
};
