/** Hostile requests to the content service. */
import fc from 'fast-check';
import { contentPath, ERAS, type Era, mcpRequest } from './client.ts';
import { badShape, badText, CANARY, encodeLoosely, NAMES, REACHING } from './hostile-values.ts';

export interface HostileRequest {
  path: string;
  init: RequestInit;
  /**
   * `refused`: a 4xx. `tool`: a tool's error. `protocol`: an error of JSON-RPC, or a result if the input happens to be valid. `any`: any
   * documented answer.
   */
  expected: 'refused' | 'tool' | 'protocol' | 'any';
  /** Errors of the protocol itself name the unknown tool, method or address. */
  mayEcho?: boolean;
}

/** The fields of each tool. */
const FIELDS: Record<string, readonly string[]> = {
  search_content: ['query', 'type', 'language', 'limit', 'cursor'],
  get_content: ['id', 'language', 'cursor'],
  get_guide: ['id', 'language', 'cursor'],
  list_services: ['language'],
  get_service: ['slug', 'language'],
  get_case_study: ['slug', 'language'],
  get_business_info: ['language'],
};
/** Valid input, so that only the hostile part is wrong. */
const GOOD: Record<string, Record<string, string>> = {
  get_content: { id: 'business:facts:en' },
  get_guide: { id: 'guide:tides' },
  get_service: { slug: 'website-design' },
  get_case_study: { slug: 'museu-do-sal' },
};

const era = fc.constantFrom<Era>(...ERAS);
const tool = fc.constantFrom(...Object.keys(FIELDS));

/** Assigning to `__proto__` wouldn't create a property. */
const withField = (args: object, name: string, value: unknown): object =>
  Object.defineProperty({ ...args }, name, { value, enumerable: true });

const callOf = (name: string, args: unknown, at: Era): RequestInit =>
  mcpRequest('tools/call', { name, arguments: args }, at);

/** A search accepts any query of up to 200 code points. */
const tooLong = (text: string): string => text + 'z'.repeat(Math.max(0, 201 - [...text].length));

/** A search accepts any query of valid length, so the query is made too long. */
const spoil = (field: string): fc.Arbitrary<unknown> => {
  if (field === 'query') return fc.oneof(badShape, badText.map(tooLong));
  if (field === 'limit')
    return fc.oneof(
      badText,
      badShape.filter((value) => typeof value !== 'number' || value < 1),
    );
  return fc.oneof(badText, badShape);
};

const wrongField = fc.tuple(tool, era, fc.nat(4)).chain(([name, at, pick]) => {
  const fields = FIELDS[name] ?? [];
  const field = fields[pick % fields.length] ?? 'language';
  return spoil(field).map((value) => callOf(name, withField(GOOD[name] ?? {}, field, value), at));
});
const unknownField = fc
  .tuple(tool, era, fc.oneof(fc.constantFrom(...REACHING), badText), fc.oneof(badText, badShape))
  .map(([name, at, field, value]) => callOf(name, withField(GOOD[name] ?? {}, field, value), at));

const hostileArguments: fc.Arbitrary<HostileRequest> = fc
  .oneof(wrongField, unknownField)
  .map((init) => ({ path: '/mcp', init, expected: 'tool' }));

/** The protocol itself refuses arguments that aren't an object. */
const hostileParams: fc.Arbitrary<HostileRequest> = fc
  .tuple(
    fc.constantFrom(
      'tools/call',
      'resources/read',
      'completion/complete',
      'tools/list',
      'resources/list',
      'ping',
      'initialize',
      'server/discover',
      'logging/setLevel',
      'prompts/get',
      'subscriptions/listen',
      ...NAMES,
    ),
    fc.dictionary(
      fc.constantFrom(
        'name',
        'arguments',
        'uri',
        'ref',
        'argument',
        'context',
        'cursor',
        'protocolVersion',
        'capabilities',
        '_meta',
        ...NAMES,
      ),
      fc.oneof(badText, badShape),
      { maxKeys: 4 },
    ),
    era,
  )
  .map(([method, params, at]) => ({
    path: '/mcp',
    init: mcpRequest(method, params, at),
    expected: 'protocol',
    mayEcho: true,
  }));

const hostileUri: fc.Arbitrary<HostileRequest> = fc
  .tuple(
    fc.constantFrom(
      'vendor://guides/en/',
      'vendor://guides/',
      'vendor://business/',
      'vendor://services/',
      'vendor://',
      'file:///',
      '',
    ),
    fc.oneof(badText, badText.map(encodeLoosely), fc.constantFrom('%ff', '%', '../..', '__proto__')),
    era,
  )
  .map(([start, rest, at]) => ({
    path: '/mcp',
    init: mcpRequest('resources/read', { uri: start + rest }, at),
    expected: 'protocol',
    mayEcho: true,
  }));

