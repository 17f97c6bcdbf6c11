import { expect, test } from 'vitest';
import { createDocsApp } from '../../../functions/docs/app.ts';

const app = createDocsApp({ log: () => {} });
const get = (path: string, headers: Record<string, string> = {}) => app.request(path, { headers }, {});

test('the document has a strong tag, and is sent again only when it changed', async () => {
  const first = await get('/api/openapi.json');
  expect(first.status).toBe(200);
  expect(first.headers.get('Content-Type')).toMatch(/^application\/json/);
  expect(await first.json()).toMatchObject({ openapi: '3.1.0' });
  const etag = first.headers.get('ETag') ?? '';
  expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
  for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await get('/api/openapi.json', { 'If-None-Match': tags });
    expect([again.status, await again.text(), again.headers.get('ETag')]).toEqual([304, '', etag]);
  }
  expect((await get('/api/openapi.json', { 'If-None-Match': '"other"' })).status).toBe(200);
});

test('everything that nobody answers is 404 in the envelope', async () => {
  for (const path of ['/', '/api', '/api/v1/nothing', '/internal/sites/x/policy', '/%00', '/..%2f']) {
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: 'NOT_FOUND' });
  }
  expect((await app.request('/api/openapi.json', { method: 'POST' }, {})).status).toBe(405);
  expect((await get('/api/openapi.json?x=1')).status).toBe(400);
});
