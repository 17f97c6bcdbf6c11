import fc from 'fast-check';
import { encodeJson, garbage, hostileText, hostileValue, MARK } from '../../security/hostile-values.ts';
import type { Attempt } from '../attempt.ts';
import { TARGETS } from '../targets.ts';

const MCP = TARGETS.filter(({ route }) => route.path === '/mcp' && route.method === 'POST');
const METHODS = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/read',
  'prompts/get',
  'server/discover',
];
const TOOLS = ['search_content', 'get_content', 'list_services'];
const META = 'io.modelcontextprotocol/';

const version = fc.constantFrom('2026-07-28', '2025-11-25', '2024-11-05', '', MARK, '9999-99-99');
const method = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...METHODS) },
  { weight: 1, arbitrary: hostileText },
);
const argument = fc.dictionary(
  fc.constantFrom('query', 'language', 'type', 'limit', 'cursor', 'id', '__proto__', 'x'),
  hostileValue,
  { maxKeys: 4 },
);
const parameters = fc.oneof(
  fc.record({
    name: fc.oneof(fc.constantFrom(...TOOLS), hostileText),
    arguments: fc.oneof(argument, hostileValue),
    uri: hostileText,
    cursor: hostileValue,
  }),
  hostileValue,
);
const message = fc
  .record({
    jsonrpc: fc.oneof(
      { weight: 8, arbitrary: fc.constant<unknown>('2.0') },
      { weight: 1, arbitrary: hostileValue },
    ),
    id: fc.oneof({ weight: 6, arbitrary: fc.constant<unknown>(1) }, { weight: 1, arbitrary: hostileValue }),
    method,
    params: parameters,
  })
  .chain((made) =>
    version.map((era) => ({
      ...made,
      params:
        typeof made.params === 'object' && made.params !== null
          ? { ...made.params, _meta: { [`${META}protocolVersion`]: era, [`${META}clientCapabilities`]: {} } }
          : made.params,
    })),
  );

/** A name that may stand in a header. */
const headerName = fc.oneof(
  fc.constantFrom(...TOOLS, '', MARK),
  fc.base64String({ maxLength: 30 }).map((text) => `=?base64?${text}?=`),
);

const accept = fc.oneof(
  { weight: 4, arbitrary: fc.constant('application/json, text/event-stream') },
  { weight: 1, arbitrary: fc.constantFrom('application/json', 'text/event-stream', '*/*') },
);

/** A call in the older protocol that is valid except for its arguments. */
const call = fc.record({ name: fc.constantFrom(...TOOLS), arguments: argument }).map((params) => ({
  body: encodeJson({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  headers: { 'MCP-Protocol-Version': '2025-11-25' },
}));

const anything = fc.record({
  body: fc.oneof(
    { weight: 6, arbitrary: message.map(encodeJson) },
    { weight: 1, arbitrary: fc.array(message, { maxLength: 30 }).map(encodeJson) },
    { weight: 2, arbitrary: garbage },
  ),
  headers: fc.record({
    'MCP-Protocol-Version': version,
    'Mcp-Method': fc.constantFrom(...METHODS, MARK),
    'Mcp-Name': headerName,
  }),
});

export const hostileMcp = (): fc.Arbitrary<Attempt> =>
  fc
    .tuple(fc.constantFrom(...MCP), fc.oneof(call, anything), accept)
    .map(([target, { body, headers }, types]) => ({
      ...target,
      path: '/mcp',
      init: {
        method: 'POST',
        headers: { ...headers, Accept: types, 'Content-Type': 'application/json' },
        body,
      },
    }));
