/** Every row of docs/content.md#errors, over REST and MCP, through HTTP. */
import { describe, expect, test } from 'vitest';
import { useStack } from '../../services/use-stack.ts';
import {
  askMcp,
  askRest,
  contentPath,
  ERAS,
  expectCommonHeaders,
  expectError,
  expectToolError,
  type Fetch,
  mcpRequest,
  nextAddress,
  pathOf,
  searchPath,
} from './client.ts';
import { SAMPLE_GUIDES } from './content-samples.ts';

const stack = useStack({ guides: SAMPLE_GUIDES });
const fetch: Fetch = (path, init) => stack().fetchContent(path, { address: nextAddress(), ...init });

const KNOWN = 'business:facts:en';

describe('400: what breaks a rule', () => {
  test.each([
    ['an unknown parameter', searchPath({ page: 2 })],
    ['a prototype name as a parameter', searchPath({ __proto__: undefined, constructor: 'x' })],
    ['__proto__ as a parameter', '/api/agent/search?__proto__=x'],
    ['a repeated parameter', '/api/agent/search?query=web&query=web'],
    ['a repeated language', '/api/agent/search?language=en&language=es'],
    ['an unknown parameter of a detail', contentPath(KNOWN, { limit: 3 })],
    ['a repeated parameter of a detail', `${contentPath(KNOWN)}?language=en&language=en`],
    ['an unknown type', searchPath({ type: 'page' })],
    ['a type in another case', searchPath({ type: 'Guide' })],
    ['an empty type', searchPath({ type: '' })],
    ['an id with a space', contentPath('guide:a b')],
    ['an id with a slash', contentPath('guide:a/b')],
    ['an id with a dot', contentPath('guide:a.b')],
    ['an id with NUL', contentPath('guide:\0')],
    ['an id with an emoji', contentPath('guide:👩')],
    ['an id with a combining mark', contentPath('guide:mx\u0301')],
    ['an id that is no UTF-8', '/api/agent/content/guide:%ff'],
    ['an id that is no percent-encoding', '/api/agent/content/guide:%zz'],
    ['NUL in a query', searchPath({ query: 'a\0b' })],
  ])('%s', async (_, path) => expectError(await fetch(path), 400, 'invalid_input'));

  test.each<[string, string, Record<string, unknown>]>([
    ['an unknown property', 'search_content', { page: 2 }],
    ['a property that every object has', 'search_content', { constructor: 'x' }],
    ['an unknown property of a list', 'list_services', { limit: 3 }],
    ['an unknown property of a detail', 'get_content', { id: KNOWN, limit: 3 }],
    ['a cursor for a tool that takes none', 'get_service', { slug: 'website-design', cursor: 'x' }],
    ['a property of another tool', 'get_service', { slug: 'website-design', limit: 3 }],
    ['an unknown type', 'search_content', { type: 'page' }],
    ['a number for text', 'search_content', { query: 12 }],
    ['null', 'search_content', { query: null }],
    ['a language that is no text', 'list_services', { language: 1 }],
    ['no id', 'get_content', {}],
    ['no slug', 'get_service', { language: 'en' }],
    ['an id with a space', 'get_content', { id: 'guide:a b' }],
    ['a slug with a dot', 'get_case_study', { slug: 'a.b' }],
    ['an id of another kind', 'get_guide', { id: KNOWN }],
    ['an id of a guide without a slug', 'get_guide', { id: 'guide:' }],
    ['NUL in a query', 'search_content', { query: 'a\0b' }],
    ['a lone surrogate in a query', 'search_content', { query: 'a\ud800b' }],
  ])('tools: %s', async (_, name, args) => expectToolError(fetch, name, args, 'invalid_input'));

  test('several faults are reported at once, by name', async () => {
    const { answer } = await askRest(fetch, searchPath({ query: 'a', type: 'page', limit: 21, sort: 'x' }));
    const message = (answer.error as { message: string }).message;
    for (const field of ['query', 'type', 'limit', 'sort']) expect(message).toContain(`\`${field}\``);
  });

  test.each([
    ['not ours', 'AAAA'],
    ['empty', ''],
    ['of other letters', '!'.repeat(50)],
    ['as long as may be', 'A'.repeat(512)],
    ['too long', 'A'.repeat(513)],
  ])('a cursor that is %s', async (_, cursor) => {
    for (const path of [
      searchPath({ cursor }),
      contentPath(KNOWN, { cursor }),
      contentPath('guide:tides', { cursor }),
    ]) {
      await expectError(await fetch(path), 400, 'invalid_cursor');
    }
    await expectToolError(fetch, 'search_content', { cursor }, 'invalid_cursor');
    await expectToolError(fetch, 'get_content', { id: KNOWN, cursor }, 'invalid_cursor');
    await expectToolError(fetch, 'get_guide', { id: 'guide:tides', cursor }, 'invalid_cursor');
  });
});

