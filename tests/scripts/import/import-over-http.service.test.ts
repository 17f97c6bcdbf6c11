/** `npm run import` against the running service: the program, its token, and what it does where the service refuses or fails. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { importApi } from '../../../scripts/import/import-api.ts';
import { runImport } from '../../../scripts/import/run-import.ts';
import { ROOT } from '../../../tooling/deployment.ts';
import { addApiKey, createTenant, type Tenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';

const stack = useStack();
const FIXTURES = new URL('fixtures/', import.meta.url).pathname;
const PLAUSIBLE = `${FIXTURES}plausible`;

async function command({ token, siteId }: Pick<Tenant, 'token' | 'siteId'>, ...args: string[]) {
  const options = ['scripts/import.ts', '--url', stack().baseUrl, '--site', siteId, ...args];
  const env = { ...process.env, VENDOR_API_TOKEN: token };
  try {
    const { stdout } = await promisify(execFile)('node', options, { cwd: ROOT, env });
    return { code: 0, output: stdout };
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return { code, output: stderr };
  }
}

const visitsOf = async ({ token, siteId }: Tenant): Promise<number> => {
  const path = `/api/v1/sites/${siteId}/analytics/overview?from=2026-03-28&to=2026-03-30`;
  const response = await stack().fetch(path, { headers: { Authorization: `Bearer ${token}` } });
  return ((await response.json()) as { data: { visits: number } }).data.visits;
};

test('imports, lists, undoes', async () => {
  const tenant = await createTenant(stack().sql);
  const dry = await command(tenant, '--from', 'plausible', PLAUSIBLE, '--dry-run');
  expect([dry.code, dry.output]).toEqual([
    0,
    expect.stringContaining('3 days from 2026-03-28 to 2026-03-30, 47 rows'),
  ]);
  expect(await visitsOf(tenant)).toBe(0);
  const imported = await command(tenant, '--from', 'plausible', PLAUSIBLE);
  expect([imported.code, imported.output]).toEqual([0, expect.stringContaining('Imported as ')]);
  expect(await visitsOf(tenant)).toBe(21);
  const listed = await command(tenant, '--list');
  expect(listed.output).toMatch(/^[0-9a-f-]{36} {2}plausible, 2026-03-28 to 2026-03-30, 47 rows\n$/);
  const again = await command(tenant, '--from', 'plausible', PLAUSIBLE);
  expect([again.code, again.output]).toEqual([1, expect.stringContaining('days that were imported before')]);
  expect((await command(tenant, '--undo')).output).toContain('This import is undone.');
  expect(await visitsOf(tenant)).toBe(0);
}, 180_000);

test('what the service refuses is reported in its words, and nothing is imported', async () => {
  const { sql } = stack();
  const tenant = await createTenant(sql);
  const args = ['--from', 'plausible', PLAUSIBLE];
  const reader = await addApiKey(sql, tenant, { access: 'read' });
  for (const [token, sentence] of [
    [reader, 'You may only read here'],
    [`${tenant.token.slice(0, -1)}x`, 'token'],
    ['', 'VENDOR_API_TOKEN must be set'],
  ] as const) {
    const { code, output } = await command({ ...tenant, token }, ...args);
    expect([code, output]).toEqual([1, expect.stringContaining(sentence)]);
    expect(output).not.toMatch(/ {4}at /);
  }
  const stranger = await createTenant(sql);
  expect((await command({ ...tenant, token: stranger.token }, ...args)).output).toContain('No such site.');
  expect(await visitsOf(tenant)).toBe(0);
}, 180_000);

test('answers that are lost, faults and limits: sent again, and each piece counts once', async () => {
  const tenant = await createTenant(stack().sql);
  let calls = 0;
  // Stores what it is sent, and loses the answer of each third request; each fourth isn't passed on.
  const proxy = createServer(async (request, response) => {
    calls += 1;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (calls % 4 === 0) return void response.writeHead(503, { 'Retry-After': '7' }).end('{}');
    const { method = 'GET', headers } = request;
    const answer = await stack().fetch(request.url ?? '', {
      method,
      headers: { Authorization: headers.authorization ?? '', 'Content-Type': headers['content-type'] ?? '' },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const text = await answer.text();
    if (calls % 3 === 0) return void response.destroy();
    response
      .writeHead(answer.status, { 'Content-Type': 'application/json' })
      .end(answer.status === 204 ? '' : text);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const waited: number[] = [];
  const api = importApi({
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    token: tenant.token,
    siteId: tenant.siteId,
    wait: async (ms) => waited.push(ms),
  });
  try {
    await runImport(api, {
      ...{ siteId: tenant.siteId, source: 'plausible', paths: [PLAUSIBLE], dryRun: false, now: Date.now() },
      terminal: { write: () => {} },
    });
  } finally {
    proxy.close();
    proxy.closeAllConnections();
  }
  expect(waited).toContain(7000);
  expect(waited).toContain(500);
  expect(await visitsOf(tenant)).toBe(21);
});
