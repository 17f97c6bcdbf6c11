import type * as v from 'valibot';
import type { Cell } from './csv.ts';

export interface Column {
  /** `tiers.visits.consented`, `revenue.EUR`, `parts.Google.visits`, `returned.1`. */
  name: string;
  /** The value of an item in this column. */
  cellOf: (item: object) => Cell;
}

/** The keys of each list within items, by the list's name: currencies, times, or positions from 1. */
export type ListKeys = ReadonlyMap<string, ReadonlySet<string>>;

type Path = readonly string[];
type Field = { path: Path; list: ListShape | undefined };
/** How a list becomes cells: by the position of each value, or by the `key` of each object and the names of its other fields. */
type ListShape = 'positions' | { key: string; values: readonly string[] };

/** The keys of the lists in items, with those that are `known` already. */
export function keysOf(entries: v.ObjectEntries, items: readonly object[], known?: ListKeys): ListKeys {
  const keys = new Map(known);
  for (const { path, list } of fieldsOf(entries)) {
    if (list === undefined) continue;
    const found = items.flatMap((item) => [...cellsOf(item, path, list).keys()]);
    keys.set(path.join('.'), new Set([...(keys.get(path.join('.')) ?? []), ...found]));
  }
  return keys;
}

/**
 * The columns of a report, from the schema of its items, in their order. Objects are flattened, optional ones too. A list becomes one column
 * a key, sorted.
 */
export const columnsOf = (entries: v.ObjectEntries, keys: ListKeys): Column[] =>
  fieldsOf(entries).flatMap(({ path, list }) => {
    const name = path.join('.');
    if (list === undefined) return [{ name, cellOf: (item) => toCell(valueAt(item, path)) }];
    return [...(keys.get(name) ?? [])]
      .sort(list === 'positions' ? (a, b) => Number(a) - Number(b) : undefined)
      .map((key) => ({
        name: `${name}.${key}`,
        cellOf: (item) => cellsOf(item, path, list).get(key) ?? null,
      }));
  });

/** Whether the columns depend on the items. */
export const hasLists = (entries: v.ObjectEntries): boolean =>
  fieldsOf(entries).some(({ list }) => list !== undefined);

const fieldsOf = (entries: v.ObjectEntries, above: Path = []): Field[] =>
  Object.entries(entries).flatMap(([name, schema]): Field[] => {
    const path = [...above, name];
    let inner: object = schema;
    while ('wrapped' in inner) inner = inner.wrapped as object;
    if ('entries' in inner) return fieldsOf(inner.entries as v.ObjectEntries, path);
    return [{ path, list: 'item' in inner ? shapeOf(inner.item as object) : undefined }];
  });

function shapeOf(item: object): ListShape {
  if (!('entries' in item)) return 'positions';
  const [key, ...values] = Object.keys(item.entries as object);
  if (key === undefined || values.length === 0)
    throw new Error('The objects of a list within an item have a key and values, in this order.');
  return { key, values };
}

function cellsOf(item: object, path: Path, list: ListShape): Map<string, Cell> {
  const parts = (valueAt(item, path) ?? []) as readonly unknown[];
  return new Map(
    parts.flatMap((part, index): [string, Cell][] => {
      if (list === 'positions') return [[String(index + 1), toCell(part)]];
      const fields = part as Record<string, unknown>;
      const key = String(fields[list.key]);
      // One value needs no name of its own.
      return list.values.map((name) => [
        list.values.length === 1 ? key : `${key}.${name}`,
        toCell(fields[name]),
      ]);
    }),
  );
}

const valueAt = (item: object, path: Path): unknown =>
  path.reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], item);

const toCell = (value: unknown): Cell =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
