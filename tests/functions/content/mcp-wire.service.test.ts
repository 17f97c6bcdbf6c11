/** MCP on the wire: the answer to each kind of message, in both eras. */
import { describe, expect, test } from 'vitest';
import { useStack } from '../../services/use-stack.ts';
import { ERAS, type Era, expectError, mcpRequest, nextAddress } from './client.ts';
import { SAMPLE_GUIDES } from './content-samples.ts';
import {
  CAPABILITIES_KEY,
  changed,
  expectNothing,
  expectRefusal,
  expectResult,
  initialize,
  nested,
  notification,
  type Parts,
  post,
  VERSION_KEY,
} from './mcp-messages.ts';

const stack = useStack({ guides: SAMPLE_GUIDES });
const ask = (init: RequestInit, path = '/mcp'): Promise<Response> =>
  stack().fetchContent(path, { address: nextAddress(), ...init });

const LIST: [string, Record<string, unknown>] = ['tools/list', {}];
const CALL: [string, Record<string, unknown>] = ['tools/call', { name: 'list_services', arguments: {} }];
const READ: [string, Record<string, unknown>] = ['resources/read', { uri: 'vendor://services/en' }];

describe.each(ERAS)('%s', (era) => {
  const modern = era === '2026-07-28';
  const headers = modern ? { 'MCP-Protocol-Version': era, 'Mcp-Method': 'tools/list' } : {};
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

  test.each<[string, string | Uint8Array<ArrayBuffer> | object, number]>([
    ['a batch', [message], -32600],
    ['an empty batch', [], -32600],
    ['null', 'null', -32600],
    ['a number', '1', -32600],
    ['no version of JSON-RPC', { id: 1, method: 'tools/list' }, -32600],
    ['another version of JSON-RPC', { ...message, jsonrpc: '1.0' }, -32600],
    ['a method that is no text', { ...message, method: 3 }, -32600],
    ['parameters that are no object', { ...message, params: [1] }, -32600],
    ['nothing', '', -32700],
    ['no JSON', '{"jsonrpc":', -32700],
    ['bytes that are no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]), -32700],
  ])('%s is refused', async (_, body, code) => {
    const response = await ask(post(body, headers));
    await expectRefusal(
      response,
      400,
      code,
      expect.toSatisfy((id) => id === null || id === 1),
    );
  });

  test.each(['', 'a', 0, -1])('the id %j comes back', async (id) => {
    const response = await ask(changed(LIST, era, (parts) => Object.assign(parts.message, { id })));
    expect([response.status, await response.json()]).toMatchObject([200, { id }]);
  });

  test.each([null, true, 1.5, {}, []])('the id %j is refused', async (id) => {
    const response = await ask(changed(LIST, era, (parts) => Object.assign(parts.message, { id })));
    await expectRefusal(response, 400, -32600, typeof id === 'number' ? id : null);
  });

  test.each([1_000, 30_000])('%i arrays in each other do no harm', async (depth) => {
    const { body, ...init } = mcpRequest(
      'tools/call',
      { name: 'list_services', arguments: { language: 0 } },
      era,
    );
    const deep = String(body).replace('"language":0', `"language":${nested(depth)}`);
    expect(await expectResult(await ask({ ...init, body: deep }))).toMatchObject({ isError: true });
  });

  test.each([
    'no/such',
    'prompts/list',
    'logging/setLevel',
    'resources/subscribe',
    'subscriptions/listen',
    'tasks/get',
    ...(modern ? ['ping'] : ['server/discover']),
  ])('%s is unknown', async (method) => {
    await expectRefusal(await ask(mcpRequest(method, {}, era)), modern ? 404 : 200, -32601);
  });

  test.each<[string, string, Record<string, unknown>]>([
    ['an unknown tool', 'tools/call', { name: 'no_such', arguments: {} }],
    ['arguments that are no object', 'tools/call', { name: 'list_services', arguments: [] }],
    ['an unknown resource', 'resources/read', { uri: 'vendor://nothing/en' }],
    ['a resource of another scheme', 'resources/read', { uri: 'file:///etc/passwd' }],
    ['no address', 'resources/read', { uri: 'no address' }],
    [
      'an unknown template',
      'completion/complete',
      { ref: { type: 'ref/resource', uri: 'vendor://x/{y}' }, argument: { name: 'y', value: '' } },
    ],
  ])('%s', async (_, method, params) => {
    await expectRefusal(await ask(mcpRequest(method, params, era)), 200, -32602);
  });

  test('an unknown property is a mistake of the call', async () => {
    const params = { name: 'list_services', arguments: { page: 2 } };
    const result = await expectResult(await ask(mcpRequest('tools/call', params, era)));
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('`page`') }] });
  });

  test.each(['notifications/initialized', 'notifications/cancelled', 'notifications/unknown', 'tools/list'])(
    '%s without an id is taken in silence',
    async (method) => expectNothing(await ask(notification(method, era))),
  );

  test.each([{ result: {} }, { error: { code: 1, message: 'no' } }])('an answer: %j', async (answer) => {
    const version = { 'MCP-Protocol-Version': era };
    const response = await ask(post({ jsonrpc: '2.0', id: 1, ...answer }, version));
    if (modern) await expectRefusal(response, 400, -32600);
    else await expectNothing(response);
  });

  test.each(['application/json', 'text/event-stream', '*/*', ''])(
    'Accept: %s is answered JSON',
    async (accept) => {
      for (const request of [LIST, CALL, READ]) {
        const init = changed(request, era, (parts) => Object.assign(parts.headers, { Accept: accept }));
        await expectResult(await ask(init));
      }
    },
  );

  test('a session id is ignored', async () => {
    const init = changed(CALL, era, (parts) => Object.assign(parts.headers, { 'Mcp-Session-Id': 'mine' }));
    await expectResult(await ask(init));
    await expectResult(await ask(post(initialize(era), { 'Mcp-Session-Id': 'mine' })));
  });

  test('initialize agrees', async () => {
    const result = await expectResult(await ask(post(initialize(era))));
    expect(result).toMatchObject({
      protocolVersion: era,
      serverInfo: { name: 'vendor-content', version: '1.0.0' },
      instructions: expect.any(String),
    });
    await expectNothing(
      await ask(
        post({ jsonrpc: '2.0', method: 'notifications/initialized' }, { 'MCP-Protocol-Version': era }),
      ),
    );
  });

  test('initialize without an id is taken in silence, with a wrong one refused', async () => {
    const { id, ...silent } = initialize(era);
    await expectNothing(await ask(post(silent)));
    await expectRefusal(await ask(post({ ...silent, id: null })), 400, -32600, null);
    const { clientInfo, ...params } = silent.params;
    await expectRefusal(await ask(post({ ...silent, id, params })), 200, -32602);
  });

  test.each<[string, Record<string, unknown>, 'ABOUT' | 'HELD']>([
    ['tools/list', {}, 'ABOUT'],
    ['resources/templates/list', {}, 'ABOUT'],
    ['resources/list', {}, 'HELD'],
    ['resources/read', { uri: 'vendor://business/en' }, 'HELD'],
    ...(modern ? [['server/discover', {}, 'ABOUT'] as [string, Record<string, unknown>, 'ABOUT']] : []),
  ])('%s tells how long it holds in the era that knows it', async (method, params, lasting) => {
    const result = await expectResult(await ask(mcpRequest(method, params, era)));
    const hints = {
      resultType: 'complete',
      ttlMs: lasting === 'ABOUT' ? 3_600_000 : 300_000,
      cacheScope: 'public',
    };
    if (modern) expect(result).toMatchObject(hints);
    else for (const key of Object.keys(hints)) expect(result).not.toHaveProperty(key);
  });
});

