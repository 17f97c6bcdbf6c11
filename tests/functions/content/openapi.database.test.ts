/** The OpenAPI document and the discovery documents, and what all descriptions of the service have in common. */
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { ErrorBody } from '../../../functions/content/error-body.ts';
import { asJsonSchema } from '../../../lib/json-schema.ts';
import { askMcp, expectCommonHeaders, expectError, nextAddress } from './client.ts';
import { startService } from './node-service.ts';

const { fetch } = await startService();
const get = (path: string, init: RequestInit = {}) => fetch(path, { ...init, address: nextAddress() });
const readJson = async (path: string) => (await get(path)).json();

interface Document {
  openapi: string;
  info: { title: string; version: string };
  servers: unknown;
  paths: Record<string, Record<string, { responses: Record<string, unknown>; security: unknown }>>;
  components: { schemas: Record<string, object> };
}

test('the document is of this service, at the address that it is deployed at', async () => {
  const document = (await readJson('/openapi.json')) as Document;
  expect(document.openapi).toBe('3.1.0');
  expect(document.info).toMatchObject({ title: 'Vendor content', version: '1.0.0' });
  expect(document.servers).toEqual([{ url: 'https://content.example.com' }]);
  expect(Object.keys(document.paths)).toEqual([
    '/api/agent/search',
    '/api/agent/content/{id}',
    '/mcp',
    '/',
    '/content/{id}',
    '/llms.txt',
    '/openapi.json',
    '/mcp/server-card',
    '/.well-known/ai-catalog.json',
  ]);
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    expect(operation.security).toEqual([]);
    expect(Object.keys(operation.responses)).toEqual(
      expect.arrayContaining(['200', '400', '403', '413', '429', '500']),
    );
  }
});

test('its error is the one that is sent, with all ten codes', async () => {
  const { components } = (await readJson('/openapi.json')) as Document;
  expect(components.schemas.Error).toEqual(asJsonSchema(ErrorBody));
  expect(JSON.stringify(components.schemas.Error).match(/"[a-z_]+(?=")/g)).toEqual(
    expect.arrayContaining(['"revision_changed', '"content_unavailable', '"internal']),
  );
  expect(ErrorBody.entries.error.entries.code.pipe[0].options).toHaveLength(10);
  expect(v.is(ErrorBody, await readJson('/nowhere'))).toBe(true);
});

describe('discovery', () => {
  test('the card says what the server says of itself', async () => {
    const response = await get('/mcp/server-card');
    expect(response.headers.get('Content-Type')).toBe('application/mcp-server-card+json');
    const card = await response.json();
    expect(card).toEqual({
      $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
      name: expect.stringMatching(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
      title: 'Sample: public content',
      description: expect.stringMatching(/^.{1,100}$/),
      version: '1.0.0',
      websiteUrl: 'https://www.example.com',
      remotes: [
        {
          type: 'streamable-http',
          url: 'https://content.example.com/mcp',
          supportedProtocolVersions: ['2026-07-28', '2025-11-25'],
        },
      ],
    });
    const initialize = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    const { result } = await askMcp(fetch, 'initialize', initialize, '2025-11-25');
    const { name, version, title } = card as Record<string, string>;
    expect(result).toMatchObject({ serverInfo: { name: name?.split('/')[1], version, title } });
  });

  test('the catalog at the well-known address leads to the card', async () => {
    const response = await get('/.well-known/ai-catalog.json');
    expect(response.headers.get('Content-Type')).toBe('application/ai-catalog+json');
    expect(await response.json()).toEqual({
      specVersion: '1.0',
      entries: [
        {
          identifier: 'urn:air:example.com:mcp:vendor-content',
          type: 'application/mcp-server-card+json',
          url: 'https://content.example.com/mcp/server-card',
        },
      ],
    });
  });

  test.each([
    '/.well-known/mcp.json',
    '/.well-known/mcp/server-card.json',
    '/.well-known/oauth-protected-resource',
  ])('nothing is at %s', async (path) => expectError(await get(path), 404, 'not_found'));
});

describe.each([
  '/',
  '/content/guide:tides',
  '/llms.txt',
  '/openapi.json',
  '/mcp/server-card',
  '/.well-known/ai-catalog.json',
])('%s', (path) => {
  test('has a strong tag, and is sent again only when it changed', async () => {
    const first = await get(path);
    const etag = first.headers.get('ETag') ?? '';
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    expect(first.headers.get('Cache-Control')).toBe('public, max-age=300');
    expect(first.headers.get('Vary')).toContain('Origin');
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get(path, { headers: { 'If-None-Match': tags } });
      expect([again.status, await again.text(), again.headers.get('ETag')]).toEqual([304, '', etag]);
      for (const name of ['Vary', 'Cache-Control']) {
        expect(again.headers.get(name)).toBe(first.headers.get(name));
      }
      expectCommonHeaders(again);
    }
    expect((await get(path, { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
  });

  test('answers GET and HEAD only, and what isn’t a page without unknown parameters', async () => {
    const head = await get(path, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('ETag')).toBe((await get(path)).headers.get('ETag'));
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const refused = await get(path, { method });
      expect(refused.headers.get('Allow')).toBe('GET, HEAD');
      await expectError(refused, 405, 'method_not_allowed');
    }
    const isPage = path === '/' || path.startsWith('/content/');
    if (!isPage) await expectError(await get(`${path}?x=1`), 400, 'invalid_input');
  });
});
