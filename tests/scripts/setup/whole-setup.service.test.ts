/**
 * `npm run setup` from nothing to a service that answers: against a stand-in of the provider, whose uploads run in workerd, and a
 * PostgreSQL that asks every role for its password.
 */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runDestroy } from '../../../scripts/setup/run-destroy.ts';
import { ROOT, readDeployment } from '../../../tooling/deployment.ts';
import { type RunningUploads, runUploaded } from '../../provider/run-uploaded.ts';
import { optionsOf, type SetupFixture, startSetupFixture } from './setup-fixture.ts';

const LONG_MS = 600_000;

let fixture: SetupFixture;
let running: Promise<RunningUploads> | undefined;
beforeAll(async () => {
  fixture = await startSetupFixture();
});
afterAll(async () => {
  await (await running)?.close();
  await fixture.close();
});

/** The deployment's addresses: what is uploaded starts to run when they are first asked. */
const fetchUploaded: typeof fetch = async (input, init) => {
  running ??= runUploaded(fixture.provider.account);
  return (await running).fetch(input, init);
};
/** After a change of secrets: a Worker that runs keeps those that it had. */
const stopUploaded = async (): Promise<void> => {
  await (await running)?.close();
  running = undefined;
};
const secretsOf = (fn: string): Record<string, string> =>
  fixture.provider.account.workers.get(`vendor-${fn}`)?.secrets ?? {};
async function onDatabase(text: string, values: string[]): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString: fixture.postgres.url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}
const uploads = (): string[] =>
  fixture.provider.requests
    .filter(
      ({ method, path }) => /\/scripts\/[^/]+(\/versions)?$/.test(path) && ['PUT', 'POST'].includes(method),
    )
    .map(({ path }) => /scripts\/([^/]+)/.exec(path)?.[1] ?? '');

