/** The commands of docs/operations.md, on a real server: each is run as it stands. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createScratchDatabase, type ScratchDatabase } from '../../dev/scratch-database.ts';
import { ROOT } from '../../tooling/deployment.ts';
import { applySchema } from '../../tooling/schema/apply-schema.ts';
import { SERVER } from '../services/server.ts';
import { askAgain } from '../upgrades/answers.ts';
import { RELEASES, readBefore, restore } from '../upgrades/releases.ts';
import { openService, type Service } from '../upgrades/service.ts';
import { textOf } from './doc-examples.ts';

const LONG_MS = 300_000;

let folder: string;
let full: ScratchDatabase;
let empty: ScratchDatabase;
let service: Service;

/** Runs commands of the document. Each runs in a folder without `.local/setup.json`. */
async function shell(text: string): Promise<string> {
  const script = text.replaceAll(/npm run ([\w:]+)(?: --)?/g, (_, name: string) => {
    const program = join(ROOT, 'scripts', `${name.replace(':', '-')}.ts`);
    return `'${process.execPath}' '${program}'`;
  });
  const state = join(folder, 'setup.json');
  const env = { ...process.env, DATABASE_URL: full.url, NEW_DATABASE_URL: empty.url };
  const { stdout } = await promisify(execFile)(
    'bash',
    [
      '-c',
      `set -eo pipefail\n${script.replaceAll(/(scripts\/(?:db-apply|account)\.ts')/g, `$1 --state '${state}'`)}`,
    ],
    { cwd: folder, env },
  );
  return stdout;
}

/** The version of a program of PostgreSQL; 0 if it isn't there. */
async function majorOf(program: string): Promise<number> {
  const { stdout } = await promisify(execFile)(program, ['--version']).catch(() => ({ stdout: '' }));
  return Number(/ (\d+)\./.exec(stdout)?.[1] ?? 0);
}

describe('on a server', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'operations-'));
    [full, empty] = [
      await createScratchDatabase(SERVER, { isDurable: false }),
      await createScratchDatabase(SERVER, { isDurable: false }),
    ];
    service = await openService({ url: full.url });
    await service.neon.withClient(async (client) => {
      await restore(client, RELEASES.at(-1) ?? '');
      await applySchema(client);
    });
  }, LONG_MS);
  afterAll(async () => {
    await service.close();
    await Promise.all([full.drop(), empty.drop()]);
    await rm(folder, { recursive: true });
  });

  test(
    'a backup that is restored has every row, and answers every report as before',
    async ({ skip }) => {
      const [row] = await service.sql`show server_version`;
      skip(
        (await majorOf('pg_dump')) < Number.parseInt(row?.server_version, 10),
        'pg_dump must be of the server’s version or newer',
      );
      const { now, filled, answers } = await readBefore(RELEASES.at(-1) ?? '');
      service.at(now);
      // All rows are compared, so not all reports are asked.
      const paths = Object.keys(answers).filter((_, index) => index % 4 === 0);
      const before = await askAgain(service, filled, paths);
      await shell(
        textOf(
          'docs/operations.md: pg_dump --format=custom --no-owner --no-privileges --file=vendor.dump "$DATABASE_URL"',
        ),
      );
      await shell(
        textOf(
          'docs/operations.md: pg_restore --no-owner --no-privileges --exit-on-error --dbname="$NEW_DATABASE_URL" vendor.dump',
        ),
      );
      const restored = await openService({ url: empty.url });
      try {
        expect(await digestTables(restored)).toEqual(await digestTables(service));
        restored.at(now);
        expect(await askAgain(restored, filled, paths)).toEqual(before);
        await restored.neon.withClient(async (client) => {
          await client.query('set role vendor_sites');
          expect((await client.query('select id from sites')).rows.length).toBeGreaterThan(0);
          await expect(client.query('select password from user_credentials')).rejects.toThrow(
            /permission denied/,
          );
          await client.query('reset role');
        });
      } finally {
        await restored.close();
      }
    },
    LONG_MS,
  );

  test('a database that is read only answers, and takes what is new once it is as before', async ({
    skip,
  }) => {
    skip((await majorOf('psql')) === 0, 'psql isn’t here');
    const { sql } = service;
    // A connection that was ended may be taken once more.
    const write = () =>
      sql`update users set name = name`.then(
        () => 'written',
        ({ code }: { code: string }) => code,
      );
    await shell(textOf('docs/operations.md: psql "$DATABASE_URL" <<\'SQL\' # read only'));
    await expect.poll(write).toBe('25006');
    expect((await sql`select id from sites`).length).toBeGreaterThan(0);
    await shell(textOf('docs/operations.md: psql "$DATABASE_URL" <<\'SQL\' # as before'));
    await expect.poll(write).toBe('written');
  });

  test(
    'a second factor is taken away, and a person deleted with their projects',
    async () => {
      const { sql } = service;
      const email = 'you@example.org';
      const made = await shell(`npm run account -- create ${email}`);
      const [project = ''] = /[0-9a-f-]{36}/.exec(made) ?? [];
      await sql`
      with person as (update users set second_factor = true where email = ${email} returning id)
      insert into user_second_factors (user_id, secret, backup_codes) select id, 'ab', 'cd' from person`;
      await shell(textOf('docs/operations.md: npm run account -- remove-second-factor you@example.org'));
      expect(
        await sql`
        select second_factor, (select count(*)::integer from user_second_factors where user_id = users.id) as factors
        from users where email = ${email}`,
      ).toEqual([{ second_factor: false, factors: 0 }]);
      const output = await shell(
        textOf(
          'docs/operations.md: npm run account -- delete you@example.org          # what would be deleted',
        ),
      );
      expect(output).toMatch(new RegExp(`project ${project}[^]*Nothing was deleted[^]*Deleted\\.`));
      expect(await sql`select id from users where email = ${email}`).toEqual([]);
      expect(await sql`select id from projects where id = ${project}`).toEqual([]);
    },
    LONG_MS,
  );
});

/** How many rows each table has, and a digest of all of them. */
async function digestTables({ sql }: Service): Promise<Record<string, string>> {
  const tables = await sql`
    select c.oid::regclass::text as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by 1`;
  const digests: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await sql.query(
      `select count(*) || ' ' || coalesce(md5(string_agg(md5(one::text), '' order by md5(one::text))), '') as digest from ${name} one`,
    );
    digests[name] = row?.digest;
  }
  return digests;
}
