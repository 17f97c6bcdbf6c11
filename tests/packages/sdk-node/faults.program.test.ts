/** Whatever is wrong with the service, the settings or the data: the application runs as without the SDK, and one line says what is wrong. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { bundlePackage } from '../../../packages/sdk-node/bundle-package.ts';
import { ROOT } from '../../../tooling/deployment.ts';
import { field, text, varint } from '../../lib/otlp/protobuf-wire.ts';
import { type Answer, type PlayedService, playService, type Reply, TAKES } from './play-service.ts';
import { REGISTER, runApp, variables } from './run-app.ts';

const open: PlayedService[] = [];
afterEach(() => {
  for (const service of open.splice(0)) service.close();
});

async function play(reply?: Reply): Promise<PlayedService> {
  const service = await playService(reply);
  open.push(service);
  return service;
}

/** Nobody listens there any more. */
async function closedUrl(): Promise<string> {
  const service = await playService();
  service.close();
  return service.url;
}

const names = ({ spans }: PlayedService): string[] => spans.map(({ name }) => name);

const POINTS_LOST = /data points were lost \(\d+\): the process ended before the service took them\.$/;

/** One span, and the process ends by itself. */
const WORKS = `
  import { trace } from '@opentelemetry/api';
  import { start } from '@vendor/sdk-node';
  start({ shutdownMs: 200 });
  trace.getTracer('app').startSpan('work').end();
  console.log('works');
`;
/** The same, where the answer is what counts and not the time that the service takes on a busy machine. */
const AWAITS = WORKS.replace('shutdownMs: 200', 'shutdownMs: 20_000');

describe('what the service answers', () => {
  const html = { 'Content-Type': 'text/html' };
  const partial = new Uint8Array(
    field(1, Buffer.concat([Buffer.from([8]), varint(1)]), field(2, text('The name is too long.'))),
  );
  test.each<[what: string, answer: Answer, line: RegExp]>([
    [
      '401',
      { status: 401 },
      /the service refuses the ingest key\. Make a new one, and set VENDOR_API_KEY\.$/,
    ],
    ['403', { status: 403 }, /the ingest key may not send this\.$/],
    ['404', { status: 404 }, /what answers at .*\/v1\/traces is not the service\. Set VENDOR_ENDPOINT/],
    ['301', { status: 301, headers: { Location: 'http://x/' } }, /what answers at .* is not the service/],
    ['400', { status: 400 }, /the service answers 400\.$/],
    ['413 for one span', { status: 413 }, /they are too large\.$/],
    ['a page', { status: 200, headers: html, body: '<!doctype html><p>Hello' }, /is not the service/],
    ['bytes of something else', { status: 200, body: new Uint8Array([15, 255]) }, /is not the service/],
    ['a refusal of a part', { status: 200, body: partial }, /The name is too long\.$/],
  ])('%s', async (_what, answer, line) => {
    const service = await play(({ path }) => (path === '/v1/traces' ? answer : { status: 200 }));
    const ended = await runApp(AWAITS, { env: variables(service.url) });
    expect(ended).toMatchObject({ stdout: 'works\n', end: 0 });
    expect(ended.said).toEqual([expect.stringMatching(/^@vendor\/sdk-node: spans were lost \(1\): /)]);
    expect(ended.said).toEqual([expect.stringMatching(line)]);
    expect(service.events.filter((path) => path === '/v1/traces')).toHaveLength(1);
  });

  test('503, 429, half an answer, then 200: nothing is lost or sent twice', async () => {
    const service = await play(({ path, number, bytes }) => {
      if (path !== '/v1/traces') return TAKES({ path, number, bytes });
      const passing: (Answer | 'cut')[] = [
        { status: 503, headers: { 'Retry-After': '0' } },
        { status: 429, headers: { 'Retry-After': '0' } },
        'cut',
      ];
      return passing[number - 1] ?? { status: 200 };
    });
    const ended = await runApp(AWAITS, {
      env: variables(service.url),
    });
    expect(ended).toMatchObject({ stdout: 'works\n', end: 0 });
    expect(ended.said).toEqual([
      '@vendor/sdk-node: the service answers 503; it is tried again. The application runs on.',
      '@vendor/sdk-node: the service answers 429; it is tried again. The application runs on.',
      `@vendor/sdk-node: ${service.url} is out of reach; it is tried again. The application runs on.`,
    ]);
    expect(names(service)).toEqual(['work']);
  });

  test('413 for many: they are sent in pieces, and only the one that is too large is lost', async () => {
    const service = await play(({ path, bytes }) =>
      path === '/v1/traces' && bytes > 40_000 ? { status: 413 } : { status: 200 },
    );
    const ended = await runApp(
      `import { trace } from '@opentelemetry/api';
      import { start } from '@vendor/sdk-node';
      const sdk = start({ shutdownMs: 20_000 });
      const tracer = trace.getTracer('app');
      for (let n = 0; n < 40; n += 1) {
        const span = tracer.startSpan('span ' + n);
        for (let a = 0; a < (n === 20 ? 20 : 1); a += 1) span.setAttribute('a' + a, 'x'.repeat(3000));
        span.end();
      }
      await sdk.shutdown();`,
      { env: variables(service.url) },
    );
    expect(ended.said).toEqual(['@vendor/sdk-node: spans were lost (1): they are too large.']);
    expect(names(service)).toEqual(
      Array.from({ length: 40 }, (_, n) => `span ${n}`).filter((name) => name !== 'span 20'),
    );
  });
});