test(
  'deploys everything, in the order of the bindings, and the service answers',
  async () => {
    const output = await fixture.run({ fetch: fetchUploaded });
    expect(output).toContain('Ready.');
    expect(output).toContain('https://vendor-gateway.acme.workers.dev');
    expect(uploads()).toHaveLength(readDeployment().length);
    for (const { name, services } of readDeployment())
      for (const { service } of services)
        expect(uploads().indexOf(service), `${service} before ${name}`).toBeLessThan(uploads().indexOf(name));
    for (const { fn, name } of readDeployment())
      expect(fixture.provider.account.workers.get(name)?.versions.at(-1)?.modules, name).toEqual({
        'index.js': await readFile(join(ROOT, 'dist', fn, 'index.js'), 'utf8'),
      });
    expect([...fixture.provider.account.queues.keys()]).toEqual([
      'vendor-events',
      'vendor-events-dead',
      'vendor-messages',
    ]);
    expect(fixture.mail.sent).toMatchObject([{ to: 'ada@example.org' }]);

    const health = await fetchUploaded('https://vendor-gateway.acme.workers.dev/api/health');
    expect(health.status).toBe(200);
    const token = /vapi_\S+/.exec(output)?.[0] ?? '';
    const sites = await fetchUploaded('https://vendor-gateway.acme.workers.dev/api/v1/sites', {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(await sites.json()).toMatchObject({ data: [] });
    expect(output).toMatch(/https:\/\/vendor-gateway\.acme\.workers\.dev\/reset-password#/);
    const guides = await fetchUploaded('https://vendor-content.acme.workers.dev/llms.txt');
    expect(guides.status).toBe(200);
  },
  LONG_MS,
);

test('each function has its own role and keys, and only what its env names', async () => {
  const roles = readDeployment().flatMap(({ fn }) => {
    const { DATABASE_URL: url } = secretsOf(fn);
    return url === undefined ? [] : [[fn, new URL(url)] as const];
  });
  expect(roles.map(([fn]) => fn).toSorted()).toEqual([
    'account',
    'alerts',
    'analytics',
    'ingest',
    'mcp',
    'messages',
    'receiver',
    'sites',
    'telemetry',
  ]);
  for (const [fn, { username }] of roles) expect(username).toBe(`vendor_${fn}`);
  expect(new Set(roles.map(([, { password }]) => password)).size).toBe(roles.length);
  const keys = readDeployment().flatMap(({ fn }) =>
    Object.entries(secretsOf(fn)).flatMap(([name, value]) =>
      // Who makes the secrets of webhooks (account) and who signs with them (messages) have the same key.
      name.endsWith('_KEY') && `${fn}.${name}` !== 'messages.CHANNEL_KEY' ? [value] : [],
    ),
  );
  expect(new Set(keys).size).toBe(keys.length);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(Object.keys(secretsOf('track')).toSorted()).toEqual([
    ...['ADDRESS_KEY', 'SALT_REDIS_REST_TOKEN', 'SALT_REDIS_REST_URL'],
    ...['UPSTASH_REDIS_REST_TOKEN', 'UPSTASH_REDIS_REST_URL'],
  ]);
  for (const fn of ['sites', 'analytics', 'account', 'receiver', 'telemetry', 'mcp', 'content'])
    expect(Object.keys(secretsOf(fn)), fn).not.toContain('SALT_REDIS_REST_TOKEN');
  for (const fn of ['dashboard', 'docs', 'gateway', 'script', 'sdk']) expect(secretsOf(fn)).toEqual({});
});

test('the answers and keys are kept for their owner alone', async () => {
  expect((await stat(fixture.stateFile)).mode & 0o777).toBe(0o600);
  const { keys, passwords } = await fixture.readState();
  expect(secretsOf('account').AUTH_KEY).toBe(keys['account.AUTH_KEY']);
  expect(Object.keys(passwords)).toHaveLength(9);
  expect(secretsOf('messages').CHANNEL_KEY).toBe(secretsOf('account').CHANNEL_KEY);
});

test(
  'a repeat uploads nothing, sends no mail and keeps every secret; another answer uploads what it concerns',
  async () => {
    const before = [uploads().length, JSON.stringify(readDeployment().map(({ fn }) => secretsOf(fn)))];
    const output = await fixture.run({ fetch: fetchUploaded, answers: {} });
    expect(output).toContain('ada@example.org has an account');
    expect([uploads().length, JSON.stringify(readDeployment().map(({ fn }) => secretsOf(fn)))]).toEqual(
      before,
    );
    expect(fixture.mail.sent).toHaveLength(1);
    await stopUploaded();
    await fixture.run({ fetch: fetchUploaded, answers: { MAIL_FROM: 'Vendor <vendor@example.org>' } });
    expect(
      uploads()
        .slice(before[0] as number)
        .toSorted(),
    ).toEqual(['vendor-account', 'vendor-messages']);
    expect(secretsOf('account').MAIL_FROM).toBe('Vendor <vendor@example.org>');
  },
  LONG_MS,
);

test(
  'secrets are rotated: the old AUTH_KEY stays beside the new one until the end',
  async () => {
    const before = Object.fromEntries(readDeployment().map(({ fn }) => [fn, { ...secretsOf(fn) }]));
    const oldKey = before.account?.AUTH_KEY ?? '';
    const seal = (data: string) => symmetricEncrypt({ key: oldKey, data });
    await onDatabase(
      `insert into user_second_factors (user_id, secret, backup_codes) select id, $1, $2 from users`,
      [await seal('a secret'), await seal('["a code"]')],
    );
    const first = uploads().length;
    await stopUploaded();
    const output = await fixture.run({
      fetch: fetchUploaded,
      answers: { MAIL_FROM: 'Vendor <vendor@example.org>' },
      options: { rotate: ['AUTH_KEY', 'CURSOR_KEY', 'DATABASE_URL'] },
    });
    expect(output).toContain('1 second factors encrypted anew');
    expect(output).toContain('--end-rotation');
    const withDatabase = [
      ...['account', 'alerts', 'analytics', 'ingest', 'mcp', 'messages', 'receiver', 'sites', 'telemetry'],
    ];
    expect(uploads().slice(first).toSorted()).toEqual(
      [...withDatabase, 'content'].map((fn) => `vendor-${fn}`).toSorted(),
    );
    for (const fn of withDatabase) expect(secretsOf(fn).DATABASE_URL).not.toBe(before[fn]?.DATABASE_URL);
    for (const fn of ['analytics', 'mcp', 'content'])
      expect(secretsOf(fn).CURSOR_KEY).not.toBe(before[fn]?.CURSOR_KEY);
    expect(secretsOf('analytics').SHARE_KEY).toBe(before.analytics?.SHARE_KEY);
    expect(secretsOf('account').AUTH_KEY_OLD).toBe(oldKey);
    expect(secretsOf('account').AUTH_KEY).not.toBe(oldKey);

    const again = { fetch: fetchUploaded, answers: { MAIL_FROM: 'Vendor <vendor@example.org>' } };
    await expect(fixture.run({ ...again, options: { rotate: ['AUTH_KEY'] } })).rejects.toThrow(
      /lasts already/,
    );
    await stopUploaded();
    await fixture.run({ ...again, options: { endRotation: true } });
    expect(Object.keys(secretsOf('account'))).not.toContain('AUTH_KEY_OLD');
    const [row] = await onDatabase('select secret from user_second_factors', []);
    expect(
      await symmetricDecrypt({ key: secretsOf('account').AUTH_KEY ?? '', data: row?.secret ?? '' }),
    ).toBe('a secret');
    await expect(fixture.run({ ...again, options: { endRotation: true } })).rejects.toThrow(
      /no old AUTH_KEY/,
    );
  },
  LONG_MS,
);

test(
  'without its file, setup keeps the keys that the provider has, and takes no role from anybody unasked',
  async () => {
    const { AUTH_KEY: before } = secretsOf('account');
    const elsewhere = { stateFile: `${fixture.stateFile}.second` };
    await expect(fixture.run({ fetch: fetchUploaded, options: elsewhere })).rejects.toThrow(
      /--new-passwords/,
    );
    await stopUploaded();
    const output = await fixture.run({
      fetch: fetchUploaded,
      only: ['account'],
      options: { ...elsewhere, newPasswords: true },
    });
    expect(output).toContain('vendor-account keeps the AUTH_KEY that it had');
    expect(secretsOf('account').AUTH_KEY).toBe(before);
  },
  LONG_MS,
);

test('takes everything away, after asking twice', async () => {
  const destroy = (options: Parameters<typeof optionsOf>[0], answers?: string[]) => {
    const output: string[] = [];
    const asked = answers && (async () => answers.shift() ?? '');
    const ctx = { env: fixture.env, ask: asked, tell: (line: string) => output.push(line), fetch };
    return runDestroy(ctx, optionsOf({ stateFile: fixture.stateFile, ...options })).then(() =>
      output.join('\n'),
    );
  };
  const { account } = fixture.provider;
  await expect(destroy({})).rejects.toThrow('no terminal');
  await expect(destroy({ yes: true })).rejects.toThrow('no terminal');
  await expect(destroy({}, ['no'])).rejects.toThrow('Nothing was taken away');
  await expect(destroy({}, ['yes', 'vendor'])).rejects.toThrow('Nothing was taken away');
  await destroy({ dryRun: true });
  expect(account.workers.size).toBe(readDeployment().length);
  expect(await destroy({}, ['yes', 'vendor-account'])).toContain('vendor-gateway is gone');
  expect([account.workers.size, account.queues.size]).toEqual([0, 0]);
  await destroy({ yes: true, destroyName: 'vendor-account' });
  expect((await fixture.readState()).keys['account.AUTH_KEY']).toBeDefined();
});