describe('headers and body of 2026-07-28', () => {
  const without = (name: string) => (parts: Parts) => delete parts.headers[name];
  const with_ = (name: string, value: string) => (parts: Parts) =>
    Object.assign(parts.headers, { [name]: value });
  test.each<[string, [string, Record<string, unknown>], (parts: Parts) => void]>([
    ['no version', CALL, without('MCP-Protocol-Version')],
    ['another version', CALL, with_('MCP-Protocol-Version', '2025-11-25')],
    ['no method', CALL, without('Mcp-Method')],
    ['another method', CALL, with_('Mcp-Method', 'tools/list')],
    ['no tool', CALL, without('Mcp-Name')],
    ['another tool', CALL, with_('Mcp-Name', 'get_service')],
    ['no resource', READ, without('Mcp-Name')],
    ['another resource', READ, with_('Mcp-Name', 'vendor://services/es')],
  ])('%s in the headers', async (_, request, change) => {
    await expectRefusal(await ask(changed(request, '2026-07-28', change)), 400, -32020);
  });

  const meta = (change: (meta: Record<string, unknown>) => void) => (parts: Parts) =>
    change((parts.message.params as { _meta: Record<string, unknown> })._meta);
  test.each<[string, (parts: Parts) => void]>([
    ['no parameters', ({ message }) => delete message.params],
    ['no _meta', ({ message }) => Object.assign(message, { params: {} })],
    ['no version in _meta', meta((entries) => delete entries[VERSION_KEY])],
    ['no capabilities in _meta', meta((entries) => delete entries[CAPABILITIES_KEY])],
  ])('%s', async (_, change) => {
    await expectRefusal(await ask(changed(LIST, '2026-07-28', change)), 400, -32602);
  });

  test('a version that nobody knows', async () => {
    const requested = '2099-01-01';
    const init = changed(LIST, '2026-07-28', (parts) => {
      meta((entries) => Object.assign(entries, { [VERSION_KEY]: requested }))(parts);
      with_('MCP-Protocol-Version', requested)(parts);
    });
    const response = await ask(init);
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { id: 1, error: { code: -32022, data: { supported: ['2026-07-28'], requested } } },
    ]);
  });

  test('the name of a client may be left out, and the answer has the name of the server', async () => {
    const result = await expectResult(await ask(mcpRequest(...LIST, '2026-07-28')));
    const info = { 'io.modelcontextprotocol/serverInfo': { name: 'vendor-content' } };
    expect(result._meta).toMatchObject(info);
  });
});