describe('403: a denied origin', () => {
  test.each(['/mcp', '/api/agent/search', contentPath(KNOWN), '/nowhere'])('%s', async (path) => {
    const headers = { Origin: 'https://evil.example' };
    await expectError(await fetch(path, { headers }), 403, 'origin_denied');
    await expectError(await fetch(path, { headers, method: 'POST', body: '{}' }), 403, 'origin_denied');
  });
});

describe('404: what is not there', () => {
  test.each([
    ['an unknown guide', contentPath('guide:no-such')],
    ['an unknown service', contentPath('service:no-such:en')],
    ['a service without its language', contentPath('service:website-design')],
    ['an unknown kind', contentPath('page:home:en')],
    ['an id of letters', contentPath('漢字')],
    ['a guide without a slug', contentPath('guide:')],
    ['a prototype name', contentPath('__proto__')],
    ['constructor', contentPath('constructor')],
    ['an unknown language', contentPath(KNOWN, { language: 'fr' })],
    ['an empty language', contentPath(KNOWN, { language: '' })],
    ['a language in another case', contentPath(KNOWN, { language: 'pt-pt' })],
    ['a search in an unknown language', searchPath({ language: 'fr' })],
    ['a static id in another language', contentPath(KNOWN, { language: 'es' })],
    ['a guide in a language that it lacks', contentPath('guide:knots', { language: 'es' })],
    ['a guide that is not in English, without a language', contentPath('guide:ventos')],
    ['the root of the API', '/api/agent'],
    ['no id', '/api/agent/content/'],
    ['more than an id', '/api/agent/content/a/b'],
    ['a slash at the end', '/mcp/'],
    ['an unknown path', '/nowhere'],
    ['an authorization server', '/.well-known/oauth-protected-resource'],
  ])('%s', async (_, path) => expectError(await fetch(path), 404, 'not_found'));

  test.each<[string, string, Record<string, unknown>]>([
    ['search_content', 'in an unknown language', { language: 'fr' }],
    ['get_content', 'in an unknown language', { id: KNOWN, language: 'fr' }],
    ['get_guide', 'in an unknown language', { id: 'guide:tides', language: 'fr' }],
    ['list_services', 'in an unknown language', { language: 'fr' }],
    ['get_service', 'in an unknown language', { slug: 'website-design', language: 'fr' }],
    ['get_case_study', 'in an unknown language', { slug: 'museu-do-sal', language: 'fr' }],
    ['get_business_info', 'in an unknown language', { language: 'fr' }],
    ['get_content', 'by an unknown id', { id: 'service:no-such:en' }],
    ['get_content', 'in another language than the id’s', { id: KNOWN, language: 'es' }],
    ['get_guide', 'in a language that it lacks', { id: 'guide:knots', language: 'es' }],
    ['get_guide', 'without a language that it needs', { id: 'guide:ventos' }],
    ['get_service', 'by an unknown slug', { slug: 'no-such' }],
    ['get_service', 'by a whole id', { slug: 'service:website-design:en' }],
    ['get_case_study', 'by an unknown slug', { slug: 'no-such' }],
    ['get_case_study', 'by a service’s slug', { slug: 'website-design' }],
  ])('%s %s', async (name, _, args) => expectToolError(fetch, name, args, 'not_found'));

  test.each([
    'vendor://business/fr',
    'vendor://services/fr',
    'vendor://guides/fr/guide%3Atides',
    'vendor://guides/es/guide%3Aknots',
    'vendor://guides/en/guide%3Ano-such',
    'vendor://guides/en/business%3Afacts%3Aen',
    'vendor://guides/en/%ff',
    'vendor://pages/en',
  ])('resources: %s', async (uri) => {
    for (const era of ERAS) {
      expect(await askMcp(fetch, 'resources/read', { uri }, era)).toMatchObject({
        error: { code: -32602, message: expect.any(String) },
      });
    }
  });

  test('a completion in an unknown language is empty, without a language it is of the English guides', async () => {
    const ref = { type: 'ref/resource', uri: 'vendor://guides/{language}/{id}' };
    const complete = async (era: (typeof ERAS)[number], context: object) => {
      const params = { ref, argument: { name: 'id', value: 'guide:' }, ...context };
      const { result } = await askMcp(fetch, 'completion/complete', params, era);
      return result?.completion;
    };
    const of = (language: string) => ({ context: { arguments: { language } } });
    for (const era of ERAS) {
      expect(await complete(era, of('fr'))).toMatchObject({ values: [] });
      expect(await complete(era, {})).toEqual(await complete(era, of('en')));
      expect(await complete(era, {})).not.toMatchObject({ values: [] });
    }
  });
});

describe('405: another method', () => {
  test.each(['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'])('%s /mcp', async (method) => {
    const response = await fetch('/mcp', { method });
    expect(response.headers.get('Allow')).toBe('POST');
    await expectError(response, 405, 'method_not_allowed');
  });

  test('HEAD /mcp', async () => {
    const response = await fetch('/mcp', { method: 'HEAD' });
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'POST']);
    expectCommonHeaders(response);
  });

  test.each(['POST', 'PUT', 'DELETE'])('%s of the REST endpoints', async (method) => {
    for (const path of ['/api/agent/search', contentPath(KNOWN)]) {
      const response = await fetch(path, { method });
      expect(response.headers.get('Allow')).toBe('GET, HEAD');
      await expectError(response, 405, 'method_not_allowed');
    }
  });
});