describe('connections', () => {
  const FLUSHES = `import { trace } from '@opentelemetry/api';
    import { start } from '@vendor/sdk-node';
    const sdk = start({ shutdownMs: 20_000 });
    for (const name of ['one', 'two', 'three', 'four']) {
      trace.getTracer('app').startSpan(name).end();
      await sdk.flush();
    }
    await sdk.shutdown();
    console.log('works');`;

  test('one stays open for each signal, and keeps no process alive', async () => {
    const service = await play();
    const ended = await runApp(FLUSHES, { env: variables(service.url) });
    expect(ended).toEqual({ stdout: 'works\n', said: [], end: 0 });
    expect(names(service)).toEqual(['one', 'two', 'three', 'four']);
    expect(service.events.length).toBeGreaterThan(4);
    // Spans and points; there are no logs.
    expect(service.connections()).toBeLessThanOrEqual(2);
  });

  test('an idle one that the service closes is replaced, and nothing is said', async () => {
    const service = await play(({ path, number }) =>
      path === '/v1/traces' && number === 2 ? 'close' : { status: 200 },
    );
    const ended = await runApp(FLUSHES, { env: variables(service.url) });
    expect(ended).toEqual({ stdout: 'works\n', said: [], end: 0 });
    expect(names(service)).toEqual(['one', 'two', 'three', 'four']);
  });
});