describe('versions before', () => {
  test.each<[string, string]>([
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-03-26'],
    ['2099-01-01', '2025-11-25'],
  ])('initialize for %s agrees on %s', async (asked, agreed) => {
    const result = await expectResult(await ask(post(initialize(asked))));
    expect(result.protocolVersion).toBe(agreed);
  });

  test('a header with a version that nobody knows', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const response = await ask(post(message, { 'MCP-Protocol-Version': '1999-01-01' }));
    await expectRefusal(response, 400, -32000, null);
  });
});

describe('HTTP', () => {
  test.each(['GET', 'DELETE', 'PUT', 'PATCH'])('%s /mcp', async (method) => {
    for (const era of ERAS) {
      const headers = { 'MCP-Protocol-Version': era, Accept: 'text/event-stream', 'Mcp-Session-Id': 'mine' };
      const response = await ask({ method, headers });
      expect(response.headers.get('Allow')).toBe('POST');
      await expectError(response, 405, 'method_not_allowed');
    }
  });

  const typed = (type: string, era: Era) =>
    changed(LIST, era, (parts) => Object.assign(parts.headers, { 'Content-Type': type }));
  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/vnd.api+json', ''])(
    'Content-Type: %s',
    async (type) => {
      for (const era of ERAS) await expectRefusal(await ask(typed(type, era)), 415, -32000, null);
    },
  );
  test.each(['application/json; charset=utf-8', 'Application/JSON'])('Content-Type: %s', async (type) => {
    for (const era of ERAS) await expectResult(await ask(typed(type, era)));
  });

  test('a body that is too large', async () => {
    const init = changed(LIST, '2026-07-28', ({ message }) =>
      Object.assign(message, { padding: 'x'.repeat(65_536) }),
    );
    await expectError(await ask(init), 413, 'body_too_large');
  });

  test.each(['oauth-protected-resource', 'oauth-protected-resource/mcp', 'oauth-authorization-server'])(
    '/.well-known/%s',
    async (name) => expectError(await ask({}, `/.well-known/${name}`), 404, 'not_found'),
  );

  test('a denied origin, before anything else', async () => {
    for (const era of ERAS) {
      const init = changed(LIST, era, ({ headers }) =>
        Object.assign(headers, { Origin: 'https://evil.example' }),
      );
      await expectError(await ask(init), 403, 'origin_denied');
    }
  });
});
