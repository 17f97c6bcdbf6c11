import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPassingFault } from '../../lib/db.ts';
import { startNeon } from '../../tooling/neon/start-neon.ts';
import { SERVER } from '../services/server.ts';
import { connect, type Started, startReal } from './neon-variants.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

const failure = (query: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(query).then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a real database that comes and goes', () => {
  let proxy: TcpProxy;
  let started: Started;
  let sql: ReturnType<typeof connect>;
  beforeAll(async () => {
    const url = new URL(SERVER);
    proxy = await startTcpProxy(url.hostname, Number(url.port || 5432));
    url.host = `127.0.0.1:${proxy.port}`;
    started = await startReal(url.href);
    sql = connect(started.neon);
  });
  afterAll(async () => {
    await started.close();
    await proxy.stop();
  });

  it('is a passing fault while it is away, and no fault once it is back', async () => {
    await Promise.all(Array.from({ length: 30 }, () => sql`select 1`));
    const cut = failure(sql`select pg_sleep(60)`);
    await expect
      .poll(
        () =>
          sql`select 1 from pg_stat_activity where query like '%pg_sleep(60)%' and state = 'active' and pid <> pg_backend_pid()`,
      )
      .toHaveLength(1);
    await proxy.stop();
    expect(isPassingFault(await cut)).toBe(true);

    const away = await Promise.all(Array.from({ length: 30 }, () => failure(sql`select 1`)));
    for (const error of away) {
      expect(String(error)).toContain('HTTP status 503');
      expect(isPassingFault(error)).toBe(true);
    }
    expect(isPassingFault(await failure(sql.transaction([sql`select 1`])))).toBe(true);
    await expect(started.neon.exec('select 1')).rejects.toThrow();

    await proxy.start();
    expect(await sql`select 1 as n`).toEqual([{ n: 1 }]);
    expect(await Promise.all(Array.from({ length: 30 }, () => sql`select 1 as n`))).toEqual(
      Array(30).fill([{ n: 1 }]),
    );
  });

  it('is a passing fault when the server ends the connection, idle or at work', async () => {
    const others = 'pid <> pg_backend_pid() and datname = current_database()';
    const cut = failure(sql`select pg_sleep(61)`);
    await expect
      .poll(() =>
        sql.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where ${others} and query like '%pg_sleep(61)%'`,
        ),
      )
      .toHaveLength(1);
    expect(await cut).toMatchObject({ code: '57P01', severity: 'FATAL' });
    expect(isPassingFault(await cut)).toBe(true);

    await sql.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${others}`);
    await expect.poll(() => failure(sql`select 1`)).toBeUndefined();
  });

  it('does not start without a database', async () => {
    await expect(startNeon({ database: { url: `${SERVER}_that_is_not_there` } })).rejects.toThrow(
      'does not exist',
    );
  });

  it('closes while a query waits, and is then out of reach', async () => {
    const other = await startNeon({ database: { url: SERVER } });
    const cut = failure(connect(other)`select pg_sleep(62)`);
    await expect
      .poll(
        () => sql`select 1 from pg_stat_activity where query = 'select pg_sleep(62)' and state = 'active'`,
      )
      .toHaveLength(1);
    await other.close();
    expect(isPassingFault(await cut)).toBe(true);
    expect(isPassingFault(await failure(connect(other)`select 1`))).toBe(true);
  });
});
