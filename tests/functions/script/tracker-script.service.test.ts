/** The script and its parts, served by workerd as static assets of their own function. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FILES, SERVED_AS } from '../../../packages/tracker/bundle-tracker.ts';
import { readDeployment } from '../../../tooling/deployment.ts';
import { useStack } from '../../services/use-stack.ts';

const lines: string[] = [];
const stack = useStack({ log: (line) => lines.push(line) });

const functions = readDeployment();
const folder = functions.find(({ fn }) => fn === 'script')?.assets ?? '';
const get = (path: string, init: RequestInit = {}) => stack().fetch(path, init);

describe.each(FILES.map((file) => SERVED_AS[file]))('/%s', (name) => {
  test('is there, typed, tagged, and loadable from any page', async () => {
    const response = await get(`/${name}`);
    expect([response.status, await response.text()]).toEqual([
      200,
      await readFile(join(folder, name), 'utf8'),
    ]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=14400, stale-while-revalidate=86400',
      etag: expect.stringMatching(/^"[^"]+"$/),
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'strict-transport-security': 'max-age=31536000',
    });
    expect(response.headers.get('Set-Cookie')).toBeNull();
  });

  test('is not sent again to who has it', async () => {
    const etag = (await get(`/${name}`)).headers.get('ETag') ?? '';
    for (const header of [etag, `W/${etag}`]) {
      const response = await get(`/${name}`, { headers: { 'If-None-Match': header } });
      expect([response.status, await response.text(), response.headers.get('ETag')]).toEqual([304, '', etag]);
      expect(response.headers.get('Cache-Control')).toContain('max-age=14400');
    }
    expect((await get(`/${name}`, { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
  });

  test('whatever the query; content systems put their own into the addresses of scripts', async () => {
    const [plain, asked] = await Promise.all([get(`/${name}`), get(`/${name}?ver=6.4&part=links`)]);
    expect([asked.status, await asked.text()]).toEqual([200, await plain.text()]);
  });

  test('HEAD has the headers alone, and other methods get the allowed ones', async () => {
    const [head, post] = await Promise.all([
      get(`/${name}`, { method: 'HEAD' }),
      get(`/${name}`, { method: 'POST' }),
    ]);
    expect([head.status, await head.text(), head.headers.get('Content-Type')]).toEqual([
      200,
      '',
      'text/javascript; charset=utf-8',
    ]);
    expect([post.status, post.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
  });
});

test('the function isn’t asked for them; what isn’t among them is its own, or nobody’s', async () => {
  expect(lines.filter((line) => line.startsWith('script'))).toEqual([]);
  for (const path of ['/tracker.js/', '/tracker.jsx', '/_headers', '/tracker', '/tracker.js/_headers']) {
    const response = await get(path);
    expect([path, response.status, await response.json()]).toMatchObject([path, 404, { error: 'NOT_FOUND' }]);
  }
  const policy = await get('/api/v1/policy?site=');
  expect([policy.status, await policy.json()]).toMatchObject([400, { error: 'VALIDATION_ERROR' }]);
});

test('no files are looked for ahead of a page view', () => {
  expect(functions.find(({ fn }) => fn === 'track')).not.toHaveProperty('assets');
});
