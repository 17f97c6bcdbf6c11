/** What instrumentation says of people and the SDK takes out, and what `reveal` leaves in. */
import { type Attributes, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { expect, test } from 'vitest';
import { PrivateSpans } from '../../../packages/sdk-node/src/privacy/private-spans.ts';
import { readSettings, type Settings } from '../../../packages/sdk-node/src/settings.ts';
import { playService } from './play-service.ts';
import { REGISTER, runApp, variables } from './run-app.ts';

const SERVER: Attributes = {
  'http.request.method': 'GET',
  'url.path': '/orders/7',
  'url.query': 'token=secret',
  'client.address': '192.0.2.1',
  'client.port': 4711,
  'network.peer.address': '192.0.2.1',
  'network.peer.port': 4711,
  'user_agent.original': 'curl/8',
  'user_agent.synthetic.type': 'bot',
  own: 'kept',
};
const CLIENT: Attributes = {
  'http.request.method': 'GET',
  'http.request.method_original': 'GET',
  'url.full': 'https://ana:secret@api.example/orders?token=secret#secret',
  'network.peer.address': '198.51.100.1',
  'user_agent.original': 'undici',
};

function sent(kind: SpanKind, attributes: Attributes, reveal: object = {}): Attributes {
  const settings = readSettings({ reveal }, variables('https://vendor.example')) as Settings;
  const span = { kind, attributes: { ...attributes }, status: { code: SpanStatusCode.UNSET } };
  new PrivateSpans(settings).onEnding(span as never);
  return span.attributes;
}

test('of a request that comes in: no query, address or program', () => {
  expect(sent(SpanKind.SERVER, SERVER)).toEqual({
    'http.request.method': 'GET',
    'url.path': '/orders/7',
    own: 'kept',
  });
});

test('of a request that goes out: the server’s address stays, query, user and password don’t', () => {
  expect(sent(SpanKind.CLIENT, CLIENT)).toEqual({
    'http.request.method': 'GET',
    'url.full': 'https://api.example/orders',
    'network.peer.address': '198.51.100.1',
  });
  expect(sent(SpanKind.CLIENT, { ...CLIENT, 'http.request.method_original': 'Get' })).toMatchObject({
    'http.request.method_original': 'Get',
  });
});

test.each([
  ['queryStrings', ['url.query']],
  ['clientAddresses', ['client.address', 'client.port', 'network.peer.address', 'network.peer.port']],
  ['userAgents', ['user_agent.original', 'user_agent.synthetic.type']],
])('reveal %s leaves in that alone', (name, keys) => {
  const [all, shown] = [sent(SpanKind.SERVER, SERVER), sent(SpanKind.SERVER, SERVER, { [name]: true })];
  expect(Object.keys(shown).filter((key) => !(key in all))).toEqual(keys);
  expect(shown).toMatchObject(Object.fromEntries(keys.map((key) => [key, SERVER[key]])));
});

test('with queryStrings an address that goes out is whole', () => {
  expect(sent(SpanKind.CLIENT, CLIENT, { queryStrings: true })['url.full']).toBe(CLIENT['url.full']);
});

/** Requests that come in and go out by node:http and fetch fail, with messages that have a name. */
const FAILS = `
  import http from 'node:http';
  process.on('uncaughtException', () => {});
  const server = http.createServer(() => { throw new RangeError('ada'); });
  await new Promise((resolve) => server.listen(0, resolve));
  const port = server.address().port;
  await new Promise((resolve) => http.get({ port, timeout: 1 }).on('timeout', function () {
    this.destroy(new RangeError('ada'));
  }).on('error', resolve));
  await fetch('http://127.0.0.1:' + port, { signal: AbortSignal.timeout(1) }).catch(() => {});
  await fetch('http://ada.invalid').catch(() => {});
  server.close();
  server.closeAllConnections();`;

test.each([
  ['no message of an error', {}, false],
  ['with errorMessages its message too', { VENDOR_REVEAL: 'errorMessages' }, true],
])('of a request that fails: type and frames, %s', async (_what, env, isRevealed) => {
  const service = await playService();
  try {
    await runApp(FAILS, { args: REGISTER, env: { ...variables(service.url), ...env } });
  } finally {
    service.close();
  }
  const failed = service.spans.filter(({ statusCode }) => statusCode === 2);
  expect(failed.map(({ attributes }) => attributes['error.type'])).toEqual(
    expect.arrayContaining(['RangeError']),
  );
  const reported = JSON.stringify(failed.map(({ statusMessage, events }) => [statusMessage, events]));
  expect(reported).toMatch(/"exception.stacktrace":"RangeError/);
  expect(reported.includes('ada')).toBe(isRevealed);
  expect(reported.includes('exception.message')).toBe(isRevealed);
});
