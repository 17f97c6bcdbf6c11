/**
 * Stores better-auth's data in our tables, with one statement over HTTP per call. Sessions are stored under the hash of their token, so
 * that a stolen row can't sign anybody in. A returned session has its token only if the library looked it up by that token.
 */
import { type CleanedWhere, createAdapterFactory } from 'better-auth/adapters';
import { type Fragment, reach, type Sql } from '../../db.ts';
import { hashToken } from '../../tokens.ts';
import { parseDevice } from '../../user-agents/device.ts';
import type { AuthKeys } from './auth-keys.ts';
import { renewSecondFactor, type SealedFactor } from './second-factors.ts';
import { authTables, type Table } from './tables.ts';

type Row = Record<string, unknown>;

export function authAdapter(sql: Sql, keys: AuthKeys) {
  const tables = authTables(sql);
  const tableOf = (model: string): Table => {
    const table = tables[model];
    if (table === undefined) throw new Error(`Accounts have no table for ${model}.`);
    return table;
  };

  /** `token` values are already hashes in hex here. */
  const asValue = (field: string, value: unknown): Fragment =>
    field === 'token'
      ? sql`decode(${value}, 'hex')`
      : sql`${value instanceof Date ? value.toISOString() : value}`;

  // A fragment is also a query, and `await` would send it. So functions that make fragments are never async.
  function matches(table: Table, where: readonly Condition[]): Fragment {
    let all = sql`true`;
    for (const { field, operator = 'eq', value, connector } of where) {
      const column = table.lookups?.[field] ?? table.columns[field];
      if (column === undefined || connector === 'OR')
        throw new Error('Accounts are not looked up like this.');
      all = sql`${all} and ${compare(column, operator, asValue(field, value), value === null)}`;
    }
    return all;
  }

  function compare(column: Fragment, operator: string, value: Fragment, isNull: boolean): Fragment {
    if (operator === 'eq') return isNull ? sql`${column} is null` : sql`${column} = ${value}`;
    if (operator === 'lt') return sql`${column} < ${value}`;
    if (operator === 'lte') return sql`${column} <= ${value}`;
    if (operator === 'gt') return sql`${column} > ${value}`;
    if (operator === 'gte') return sql`${column} >= ${value}`;
    throw new Error('Accounts are not compared like this.');
  }

  /** `column = value` for each field with a column, and `column = column + value`; undefined if there is none. */
  function assignments(table: Table, fields: Row, increments: Row = {}): Fragment | undefined {
    let all: Fragment | undefined;
    const add = (one: Fragment): void => {
      all = all === undefined ? one : sql`${all}, ${one}`;
    };
    for (const [field, value] of Object.entries(fields)) {
      const column = table.columns[field];
      if (column !== undefined && value !== undefined) add(sql`${column} = ${asValue(field, value)}`);
    }
    for (const [field, by] of Object.entries(increments)) {
      const column = table.columns[field];
      if (column !== undefined) add(sql`${column} = ${column} + ${by}::integer`);
    }
    return all;
  }

  async function insert(table: Table, data: Row): Promise<Row> {
    let names = sql`id`;
    let values = sql`${data.id}`;
    for (const [field, value] of Object.entries(data)) {
      const column = table.columns[field];
      if (field === 'id' || column === undefined || value === undefined || value === null) continue;
      names = sql`${names}, ${column}`;
      values = sql`${values}, ${asValue(field, value)}`;
    }
    const [row] = await reach(
      sql`insert into ${table.name} (${names}) values (${values}) returning ${table.row}`,
    );
    return row as Row;
  }

  async function update(model: string, where: readonly CleanedWhere[], fields: Row, increments: Row = {}) {
    const table = tableOf(model);
    const found = await hashed(where);
    const set = assignments(table, fields, increments);
    if (set === undefined)
      return reach(sql`select ${table.row} from ${table.name} where ${matches(table, found)}`);
    if (model === 'account' && fields.password !== undefined) return updatePassword(table, found, set);
    return reach(sql`update ${table.name} set ${set} where ${matches(table, found)} returning ${table.row}`);
  }

  /** Also ends links that reset the password, and sign-ins that wait for a code. Uses the index `user_verifications_value`. */
  const updatePassword = (table: Table, found: readonly Condition[], set: Fragment) =>
    reach(sql`
      with changed as (update ${table.name} set ${set} where ${matches(table, found)} returning *), ended as (
        delete from user_verifications using changed where user_verifications.value = changed.user_id::text
      )
      select ${table.row} from changed`);

  async function remove(model: string, where: readonly CleanedWhere[]): Promise<Row[]> {
    const table = tableOf(model);
    const found = await hashed(where);
    return reach(sql`delete from ${table.name} where ${matches(table, found)} returning ${table.row}`);
  }

  /** Also deletes the person's sessions that ended. */
  async function createSession(table: Table, data: Row): Promise<Row> {
    const { browser, os } = parseDevice(String(data.userAgent ?? ''));
    await reach(sql`delete from user_sessions where user_id = ${data.userId} and expires_at < now()`);
    const token = await hashToken(String(data.token));
    return { ...(await insert(table, { ...data, browser, os, token })), token: data.token };
  }

  /** Also deletes expired rows, by the index on `expires_at`. */
  async function createVerification(table: Table, data: Row): Promise<Row> {
    await reach(sql`delete from user_verifications where expires_at < now()`);
    return insert(table, data);
  }

  /** The library decrypts a second factor with the key in use only. Returns whether the row has changed. */
  const renew = async (row: Row): Promise<boolean> =>
    keys.previous !== undefined &&
    (await renewSecondFactor({ sql }, { keys, factor: row as unknown as SealedFactor })) === 'renewed';

  const withToken = (model: string, where: readonly CleanedWhere[], row: Row | undefined): Row | null => {
    if (row === undefined) return null;
    if (model !== 'session') return row;
    return { ...row, token: where.find(({ field }) => field === 'token')?.value ?? '' };
  };

  return createAdapterFactory({
    config: { adapterId: 'vendor', adapterName: 'Vendor', usePlural: false, supportsJSON: true },
    adapter: () => ({
      create: async <T>({ model, data }: { model: string; data: T }) => {
        const table = tableOf(model);
        const row = data as Row;
        if (model === 'session') return (await createSession(table, row)) as T;
        if (model === 'verification') return (await createVerification(table, row)) as T;
        return (await insert(table, row)) as T;
      },
      findOne: async <T>({ model, where }: { model: string; where: CleanedWhere[] }) => {
        const table = tableOf(model);
        const found = await hashed(where);
        const find = async (): Promise<Row | undefined> => {
          const [row] = await reach(
            sql`select ${table.row} from ${table.name} where ${matches(table, found)} limit 1`,
          );
          return row;
        };
        const row = await find();
        const isRenewed = model === 'twoFactor' && row !== undefined && (await renew(row));
        return withToken(model, where, isRenewed ? await find() : row) as T | null;
      },
      findMany: async <T>({ model, where = [], limit, sortBy }: FindMany) => {
        const table = tableOf(model);
        const found = await hashed(where);
        const column = table.columns[sortBy?.field ?? 'id'] ?? sql`id`;
        const order = sortBy?.direction === 'desc' ? sql`${column} desc` : column;
        const rows = await reach(
          sql`select ${table.row} from ${table.name} where ${matches(table, found)} order by ${order} limit ${limit}`,
        );
        return rows.map((row) => withToken(model, where, row)) as T[];
      },
      update: async <T>({ model, where, update: fields }: Update<T>) => {
        const [row] = await update(model, where, fields as Row);
        return withToken(model, where, row) as T | null;
      },
      updateMany: async ({ model, where, update: fields }) => (await update(model, where, fields)).length,
      delete: async ({ model, where }) => {
        await remove(model, where);
      },
      deleteMany: async ({ model, where }) => (await remove(model, where)).length,
      consumeOne: async <T>({ model, where }: { model: string; where: CleanedWhere[] }) => {
        const [row] = await remove(model, where);
        return withToken(model, where, row) as T | null;
      },
      incrementOne: async <T>({ model, where, increment, set = {} }: Increment) => {
        const [row] = await update(model, where, set, increment);
        return withToken(model, where, row) as T | null;
      },
      count: async ({ model, where = [] }) => {
        const table = tableOf(model);
        const found = await hashed(where);
        const [row] = await reach(
          sql`select count(*)::integer as count from ${table.name} where ${matches(table, found)}`,
        );
        return row?.count;
      },
    }),
  });
}

/** Replaces each token in the conditions with its hash in hex. */
const hashed = (where: readonly CleanedWhere[]): Promise<Condition[]> =>
  Promise.all(
    where.map(async (condition) =>
      condition.field === 'token'
        ? { ...condition, value: await hashToken(String(condition.value)) }
        : condition,
    ),
  );

type Condition = Pick<CleanedWhere, 'field' | 'operator' | 'value' | 'connector'>;

interface Update<T> {
  model: string;
  where: CleanedWhere[];
  update: T;
}

interface FindMany {
  model: string;
  where?: CleanedWhere[] | undefined;
  limit: number;
  sortBy?: { field: string; direction: 'asc' | 'desc' } | undefined;
}

interface Increment {
  model: string;
  where: CleanedWhere[];
  increment: Record<string, number>;
  set?: Record<string, unknown> | undefined;
}