describe('a service that cannot be reached', () => {
  /** Long enough for an answer on a busy machine, where the test needs one. */
  const shutsDown = (shutdownMs: number): string => `
    import { trace } from '@opentelemetry/api';
    import { start } from '@vendor/sdk-node';
    const sdk = start({ shutdownMs: ${shutdownMs} });
    trace.getTracer('app').startSpan('work').end();
    // Nothing of the SDK may keep the process alive afterwards.
    await sdk.shutdown();
    await sdk.shutdown();
    trace.getTracer('app').startSpan('late').end();
    console.log('ended');
  `;

  test.each(['shutdown()', 'the end of the process'])('it refuses: %s', async (how) => {
    const url = await closedUrl();
    const ended = await runApp(how === 'shutdown()' ? shutsDown(2000) : WORKS.replace('200', '2000'), {
      env: variables(url),
    });
    expect(ended).toMatchObject({ stdout: how === 'shutdown()' ? 'ended\n' : 'works\n', end: 0 });
    expect(ended.said).toEqual([
      `@vendor/sdk-node: ${url} is out of reach; it is tried again. The application runs on.`,
      '@vendor/sdk-node: spans were lost (1): the process ended before the service took them.',
      expect.stringMatching(POINTS_LOST),
    ]);
  });

  test('it never answers: shutdown gives up, closes the connections, and the process ends', async () => {
    const service = await play(() => 'hang');
    const ended = await runApp(shutsDown(300), { env: variables(service.url) });
    expect(ended).toMatchObject({ stdout: 'ended\n', end: 0 });
    expect(ended.said).toEqual([
      '@vendor/sdk-node: spans were lost (1): the process ended before the service took them.',
      expect.stringMatching(POINTS_LOST),
    ]);
    await expect.poll(() => service.events).toContain('closed /v1/traces');
    expect(service.events.indexOf('/v1/traces')).toBeLessThan(service.events.indexOf('closed /v1/traces'));
    expect(service.events.filter((event) => event === '/v1/traces')).toHaveLength(1);
  });

  test('503 for ever: shutdown gives up', async () => {
    const service = await play(() => ({ status: 503 }));
    const ended = await runApp(shutsDown(2000), { env: variables(service.url) });
    expect(ended).toMatchObject({ stdout: 'ended\n', end: 0 });
    expect(ended.said).toEqual([
      '@vendor/sdk-node: the service answers 503; it is tried again. The application runs on.',
      '@vendor/sdk-node: spans were lost (1): the process ended before the service took them.',
      expect.stringMatching(POINTS_LOST),
    ]);
  });

  test('shutdown() and flush() end by the timer of shutdownMs, 2 seconds by default', async () => {
    const service = await play(() => 'hang');
    const ended = await runApp(
      `const timers = [];
      const real = globalThis.setTimeout;
      globalThis.setTimeout = (callback, ms, ...rest) => {
        timers.push(ms);
        return real(callback, ms === 2000 ? 0 : ms, ...rest);
      };
      const { start } = await import('@vendor/sdk-node');
      const sdk = start();
      await sdk.flush();
      await sdk.shutdown();
      console.log(timers.filter((ms) => ms === 2000).length);`,
      { env: variables(service.url) },
    );
    expect(ended).toMatchObject({ stdout: '2\n', end: 0 });
  });

  test('large items: memory is bounded by their bytes, and what is dropped is counted', async () => {
    const service = await play();
    const ended = await runApp(
      `import { logs, trace } from '@opentelemetry/api';
      import { start } from '@vendor/sdk-node';
      const sdk = start({ shutdownMs: 20_000 });
      const tracer = trace.getTracer('app');
      const logger = logs.getLogger('app');
      const attributes = Object.fromEntries(Array.from({ length: 25 }, (_, n) => ['a' + n, 'x'.repeat(4000)]));
      for (let n = 0; n < 400; n += 1) {
        tracer.startSpan('large', { attributes }).end();
        logger.emit({ body: 'y'.repeat(60_000), attributes: { deep: [attributes] } });
      }
      await sdk.flush();
      // What was sent makes room.
      tracer.startSpan('later', { attributes }).end();
      await sdk.shutdown();`,
      { env: variables(service.url) },
    );
    expect(ended).toMatchObject({ end: 0 });
    const large = service.spans.filter(({ name }) => name === 'large').length;
    const { length: records } = service.logs;
    // 16 MiB of 100 kB, and of 160 kB.
    expect(large).toBeGreaterThan(140);
    expect(large).toBeLessThan(170);
    expect(records).toBeGreaterThan(80);
    expect(records).toBeLessThan(110);
    expect(names(service)).toContain('later');
    expect(ended.said).toEqual(
      expect.arrayContaining([
        '@vendor/sdk-node: the queue is full: spans were dropped (1 so far).',
        '@vendor/sdk-node: the queue is full: log records were dropped (1 so far).',
        `@vendor/sdk-node: the queue was full: spans were dropped (${400 - large} in all).`,
        `@vendor/sdk-node: the queue was full: log records were dropped (${400 - records} in all).`,
      ]),
    );
  });

  test('the queue is full: memory is bounded, and what is dropped is counted', async () => {
    const service = await play(() => 'hang');
    const ended = await runApp(
      `import { trace } from '@opentelemetry/api';
      import { start } from '@vendor/sdk-node';
      const sdk = start({ shutdownMs: 100 });
      const tracer = trace.getTracer('app');
      for (let n = 0; n < 10_000; n += 1) tracer.startSpan('work').end();
      await sdk.shutdown();`,
      { env: variables(service.url) },
    );
    expect(ended.said).toEqual([
      ...[1, 10, 100, 1000].map(
        (count) => `@vendor/sdk-node: the queue is full: spans were dropped (${count} so far).`,
      ),
      // 4,096 wait, and a batch of 512 is under way.
      '@vendor/sdk-node: spans were lost (4608): the process ended before the service took them.',
      '@vendor/sdk-node: the queue was full: spans were dropped (5392 in all).',
      expect.stringMatching(POINTS_LOST),
    ]);
  });
});