const BROKEN_BODIES = fc.oneof(
  fc.constantFrom('', '{', '[]', 'null', '1', '"text"', '{}', '\0', `{"${CANARY}`, '[[[['),
  fc.constant(`${'['.repeat(30_000)}${']'.repeat(30_000)}`),
  fc.constant(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`),
  fc.constant(
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
  ),
  fc.constant('x'.repeat(70_000)),
  fc.uint8Array({ minLength: 1, maxLength: 50 }).map((bytes) => new Uint8Array([0x7b, 0xff, ...bytes])),
  fc
    .anything({ withNullPrototype: false, maxDepth: 3 })
    .map((value) => JSON.stringify(value, asJson) ?? 'null'),
  badText,
  badShape.map((value) => JSON.stringify(value)),
  badShape.map((value) => JSON.stringify({ jsonrpc: '2.0', id: value, method: value, params: value })),
  badShape.map((value) => JSON.stringify({ jsonrpc: value, id: CANARY, method: 'tools/list', params: {} })),
);
const asJson = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

const hostileBody: fc.Arbitrary<HostileRequest> = fc
  .tuple(
    BROKEN_BODIES,
    fc.constantFrom(
      'application/json',
      'application/json',
      'application/json; charset=utf-8',
      'text/plain',
      'multipart/form-data',
      '',
    ),
  )
  .map(([body, type]) => ({
    path: '/mcp',
    init: { method: 'POST', headers: { 'Content-Type': type }, body },
    expected: 'protocol',
    mayEcho: true,
  }));

const headerText = fc.constantFrom(
  '2026-07-28',
  '2025-11-25',
  '1999-01-01',
  CANARY,
  '',
  '__proto__',
  'a, b',
  '\u00ff',
);
const hostileHeaders: fc.Arbitrary<HostileRequest> = fc
  .tuple(
    tool,
    era,
    fc.constantFrom(
      'MCP-Protocol-Version',
      'Mcp-Method',
      'Mcp-Name',
      'Accept',
      'Mcp-Session-Id',
      'Last-Event-ID',
      'Content-Type',
    ),
    headerText,
  )
  .map(([name, at, header, value]) => {
    const init = callOf(name, GOOD[name] ?? {}, at);
    const headers = { ...(init.headers as Record<string, string>), [header]: value };
    return { path: '/mcp', init: { ...init, headers }, expected: 'any', mayEcho: true };
  });

/** An unknown parameter. Errors repeat its name, because it is a plain word. */
const UNKNOWN = 'unknown';
const parameter = fc.constantFrom('query', 'type', 'language', 'limit', 'cursor', UNKNOWN, ...NAMES);
const hostileSearch: fc.Arbitrary<HostileRequest> = fc.tuple(parameter, badText).map(([name, text]) => {
  const value = name === 'query' ? tooLong(text) : text;
  return {
    path: `/api/agent/search?${encodeLoosely(name)}=${encodeLoosely(value).slice(0, 6000)}`,
    init: {},
    expected: 'refused',
  };
});
const hostileRead: fc.Arbitrary<HostileRequest> = fc
  .oneof(
    badText.map((text) => `/api/agent/content/${encodeLoosely(text).slice(0, 6000)}`),
    fc.constantFrom(...NAMES).map((name) => contentPath(name)),
    fc
      .constantFrom(...NAMES, '%ff', '%', '%zz', '..%2f..%2f', '%00', '%2e%2e')
      .map((name) => `/api/agent/content/${CANARY}${name}`),
    fc
      .tuple(fc.constantFrom('language', 'cursor', UNKNOWN, ...NAMES), badText)
      .map(
        ([name, text]) =>
          `/api/agent/content/business:facts:en?${name}=${encodeLoosely(text).slice(0, 6000)}`,
      ),
    fc.constantFrom(
      '/%00',
      '/x//y',
      '/.env',
      '/api/agent/../../x',
      '/mcp%2f',
      `/${CANARY}`,
      '/api/agent/content',
      '/API/AGENT/SEARCH',
    ),
  )
  .map((path) => ({ path, init: {}, expected: 'refused' }));

/** `count` hostile requests of all kinds, the same for the same seed. */
export const hostileRequests = (count: number, seed: number): HostileRequest[] =>
  fc.sample(
    fc.oneof(
      { weight: 5, arbitrary: hostileArguments },
      { weight: 2, arbitrary: hostileParams },
      { weight: 2, arbitrary: hostileUri },
      { weight: 2, arbitrary: hostileBody },
      { weight: 1, arbitrary: hostileHeaders },
      { weight: 3, arbitrary: hostileSearch },
      { weight: 3, arbitrary: hostileRead },
    ),
    { numRuns: count, seed },
  );
