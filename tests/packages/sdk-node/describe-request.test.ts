/** What a span says of a request that came in: the same as OpenTelemetry's own instrumentation says. */
import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeRequest } from '../../../packages/sdk-node/src/instrument/describe-request.ts';

/** A dependency of the SDK, which doesn't export what it describes requests with. */
const OFFICIAL = '@opentelemetry/instrumentation-http';
const ofSdk = createRequire(new URL('../../../packages/sdk-node/package.json', import.meta.url));
const { getIncomingRequestAttributes: describeOfficially } = (await import(
  /* @vite-ignore */ ofSdk.resolve(OFFICIAL).replace(/index\.\w+$/, 'utils.mjs')
)) as { getIncomingRequestAttributes(request: unknown, options: object, diag: object): object };

const REVEALED = { queryStrings: true, clientAddresses: true, userAgents: true, errorMessages: true };
const HIDDEN = { queryStrings: false, clientAddresses: false, userAgents: false, errorMessages: false };

const requestOf = (parts: object): IncomingMessage =>
  ({
    ...{ method: 'GET', url: '/', httpVersion: '1.1', headers: { host: 'shop.example' } },
    socket: { remoteAddress: '192.0.2.1', remotePort: 4711 },
    ...parts,
  }) as IncomingMessage;

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const host = fc.oneof(
  fc.domain(),
  fc.tuple(fc.domain(), fc.nat(65535)).map(([name, port]) => `${name}:${port}`),
  fc.constantFrom('localhost', '127.0.0.1:3000', '[::1]', '[2001:db8::1]:8080'),
);
const anyHost = fc.oneof(host, fc.constantFrom('a:b:c', 'un der.example'));
const address = fc.oneof(
  fc.ipV4(),
  fc.ipV6().map((ip) => `[${ip}]`),
  fc.ipV4().map((ip) => `${ip}:4711`),
  fc.constantFrom('unknown', '_hidden', '[2001:db8::1]:47011'),
);
const proto = fc.constantFrom('http', 'https', 'wss');
const forwarded = fc
  .array(
    fc
      .record({ for: optional(address), host: optional(anyHost), proto: optional(proto) })
      .map((pairs) =>
        Object.entries(pairs).flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${value}"`])),
      )
      .filter((pairs) => pairs.length > 0)
      .map((pairs) => pairs.join(';')),
    { minLength: 1, maxLength: 3 },
  )
  .map((elements) => elements.join(', '));
const segment = fc.oneof(
  fc.stringMatching(/^[a-z0-9._~-]{0,8}$/),
  fc.constantFrom(
    '.',
    '..',
    '%2e%2e',
    'caf%C3%A9',
    'a b',
    'ü',
    '"',
    '\\',
    ':',
    '@me',
    '*',
    'a|b',
    "it's",
    '^',
    '{id}',
  ),
);
const url = fc
  .tuple(
    fc.array(segment, { maxLength: 4 }).map((segments) => `/${segments.join('/')}`),
    fc.oneof(
      fc.constant(''),
      fc.constantFrom('?', '?q=1&q=2', '?sig=secret&x=ü', '?a=b#c', '?X-Amz-Signature=s'),
    ),
  )
  .map((parts) => parts.join(''));

const request = fc
  .record({
    method: fc.constantFrom('GET', 'POST', 'QUERY', 'get', 'PROPFIND', 'Patch'),
    url: fc.oneof(
      url,
      fc.constantFrom('*', 'shop.example:443', 'http://other.example/a?b=c', '//evil.example/x', ''),
    ),
    httpVersion: fc.constantFrom('1.0', '1.1'),
    headers: fc.record({
      host: optional(host),
      forwarded: optional(forwarded),
      'x-forwarded-host': optional(anyHost),
      'x-forwarded-proto': optional(proto),
      'x-forwarded-for': optional(
        fc.array(address, { minLength: 1, maxLength: 2 }).map((all) => all.join(', ')),
      ),
      'user-agent': optional(fc.constantFrom('curl/8', 'Googlebot/2.1')),
    }),
  })
  .map(requestOf);

const known = (attributes: object): object =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
const officially = (given: IncomingMessage, component: string) =>
  known(describeOfficially(given, { component }, { verbose() {} }));

test('says the same as the official instrumentation, if everything is revealed', () => {
  fc.assert(
    fc.property(request, fc.constantFrom('http' as const, 'https' as const), (given, scheme) => {
      expect(describeRequest(given, scheme, REVEALED)).toEqual(officially(given, scheme));
    }),
    { numRuns: 2000 },
  );
});

test('reads nothing that is hidden', () => {
  fc.assert(
    fc.property(request, (given) => {
      const {
        'url.query': _query,
        'client.address': _client,
        'network.peer.address': _peer,
        'network.peer.port': _port,
        'user_agent.original': _agent,
        ...rest
      } = officially(given, 'http') as Record<string, unknown>;
      expect(describeRequest(given, 'http', HIDDEN)).toEqual(rest);
    }),
    { numRuns: 2000 },
  );
});

test('a path is reported also where the host makes no URL', () => {
  const described = describeRequest(
    requestOf({ url: '/orders?q=1', headers: { host: 'a:b:c' } }),
    'http',
    HIDDEN,
  );
  expect(described).toMatchObject({ 'url.path': '/orders', 'server.address': 'a:b:c' });
});