describe('settings', () => {
  const given = variables('http://127.0.0.1:9');
  test.each<[what: string, change: Record<string, string>, line: string]>([
    [
      'nothing set',
      { VENDOR_ENDPOINT: '', VENDOR_API_KEY: '', VENDOR_SERVICE_NAME: ' ' },
      'nothing is sent: VENDOR_ENDPOINT and VENDOR_API_KEY and VENDOR_SERVICE_NAME are not set.',
    ],
    ['no key', { VENDOR_API_KEY: '' }, 'nothing is sent: VENDOR_API_KEY is not set.'],
    [
      'an endpoint that is no address',
      { VENDOR_ENDPOINT: 'vendor.example' },
      'nothing is sent: VENDOR_ENDPOINT must be an address such as https://vendor.example.',
    ],
    [
      'an endpoint of another protocol',
      { VENDOR_ENDPOINT: 'ftp://vendor.example' },
      'nothing is sent: VENDOR_ENDPOINT must be an address such as https://vendor.example.',
    ],
    [
      'a key with a line break',
      { VENDOR_API_KEY: 'a\nb' },
      'nothing is sent: VENDOR_API_KEY has characters that a key never has.',
    ],
  ])('%s', async (_what, change, line) => {
    const ended = await runApp(WORKS, { env: { ...given, ...change } });
    expect(ended).toEqual({ stdout: 'works\n', said: [`@vendor/sdk-node: ${line}`], end: 0 });
  });

  test('OTEL_SDK_DISABLED: nothing is said, and outcomes are refused', async () => {
    const ended = await runApp(
      `import { start } from '@vendor/sdk-node';
      const sdk = start();
      await sdk.flush();
      sdk.setRoute('/');
      await sdk.confirmOutcome({}).catch(({ name, code, message }) => console.log(name, code, message));
      await sdk.shutdown();`,
      { env: { ...given, OTEL_SDK_DISABLED: ' TRUE ' } },
    );
    expect(ended).toEqual({
      stdout: 'OutcomeError inactive The SDK is not started. OTEL_SDK_DISABLED is set.\n',
      said: [],
      end: 0,
    });
  });

  test('wrong values of standard variables are said, and the rest works', async () => {
    const service = await play();
    const ended = await runApp(AWAITS, {
      env: {
        ...variables(service.url),
        OTEL_TRACES_SAMPLER: 'sometimes',
        OTEL_RESOURCE_ATTRIBUTES: 'team=shop,nonsense',
        OTEL_METRIC_EXPORT_INTERVAL: 'often',
      },
    });
    expect(ended).toMatchObject({ stdout: 'works\n', end: 0 });
    expect(ended.said.map((line) => line.slice(0, 60))).toEqual([
      expect.stringContaining('OTEL_RESOURCE_ATTRIBUTES is ignored'),
      expect.stringContaining('OTEL_TRACES_SAMPLER has no sampler'),
    ]);
    expect(names(service)).toEqual(['work']);
  });
});

