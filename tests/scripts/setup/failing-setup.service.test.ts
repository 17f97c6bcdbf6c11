/**
 * Setup and destroy of two functions (one with a database and queues, one with static files) while each kind of request to the provider
 * fails once; and what is asked of the provider beside what it publishes.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { VERSION } from '../../../lib/version.ts';
import { runDestroy } from '../../../scripts/setup/run-destroy.ts';
import { ROOT } from '../../../tooling/deployment.ts';
import { writeSetupFile } from '../../../tooling/setup-file.ts';
import { differences, templateOf } from '../../provider/compare-requests.ts';
import type { Failure } from '../../provider/start-provider.ts';
import { optionsOf, type SetupFixture, startSetupFixture } from './setup-fixture.ts';

const LONG_MS = 900_000;
const ONLY = ['ingest', 'content'];
/** Each kind of request fails in one of these ways. */
const FAILURES: readonly Failure[] = ['error', 'drop', 'silence', 'error after', 'drop after'];
/** What only wrangler asks. Its authors may; if one of these goes, so may the line. */
const OF_WRANGLER = [
  'GET /accounts/{}/workers/services/{} is not published',
  'POST /accounts/{}/workers/scripts/{}/deployments: code_update_strategy is not published',
];

const EMPTY = { format: 1, keys: {}, deployed: {}, checked: [], dnsRecords: {} } as const;

let fixture: SetupFixture;
beforeAll(async () => {
  fixture = await startSetupFixture();
});
afterAll(() => fixture.close());

/** The deployment's addresses answer; what is uploaded runs in another test. */
const well: typeof fetch = async () =>
  Response.json({ data: { status: 'ok', version: '0', database: null, functions: [] } });
const setUp = () => fixture.run({ only: ONLY, fetch: well, providerMs: 3_000, wranglerMs: 20_000 });
const destroy = () =>
  runDestroy(
    { env: fixture.env, ask: undefined, tell: () => {}, fetch: well, providerMs: 3_000 },
    optionsOf({ stateFile: fixture.stateFile, yes: true, destroyName: 'vendor-account' }),
  );
const keyOf = ({ method, path }: { method: string; path: string }): string => `${method} ${templateOf(path)}`;

/** What matters of an account. */
const contents = () =>
  JSON.stringify({
    workers: [...fixture.provider.account.workers.values()].map(
      ({ name, secrets, crons, workersDev, versions, deployments }) => {
        const now = versions.find(({ id }) => id === deployments[0]?.version);
        return {
          name,
          secrets: Object.keys(secrets),
          crons,
          workersDev,
          code: createHash('sha256').update(JSON.stringify(now?.modules)).digest('hex'),
          files: Object.keys(now?.assets ?? {}),
        };
      },
    ),
    queues: [...fixture.provider.account.queues.values()].map(({ name, consumers }) => ({
      name,
      consumers: consumers.map(({ script, settings, deadLetterQueue }) => ({
        script,
        settings,
        deadLetterQueue,
      })),
    })),
  });

test(
  'every request is published, and each may fail once',
  async () => {
    const { provider } = fixture;
    await setUp();
    const clean = contents();
    await setUp();
    await destroy();
    const kinds = [...new Set(provider.requests.map(keyOf))];
    expect(differences(provider.requests).filter((line) => !OF_WRANGLER.includes(line))).toEqual([]);
    expect(kinds.length).toBeGreaterThan(15);

    // As new, but for the database: everything is asked again.
    const { passwords, answers } = await fixture.readState();
    await writeSetupFile({ ...EMPTY, checked: [], passwords, answers }, fixture.stateFile);
    provider.account.files.clear();
    const left = new Set(kinds);
    provider.failWhen((request) => {
      const key = keyOf(request);
      if (!left.delete(key)) return undefined;
      return FAILURES[kinds.indexOf(key) % FAILURES.length];
    });
    let runs = 0;
    const repeatedly = async (work: () => Promise<unknown>): Promise<void> => {
      for (;;) {
        runs += 1;
        const fault: Error | undefined = await work().then(
          () => undefined,
          (error: Error) => error,
        );
        if (fault === undefined) return;
        expect(fault.message).toMatch(/run (the same command|setup|this|npx wrangler login)/i);
        expect(runs).toBeLessThan(kinds.length + 3);
      }
    };
    await repeatedly(setUp);
    expect(contents()).toBe(clean);
    await repeatedly(setUp);
    await repeatedly(destroy);
    expect([...left]).toEqual([]);
    expect([provider.account.workers.size, provider.account.queues.size]).toEqual([0, 0]);
  },
  LONG_MS,
);

test(
  'npm run deploy refuses a database of another version, and deploys on the right one',
  async () => {
    await setUp();
    const deploy = (...args: string[]) =>
      promisify(execFile)(process.execPath, ['scripts/deploy.ts', ...args], {
        cwd: ROOT,
        env: {
          ...process.env,
          ...fixture.env,
          DATABASE_URL: fixture.postgres.url,
          PUBLIC_URL: 'https://vendor-gateway.acme.workers.dev',
          CONTENT_URL: 'https://vendor-content.acme.workers.dev',
        },
      });
    const isOf = async (version: string): Promise<void> => {
      const client = new pg.Client({ connectionString: fixture.postgres.url });
      await client.connect();
      await client.query('update schema_version set version = $1', [version]);
      await client.end();
    };
    const uploaded = () => fixture.provider.account.workers.get('vendor-content')?.versions.length;
    await isOf('0.0.9');
    await expect(deploy('content')).rejects.toMatchObject({
      stderr: expect.stringMatching(/The database is of 0\.0\.9.*Run npm run db:apply before you deploy/),
    });
    expect(uploaded()).toBe(1);
    await isOf(VERSION);
    expect((await deploy('content')).stdout).toContain('1/1 vendor-content deployed');
    expect(uploaded()).toBe(2);
    await expect(deploy('--rollback', 'content')).rejects.toMatchObject({
      stderr: expect.stringContaining('knows no release before vendor'),
    });
    expect(differences(fixture.provider.requests).filter((line) => !OF_WRANGLER.includes(line))).toEqual([]);
  },
  LONG_MS,
);
