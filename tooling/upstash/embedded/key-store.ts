import { Failure } from '../redis-reply.ts';

export interface Values {
  string: string;
  hash: Map<string, string>;
}
export type Kind = keyof Values;

export interface Entry<K extends Kind = Kind> {
  kind: K;
  value: Values[K];
  /** Epoch milliseconds; undefined: never. */
  expiresAt: number | undefined;
}

/** Keys with their values and expiry times. An expired key doesn't exist, even before it is swept. */
export class Store {
  readonly #entries = new Map<string, Entry>();

  keys(): string[] {
    this.sweep();
    return [...this.#entries.keys()];
  }

  entry(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    if (entry?.expiresAt === undefined || entry.expiresAt > Date.now()) return entry;
    this.#entries.delete(key);
    return undefined;
  }

  /** The value of a key, undefined if the key is missing. Throws `WRONGTYPE` if it has another kind. */
  get<K extends Kind>(key: string, kind: K): Values[K] | undefined {
    const entry = this.entry(key);
    if (entry === undefined) return undefined;
    if (isKind(entry, kind)) return entry.value;
    throw new Failure('WRONGTYPE Operation against a key holding the wrong kind of value');
  }

  /** Like `get`, but calls `create` if the key is missing. */
  getOrCreate<K extends Kind>(key: string, kind: K, create: () => Values[K]): Values[K] {
    const held = this.get(key, kind);
    if (held !== undefined) return held;
    const value = create();
    this.set(key, kind, value);
    return value;
  }

  /** Replaces the key's value and expiry. */
  set<K extends Kind>(key: string, kind: K, value: Values[K], expiresAt?: number): void {
    this.#entries.set(key, { kind, value, expiresAt });
  }

  /** Moves a value with its expiry and replaces the other key. Returns false if there is no value. */
  rename(from: string, to: string): boolean {
    const entry = this.entry(from);
    if (entry === undefined) return false;
    this.#entries.delete(from);
    this.#entries.set(to, entry);
    return true;
  }

  delete(key: string): boolean {
    return this.entry(key) !== undefined && this.#entries.delete(key);
  }

  /** Frees the memory of expired keys. */
  sweep(): void {
    for (const key of this.#entries.keys()) this.entry(key);
  }
}

const isKind = <K extends Kind>(entry: Entry, kind: K): entry is Entry<K> => entry.kind === kind;