test('data that cannot be sent: circular objects, BigInt and getters that throw take nothing else with them', async () => {
  const service = await play();
  const ended = await runApp(
    `import { logs, metrics, trace } from '@opentelemetry/api';
    import { start } from '@vendor/sdk-node';
    import pino from 'pino';
    const sdk = start();
    const circle = { name: 'circle' };
    circle.circle = circle;
    const trap = { get secret() { throw new Error('trap'); } };
    const values = { circle, big: 7n, symbol: Symbol('x'), call() {}, date: new Date(NaN), kept: 'kept' };
    const span = trace.getTracer('app').startSpan('work', { attributes: values });
    for (const [key, value] of Object.entries(values)) span.setAttribute('own.' + key, value);
    span.addEvent('event', values);
    span.addEvent('trap', trap);
    span.setAttributes(trap);
    span.recordException(circle);
    span.end();
    trace.getTracer('app').startActiveSpan('trap', { attributes: trap }, (span) => span.setAttributes(trap).end());
    const meter = metrics.getMeter('app');
    for (const make of ['createCounter', 'createUpDownCounter']) meter[make](make).add(1, trap);
    for (const make of ['createHistogram', 'createGauge']) meter[make](make).record(1, trap);
    meter.createCounter('orders').add(1);
    const logger = logs.getLogger('app');
    logger.emit({ body: 'before' });
    logger.emit({ body: circle, attributes: { ...values } });
    logger.emit({ body: 'traps', attributes: { nested: trap } });
    logger.emit({ body: 'after' });
    const lines = pino({ level: 'trace' });
    for (const value of [circle, 7n, undefined, null, Symbol('x'), new Error('fault', { cause: circle })])
      lines.info({ value }, 'line');
    lines.info(values, 'values');
    try { lines.info(trap, 'trap'); } catch (error) { console.log('as without the SDK:', error.message); }
    await sdk.shutdown();`,
    { env: variables(service.url) },
  );
  expect(ended.end).toBe(0);
  // The record whose body is the circular object.
  expect(ended.said).toEqual([
    "@vendor/sdk-node: log records were lost (1): they couldn't be encoded (RangeError).",
  ]);
  expect(names(service)).toEqual(['work', 'trap']);
  expect(service.spans[0]?.attributes).toMatchObject({ kept: 'kept', 'own.kept': 'kept' });
  const bodies = service.logs.map(({ body }) => body);
  expect(bodies).toEqual(expect.arrayContaining(['before', 'after', 'traps', 'line', 'values']));
  expect(service.metrics).toContain('orders');
  expect(bodies.filter((body) => body === 'line')).toHaveLength(6);
});

