import { describe, expect, test } from 'vitest';
import { core, links, measure } from '../../../functions/track/tracker.generated.ts';
import { makeWorld } from './world.ts';

const { etag, source, version } = core;

const get = (path: string, headers: Record<string, string> = {}) => makeWorld().request(path, { headers });

test('the script, typed, tagged, and loadable from any page', async () => {
  const response = await get('/tracker.js');
  expect(response.status).toBe(200);
  expect(await response.text()).toBe(source);
  expect(response.headers.get('Content-Type')).toBe('text/javascript; charset=utf-8');
  expect(response.headers.get('ETag')).toBe(etag);
  expect(etag).toMatch(/^"[^"]+"$/);
  expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
  expect(response.headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin');
});

test.each([
  ['/tracker.js', 'public, max-age=14400, stale-while-revalidate=86400'],
  ['/tracker.js?v=0.0.0-other', 'public, max-age=14400, stale-while-revalidate=86400'],
  ['/tracker.js?ver=6.4', 'public, max-age=14400, stale-while-revalidate=86400'],
  [`/tracker.js?v=${version}`, 'public, max-age=31536000, immutable'],
])('%s may be kept: %s', async (path, caching) => {
  expect((await get(path)).headers.get('Cache-Control')).toBe(caching);
});

describe('If-None-Match', () => {
  test.each([etag, `W/${etag}`, '*', `"other", ${etag}`])('%s: the caller has it', async (header) => {
    const response = await get('/tracker.js', { 'If-None-Match': header });
    expect([response.status, await response.text()]).toEqual([304, '']);
    expect(response.headers.get('ETag')).toBe(etag);
    expect(response.headers.get('Cache-Control')).toContain('max-age');
  });
  test.each(['"other"', etag.replaceAll('"', ''), ''])('%j: it is sent', async (header) => {
    expect((await get('/tracker.js', { 'If-None-Match': header })).status).toBe(200);
  });
});

test('HEAD has the headers alone', async () => {
  const response = await makeWorld().request('/tracker.js', { method: 'HEAD' });
  expect([response.status, await response.text(), response.headers.get('ETag')]).toEqual([200, '', etag]);
});

describe.each([
  ['links', links],
  ['measure', measure],
])('the part %s', (name, part) => {
  test('is a module with a tag of its own, kept as long', async () => {
    const response = await get(`/tracker.js?part=${name}`);
    expect([response.status, await response.text()]).toEqual([200, part.source]);
    expect(response.headers.get('Content-Type')).toBe('text/javascript; charset=utf-8');
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=14400, stale-while-revalidate=86400');
    expect(response.headers.get('ETag')).toBe(part.etag);
    expect(part.etag).not.toBe(etag);
  });
  test('is not sent to who has it; the tag of the script is not its own', async () => {
    const path = `/tracker.js?part=${name}`;
    expect((await get(path, { 'If-None-Match': part.etag })).status).toBe(304);
    expect((await get(path, { 'If-None-Match': etag })).status).toBe(200);
  });
});

test.each(['', 'core', 'constructor', 'links,measure'])('no part is called %j', async (name) => {
  expect((await get(`/tracker.js?part=${name}`)).status).toBe(404);
});