describe('409: the request or its revision changed', () => {
  const first = async (path: string) => (await askRest(fetch, path)).answer.nextCursor as string;

  test.each<[string, Record<string, string | number>]>([
    ['query', { query: 'site' }],
    ['type', { type: 'service' }],
    ['language', { language: 'es' }],
    ['limit', { limit: 4 }],
  ])('of a search: another %s', async (_, change) => {
    const cursor = await first(searchPath({ limit: 3 }));
    const other = { limit: 3, ...change, cursor };
    await expectError(await fetch(searchPath(other)), 409, 'revision_changed');
    await expectToolError(fetch, 'search_content', other, 'revision_changed');
    expect((await askRest(fetch, searchPath({ limit: 3, cursor }))).status).toBe(200);
  });

  test('of a detail: another id, and a search’s cursor', async () => {
    const cursor = await first(contentPath('guide:tides'));
    const foreign = await first(searchPath({ limit: 3 }));
    for (const [id, given] of [
      [KNOWN, cursor],
      ['guide:tides', foreign],
      ['guide:knots', cursor],
    ] as const) {
      await expectError(await fetch(contentPath(id, { cursor: given })), 409, 'revision_changed');
      await expectToolError(fetch, 'get_content', { id, cursor: given }, 'revision_changed');
    }
    await expectError(await fetch(searchPath({ cursor })), 409, 'revision_changed');
    await expectError(
      await fetch(contentPath('guide:tides', { language: 'es', cursor })),
      409,
      'revision_changed',
    );
    await expectToolError(
      fetch,
      'get_guide',
      { id: 'guide:tides', language: 'es', cursor },
      'revision_changed',
    );
  });
});

test('what is neither JSON nor a message is the protocol’s own error, with the headers of every answer', async () => {
  const headers = { 'Content-Type': 'application/json' };
  for (const [body, type, status, code] of [
    ['{', 'application/json', 400, -32700],
    ['[]', 'application/json', 400, -32600],
    ['{}', 'text/plain', 415, -32000],
  ] as const) {
    const response = await fetch('/mcp', {
      method: 'POST',
      headers: { ...headers, 'Content-Type': type },
      body,
    });
    expect([response.status, await response.json()]).toMatchObject([status, { error: { code } }]);
    expectCommonHeaders(response);
  }
});

test('unknown methods and tools are the protocol’s own errors', async () => {
  for (const era of ERAS) {
    expect(await askMcp(fetch, 'no/such', {}, era)).toMatchObject({ error: { code: -32601 } });
    const params = { name: 'no_such', arguments: {} };
    expect(await askMcp(fetch, 'tools/call', params, era)).toMatchObject({ error: { code: -32602 } });
  }
});

test.each<[string, Record<string, unknown>]>([
  ['tools/call', {}],
  ['tools/call', { name: 1 }],
  ['tools/call', { name: 'list_services', arguments: 'en' }],
  ['resources/read', {}],
  ['resources/read', { uri: ['vendor://services/en'] }],
  ['completion/complete', { ref: 'guide' }],
])(
  'parameters that %s can’t take are the client’s fault, named in a sentence: %j',
  async (method, params) => {
    for (const era of ERAS) {
      expect(await askMcp(fetch, method, params, era)).toMatchObject({
        error: { code: -32602, message: expect.not.stringContaining('\n') },
      });
    }
  },
);

test('a sane request id comes back, another is replaced, on successes and errors', async () => {
  for (const path of [searchPath(), '/nowhere', '/mcp']) {
    const own = await fetch(path, { headers: { 'X-Request-Id': 'my-id.1' } });
    expect(own.headers.get('X-Request-Id')).toBe('my-id.1');
    expectCommonHeaders(await fetch(path, { headers: { 'X-Request-Id': 'a b' } }));
  }
});

test('successes bear the headers of every answer', async () => {
  for (const path of [searchPath(), contentPath(KNOWN), pathOf('/api/agent/search', { query: 'web' })]) {
    const response = await fetch(path);
    expect(response.status).toBe(200);
    expectCommonHeaders(response);
  }
  for (const era of ERAS) {
    const response = await fetch(
      '/mcp',
      mcpRequest('tools/call', { name: 'list_services', arguments: {} }, era),
    );
    expect(response.status).toBe(200);
    expectCommonHeaders(response);
  }
  const notification = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
  const headers = { 'Content-Type': 'application/json' };
  const accepted = await fetch('/mcp', { method: 'POST', headers, body: notification });
  expect([accepted.status, await accepted.text()]).toEqual([202, '']);
  expectCommonHeaders(accepted);
});