describe('others in the process', () => {
  test('a second start: the same SDK; other options are said to be ignored', async () => {
    const service = await play();
    const ended = await runApp(
      `import { start } from '@vendor/sdk-node';
      const first = start();
      console.log(start() === first, start({ serviceName: 'other' }) === first);`,
      { args: REGISTER, env: variables(service.url) },
    );
    expect(ended).toEqual({
      stdout: 'true true\n',
      said: ['@vendor/sdk-node: it is started already; the options of the second start are ignored.'],
      end: 0,
    });
  });

  test('a second copy of the package: the same SDK, and nothing twice', async () => {
    const service = await play();
    await mkdir(join(ROOT, '.local'), { recursive: true });
    const folder = await mkdtemp(join(ROOT, '.local/sdk-copy-'));
    try {
      for (const { path, contents } of (await bundlePackage()).files)
        await writeFile(join(folder, path), contents);
      const ended = await runApp(
        `import { start } from '@vendor/sdk-node';
        import * as copy from ${JSON.stringify(pathToFileURL(join(folder, 'index.js')).href)};
        import { DatabaseSync } from 'node:sqlite';
        console.log(start() === copy.start());
        new DatabaseSync(':memory:').exec('select 1');`,
        { env: variables(service.url) },
      );
      expect(ended).toEqual({ stdout: 'true\n', said: [], end: 0 });
      expect(names(service)).toEqual(['SELECT']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('another SDK is registered: it goes on, ours says that it is not started', async () => {
    const service = await play();
    const ended = await runApp(
      `import { trace } from '@opentelemetry/api';
      import { NodeSDK } from '@opentelemetry/sdk-node';
      const other = new NodeSDK({ traceExporter: {
        export(spans, done) { for (const { name } of spans) console.log('other', name); done({ code: 0 }); },
        async shutdown() {},
      } });
      other.start();
      const { start } = await import('@vendor/sdk-node');
      const sdk = start();
      trace.getTracer('app').startSpan('work').end();
      await sdk.confirmOutcome({}).catch(({ code }) => console.log(code));
      await sdk.shutdown();
      await other.shutdown();`,
      { env: { ...variables(service.url), OTEL_LOGS_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' } },
    );
    expect(ended).toEqual({
      stdout: 'inactive\nother work\n',
      said: [
        '@vendor/sdk-node: nothing is sent: another OpenTelemetry SDK, or another version of @opentelemetry/api, is registered already.',
      ],
      end: 0,
    });
    expect(service.events).toEqual([]);
  });

  // The transport brings its own, older one.
  const require = createRequire(createRequire(import.meta.url).resolve('pino-opentelemetry-transport'));
  const oldApi = JSON.stringify(require.resolve('@opentelemetry/api'));

  test('the application has @opentelemetry/api 1.9: its spans are sent', async () => {
    expect(oldApi).toContain('pino-opentelemetry-transport');
    const service = await play();
    const ended = await runApp(
      `import { createRequire } from 'node:module';
      const { trace } = createRequire(import.meta.url)(${oldApi});
      trace.getTracer('app').startActiveSpan('old', (span) => span.end());`,
      { args: REGISTER, env: variables(service.url) },
    );
    expect(ended).toEqual({ stdout: '', said: [], end: 0 });
    expect(names(service)).toEqual(['old']);
  });

  test('@opentelemetry/api 1.9 has a provider already: ours says that it is not started', async () => {
    const service = await play();
    const ended = await runApp(
      `import { createRequire } from 'node:module';
      const { trace, ProxyTracerProvider } = createRequire(import.meta.url)(${oldApi});
      trace.setGlobalTracerProvider(new ProxyTracerProvider());
      const { start } = await import('@vendor/sdk-node');
      start();
      console.log('works');`,
      { env: variables(service.url) },
    );
    expect(ended).toMatchObject({ stdout: 'works\n', end: 0 });
    expect(ended.said).toEqual([expect.stringContaining('nothing is sent: another OpenTelemetry SDK')]);
  });
});

describe('how the application ends is its own affair', () => {
  test.each<[what: string, program: string, end: number | string]>([
    ['an exit code', `process.exitCode = 3; console.log('x');`, 3],
    ['process.exit()', `console.log('x'); process.exit(4);`, 4],
    ['an error', `console.log('x'); throw new Error('own');`, 1],
    ['a rejection that nobody handles', `console.log('x'); Promise.reject(new Error('own'));`, 1],
    [
      'a rejection of pg that nobody handles',
      `import pg from 'pg';
      const client = new pg.Client({ host: '127.0.0.1', port: 1 });
      client.on('error', () => {});
      client.connect().catch(() => client.query('select 1'));
      console.log('x');`,
      1,
    ],
    [
      'a rejection of pg that is handled',
      `import pg from 'pg';
      const client = new pg.Client({ host: '127.0.0.1', port: 1 });
      client.on('error', () => {});
      client.connect().catch(() => client.query('select 1').catch(() => console.log('x')));`,
      0,
    ],
    [
      'a signal',
      `console.log('x'); process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000);`,
      'SIGTERM',
    ],
    [
      'a handler of uncaught errors',
      `process.on('uncaughtException', () => console.log('x')); throw new Error('own');`,
      0,
    ],
    ['beforeExit', `process.once('beforeExit', () => setTimeout(() => console.log('x'), 1));`, 0],
  ])('%s', async (_what, program, end) => {
    const service = await play();
    const [bare, ours] = await Promise.all([
      runApp(program),
      runApp(program, { args: REGISTER, env: variables(service.url) }),
    ]);
    expect(bare).toMatchObject({ stdout: 'x\n', end });
    expect(ours).toMatchObject({ stdout: 'x\n', end });
    // What is said about the error is the same, beside what wasn't sent.
    const errors = (lines: string[]): string[] => lines.filter((line) => /^\w*Error/.test(line));
    expect(errors(ours.said)).toEqual(errors(bare.said));
  });
});
