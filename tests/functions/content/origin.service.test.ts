/** Which pages may send requests (docs/content.md#limits-and-origins). Uses real HTTP, where the client sets `Host` and `Origin`. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { useOwnStack } from '../../services/use-stack.ts';
import {
  contentPath,
  expectCommonHeaders,
  expectError,
  type Fetch,
  mcpRequest,
  nextAddress,
  searchPath,
} from './client.ts';

const APP = 'https://app.example.com';
const DOCS = 'https://docs.example.com:8443';
const stack = useOwnStack({ guides: [], vars: { ALLOWED_ORIGINS: `${APP}, ${DOCS}` } });
const fetch: Fetch = (path, init) => stack().fetchContent(path, { address: nextAddress(), ...init });

const CORS = /^access-control-/;
const corsHeaders = ({ headers }: Response) => [...headers.keys()].filter((name) => CORS.test(name));

const requests: [string, string, RequestInit][] = [
  ['search', searchPath(), {}],
  ['detail', contentPath('business:facts:en'), {}],
  ['MCP', '/mcp', mcpRequest('tools/list', {}, '2026-07-28')],
  ['MCP before', '/mcp', mcpRequest('tools/list', {}, '2025-11-25')],
];
const withOrigin = (init: RequestInit, origin: string): RequestInit => ({
  ...init,
  headers: { ...(init.headers as Record<string, string>), Origin: origin },
});

describe.each(requests)('%s', (_, path, init) => {
  test('without an origin', async () => {
    const response = await fetch(path, init);
    expect(response.status).toBe(200);
    expect(corsHeaders(response)).toEqual([]);
    expect(response.headers.get('Cross-Origin-Resource-Policy')).toBe('same-origin');
  });

  test.each([
    ['the service’s own', () => stack().contentUrl],
    ['allowed', () => APP],
    ['another allowed', () => DOCS],
  ])('of an origin that is %s', async (_name, origin) => {
    const response = await fetch(path, withOrigin(init, origin()));
    expect(response.status).toBe(200);
    expectReadable(response, origin());
  });

  test.each([
    'null',
    'https://evil.example',
    'http://app.example.com',
    'https://app.example.com:444',
    'https://app.example.com.evil.example',
    'https://evil-app.example.com',
    'https://sub.app.example.com',
    'https://APP.example.com',
    'https://app.example.com/',
    'https://app.example.com, https://docs.example.com:8443',
    '*',
    'app.example.com',
    'http://localhost',
    'file://',
  ])('not of %o', async (origin) => {
    const response = await fetch(path, withOrigin(init, origin));
    expect(corsHeaders(response)).toEqual([]);
    await expectError(response, 403, 'origin_denied');
  });
});

function expectReadable(response: Response, origin: string): void {
  expect(response.headers.get('Access-Control-Allow-Origin')).toBe(origin);
  expect(response.headers.get('Access-Control-Allow-Credentials')).toBeNull();
  expect(response.headers.get('Vary')).toContain('Origin');
  expect(response.headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin');
  for (const name of ['X-Request-Id', 'Retry-After', 'RateLimit', 'RateLimit-Policy']) {
    expect(response.headers.get('Access-Control-Expose-Headers')).toContain(name);
  }
}

describe('an allowed page can read every error', () => {
  test.each<[number, string, RequestInit]>([
    [400, searchPath({ limit: 0 }), {}],
    [404, '/nowhere', {}],
    [405, '/mcp', { method: 'DELETE' }],
    [413, '/mcp', { method: 'POST', body: 'x'.repeat(65_537) }],
  ])('%i', async (status, path, init) => {
    const response = await fetch(path, withOrigin(init, APP));
    expect(response.status).toBe(status);
    expectReadable(response, APP);
  });

  test('429', async () => {
    const address = nextAddress();
    let last = await stack().fetchContent('/nowhere', { address });
    for (let n = 0; n < 120 && last.status !== 429; n += 1) {
      last = await stack().fetchContent('/nowhere', { ...withOrigin({}, APP), address });
    }
    expectReadable(last, APP);
    await expectError(last, 429, 'rate_limited');
    const denied = await stack().fetchContent('/nowhere', {
      ...withOrigin({}, 'https://evil.example'),
      address,
    });
    expect(corsHeaders(denied)).toEqual([]);
  });
});

describe('a preflight', () => {
  const asking = (origin: string, method = 'POST'): RequestInit => ({
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': 'content-type,mcp-protocol-version,mcp-method,mcp-name',
    },
  });

  test.each(['/mcp', '/api/agent/search', contentPath('guide:x')])('of an allowed page: %s', async (path) => {
    const response = await fetch(path, asking(APP));
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe(APP);
    expect(response.headers.get('Access-Control-Allow-Methods')).toBe('GET, POST');
    for (const name of ['Content-Type', 'MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name']) {
      expect(response.headers.get('Access-Control-Allow-Headers')).toContain(name);
    }
    expect(response.headers.get('Access-Control-Max-Age')).toBe('86400');
    expect(response.headers.get('Vary')).toContain('Origin');
    expectCommonHeaders(response);
  });

  test('of another page', async () => {
    const response = await fetch('/mcp', asking('https://evil.example'));
    expect(corsHeaders(response)).toEqual([]);
    await expectError(response, 403, 'origin_denied');
  });
});

test('a host that says what the origin says proves nothing', async () => {
  const { host } = new URL(stack().contentUrl);
  const own = { Origin: stack().contentUrl };
  for (const [headers, status] of [
    [{ Host: 'evil.example', Origin: 'http://evil.example' }, 403],
    [{ Host: 'evil.example', Origin: 'https://evil.example' }, 403],
    [{ Host: host, Origin: 'http://evil.example', 'X-Forwarded-Host': 'evil.example' }, 403],
    [{ Host: 'evil.example', ...own }, 200],
    [{ Host: 'evil.example' }, 200],
  ] as const) {
    expect(await statusOf(headers)).toBe(status);
  }
});

/** Sends a request with these headers, since `fetch` sets `Host` itself. */
function statusOf(headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const options = { headers: { ...headers, 'X-Forwarded-For': nextAddress() } };
    const sent = httpRequest(
      new URL(searchPath(), stack().contentUrl),
      options,
      (response: IncomingMessage) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode));
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}
