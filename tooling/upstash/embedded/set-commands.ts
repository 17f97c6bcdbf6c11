import { type CommandSpec, command } from './command.ts';
import type { Store } from './key-store.ts';

const read = (store: Store, key: string): ReadonlySet<string> => store.get(key, 'set') ?? new Set();

export const SETS: Record<string, CommandSpec> = {
  SADD: command(2, Infinity, (store, args) => {
    const set = store.getOrCreate(args.at(0), 'set', () => new Set<string>());
    const before = set.size;
    for (const member of args.from(1)) set.add(member);
    return set.size - before;
  }),
  SREM: command(2, Infinity, (store, args) => {
    const set = store.get(args.at(0), 'set');
    const removed = args.from(1).filter((member) => set?.delete(member)).length;
    if (set?.size === 0) store.delete(args.at(0));
    return removed;
  }),
  SMEMBERS: command(1, 1, (store, args) => [...read(store, args.at(0))]),
  SISMEMBER: command(2, 2, (store, args) => (read(store, args.at(0)).has(args.at(1)) ? 1 : 0)),
  SMISMEMBER: command(2, Infinity, (store, args) => {
    const set = read(store, args.at(0));
    return args.from(1).map((member) => (set.has(member) ? 1 : 0));
  }),
  SCARD: command(1, 1, (store, args) => read(store, args.at(0)).size),
};
