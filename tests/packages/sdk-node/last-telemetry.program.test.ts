/** However a process ends: what it collected is sent before, the crash is a log record, and the program ends as without the SDK. */
import { afterAll, describe, expect, test } from 'vitest';
import { type PlayedService, playService, type Reply } from './play-service.ts';
import { type Ended, NODES, REGISTER, type Run, runApp, variables } from './run-app.ts';

const open: PlayedService[] = [];
afterAll(() => {
  for (const service of open.splice(0)) service.close();
});

async function play(reply?: Reply): Promise<PlayedService> {
  const service = await playService(reply);
  open.push(service);
  return service;
}

/** A span and a log record wait to be sent. */
const COLLECTS = `
  const api = process.getBuiltinModule('node:module').createRequire(process.cwd() + '/')('@opentelemetry/api');
  api.trace.getTracer('app').startSpan('work').end();
  api.logs.getLogger('app').emit({ body: 'ready' });
`;
const WAITS = 'setInterval(() => {}, 1000);';
const THROWS = `setImmediate(() => { throw new TypeError('no order of lovelace@shop.example') });`;
const REJECTS = `Promise.reject(new TypeError('no order of lovelace@shop.example'));`;
const kills = (signal: string): string => `process.kill(process.pid, '${signal}'); ${WAITS}`;

type Both = [bare: Ended, ours: Ended];

/** The program without the SDK and with it. */
const runBoth = (program: string, { url }: PlayedService, run: Run = {}): Promise<Both> =>
  Promise.all([
    runApp(COLLECTS + program, run),
    runApp(COLLECTS + program, { ...run, args: REGISTER, env: variables(url) }),
  ]);

/** All but frames of Node.js itself, which each `--import` changes, and of the SDK, where a handler of the application fails. */
const withoutInternals = ({ said, ...ended }: Ended): Ended => ({
  ...ended,
  said: said.filter((line) => !/^ {4}at .*(node:internal|sdk-node\/dist)/.test(line)),
});
const expectSame = ([bare, ours]: Both): void =>
  expect(withoutInternals(ours)).toEqual(withoutInternals(bare));

const crashes = ({ logs }: PlayedService) => logs.filter(({ severityText }) => severityText !== '');

describe.each(NODES)('%s', (node) => {
  describe.each(['module', 'commonjs'] as const)('%s', (type) => {
    test.each<[what: string, program: string, end: number | string, severity?: string]>([
      ['an uncaught error', THROWS, 1, 'FATAL'],
      ['a rejection that nobody handles', REJECTS, 1, 'FATAL'],
      ['process.exit()', 'process.exit(4);', 4],
      ['SIGINT', kills('SIGINT'), 'SIGINT'],
      ['SIGTERM', kills('SIGTERM'), 'SIGTERM'],
    ])('%s', async (_what, program, end, severity) => {
      const service = await play();
      const both = await runBoth(program, service, { node, type });
      expectSame(both);
      expect(both[0].end).toBe(end);
      expect(service.spans.map(({ name }) => name)).toEqual(['work']);
      expect(service.logs.map(({ body }) => body)).toContain('ready');
      expect(crashes(service).map(({ severityText }) => severityText)).toEqual(severity ? [severity] : []);
    });
  });

  test.each<[what: string, program: string, end: number | string, stdout?: string]>([
    [
      'of uncaught errors, which goes on',
      `process.on('uncaughtException', ({ message }) => console.log(message)); ${THROWS}`,
      0,
    ],
    [
      'of uncaught errors, which ends',
      `process.once('uncaughtException', () => process.exit(5)); ${THROWS}`,
      5,
    ],
    [
      'of uncaught errors, which fails itself',
      `process.on('uncaughtException', () => { throw new Error('again') }); ${THROWS}`,
      7,
    ],
    ['of rejections', `process.on('unhandledRejection', () => console.log('handled')); ${REJECTS}`, 0],
    ['of the exit', `process.on('exit', (code) => { process.exitCode = code + 1; }); process.exit(4);`, 5],
    ['of SIGTERM, which ends', `process.once('SIGTERM', () => process.exit(6)); ${kills('SIGTERM')}`, 6],
    [
      'of SIGTERM, which goes on',
      `const timer = setInterval(() => {}, 1000);
      process.on('SIGTERM', () => setTimeout(() => { console.log('closed'); clearInterval(timer); }, 50));
      process.kill(process.pid, 'SIGTERM');`,
      0,
    ],
    [
      'of the first SIGINT alone',
      `process.once('SIGINT', () => { console.log('once more'); process.kill(process.pid, 'SIGINT'); });
      ${kills('SIGINT')}`,
      'SIGINT',
    ],
    [
      'of SIGINT, which was taken away',
      `const handle = () => console.log('never');
      process.on('SIGINT', handle); process.off('SIGINT', handle); process.removeAllListeners('SIGINT');
      ${kills('SIGINT')}`,
      'SIGINT',
    ],
    [
      'of SIGTERM, which ends the process by the signal unless others handle it',
      `process.on('SIGTERM', function end() {
        if (process.listenerCount('SIGTERM') > 1) return console.log('others');
        process.off('SIGTERM', end);
        process.kill(process.pid, 'SIGTERM');
      });
      ${kills('SIGTERM')}`,
      'SIGTERM',
    ],
  ])('the program has a handler %s', async (_what, program, end) => {
    const service = await play();
    const both = await runBoth(program, service, { node });
    expectSame(both);
    expect(both[0].end).toBe(end);
    expect(service.spans.map(({ name }) => name)).toEqual(['work']);
    expect(service.logs.map(({ body }) => body)).toContain('ready');
  });
});

test('a handler that listens later than the SDK, before it: it hears the signal once', async () => {
  const service = await play();
  const program = `process.prependListener('SIGTERM', () => { console.log('heard'); process.exit(0); }); ${kills('SIGTERM')}`;
  const both = await runBoth(program, service);
  expectSame(both);
  expect(both[1].stdout).toBe('heard\n');
});

test('metrics of the last minute are sent at a signal', async () => {
  const service = await play();
  await runBoth(`api.metrics.getMeter('app').createCounter('orders').add(1); ${kills('SIGTERM')}`, service);
  expect(service.metrics).toContain('orders');
});

test('what is ended or written in a handler of the exit is sent too', async () => {
  const service = await play();
  expectSame(
    await runBoth(
      `process.on('exit', () => api.logs.getLogger('app').emit({ body: 'bye' }));
      setImmediate(() => process.exit(0));`,
      service,
    ),
  );
  expect(service.logs.map(({ body }) => body)).toEqual(['ready', 'bye']);
});

describe('the record of a crash', () => {
  const STACK = /^TypeError\n( {4}at .+:\d+:\d+.*\n?)+/;
  test('type and frames, without the message, which may have anything', async () => {
    const service = await play();
    expectSame(await runBoth(THROWS, service));
    expect(crashes(service)).toMatchObject([
      {
        severityNumber: 21,
        body: 'Uncaught exception: TypeError',
        attributes: {
          'exception.type': 'TypeError',
          'exception.stacktrace': expect.stringMatching(STACK),
        },
      },
    ]);
    expect(JSON.stringify(service.logs)).not.toContain('lovelace');
  });

  test('VENDOR_REVEAL=errorMessages: the message too', async () => {
    const service = await play();
    await runApp(REJECTS, {
      args: REGISTER,
      env: { ...variables(service.url), VENDOR_REVEAL: 'errorMessages' },
    });
    expect(crashes(service)).toMatchObject([
      {
        severityText: 'FATAL',
        body: 'Unhandled rejection: TypeError: no order of lovelace@shop.example',
        attributes: {
          'exception.type': 'TypeError',
          'exception.message': 'no order of lovelace@shop.example',
          'exception.stacktrace': expect.stringMatching(
            /^TypeError: no order of lovelace@shop.example\n {4}at /,
          ),
        },
      },
    ]);
  });

  test('the program goes on: the error is no end of the process', async () => {
    const service = await play();
    expectSame(await runBoth(`process.on('uncaughtException', () => {}); ${THROWS}`, service));
    expect(crashes(service)).toMatchObject([
      { severityText: 'ERROR', attributes: { 'exception.type': 'TypeError' } },
    ]);
  });

  test.each([
    [`throw 'lovelace@shop.example'`, 'string'],
    [`throw null`, 'object'],
    [`class NoOrder extends Error {}; throw new NoOrder('lovelace')`, 'NoOrder'],
    [`throw Object.assign(new Error('x'), { name: 'lovelace@shop.example' })`, 'Error'],
    [
      `setImmediate(() => { throw Object.defineProperty(new Error('x'), 'stack', { get() { throw 2 } }) })`,
      'Error',
    ],
    [
      `throw Object.assign(new Error('x'), { stack: 'lovelace@shop.example\\n    at lovelace (shop.example)' })`,
      'Error',
    ],
  ])('%s', async (program, type) => {
    const service = await play();
    expectSame(await runBoth(program, service));
    expect(crashes(service)).toMatchObject([
      { severityText: 'FATAL', attributes: { 'exception.type': type } },
    ]);
    expect(JSON.stringify(service.logs)).not.toContain('lovelace');
  });

  test.each([
    ['a request that awaits', `await 1; throw new RangeError('lovelace');`],
    ['a timer of a request', `setTimeout(() => { throw new RangeError('lovelace'); }, 1);`],
    ['a request, at once', `throw new RangeError('lovelace');`],
  ])('%s: record and span have the same trace, and the span fails', async (_what, handler) => {
    const service = await play();
    const ended = await runApp(
      `import http from 'node:http';
      const server = http.createServer(${handler.startsWith('await') ? 'async ' : ''}() => { ${handler} });
      server.listen(0, () => http.get({ port: server.address().port }).on('error', () => {}));`,
      { args: REGISTER, env: variables(service.url) },
    );
    expect(ended.end).toBe(1);
    const [span] = service.spans.filter(({ kind }) => kind === 2);
    expect(span).toMatchObject({ statusCode: 2, attributes: { 'error.type': 'RangeError' } });
    expect(crashes(service)).toHaveLength(1);
    if (!handler.startsWith('throw')) expect(crashes(service)[0]?.traceId).toBe(span?.traceId);
    expect(JSON.stringify([service.spans, service.logs])).not.toContain('lovelace');
  });
});

describe.concurrent('the service is away', () => {
  const LOST = [
    '@vendor/sdk-node: spans were lost (1): the process ended before the service took them.',
    expect.stringMatching(/^@vendor\/sdk-node: log records were lost \([12]\): the process ended before/),
  ];
  test.each<[what: string, program: string, end: number | string]>([
    ['an uncaught error', THROWS, 1],
    ['a rejection that nobody handles', REJECTS, 1],
    ['process.exit()', 'process.exit(4);', 4],
    ['SIGINT', kills('SIGINT'), 'SIGINT'],
    ['SIGTERM', kills('SIGTERM'), 'SIGTERM'],
  ])('%s: it refuses, or never answers', async (_what, program, end) => {
    const [refusing, hanging] = [await play(), await play(() => 'hang')];
    refusing.close();
    for (const both of await Promise.all([runBoth(program, refusing), runBoth(program, hanging)])) {
      const [bare, ours] = both.map(withoutInternals) as Both;
      expect(ours.end).toBe(end);
      expect(ours.said.slice(0, 2)).toEqual(LOST);
      expect(ours.said.filter((line) => !line.startsWith('@vendor'))).toEqual(bare.said);
    }
  });

  test('no second wait after a flush that was in vain', async () => {
    const service = await play(() => 'hang');
    const ended = await runApp(`${COLLECTS} console.log('works');`, {
      args: REGISTER,
      env: variables(service.url),
    });
    expect(ended.end).toBe(0);
    expect(service.events.filter((event) => event === '/v1/traces')).toHaveLength(1);
  });
});

test('a batch under way is sent again as it is, and everything behind it', async () => {
  const service: PlayedService = await play(({ path, number }) =>
    path === '/v1/traces' && number === 1
      ? 'hang'
      : { status: path === '/seen' && !service.events.includes('/v1/traces') ? 404 : 200 },
  );
  const ended = await runApp(
    `import { trace } from '@opentelemetry/api';
    import { start } from '@vendor/sdk-node';
    const sdk = start({ shutdownMs: 20_000 });
    for (let n = 0; n < 600; n += 1) trace.getTracer('app').startSpan('span ' + n).end();
    while (!(await fetch(process.env.VENDOR_ENDPOINT + '/seen')).ok);
    process.exit(0);`,
    { env: variables(service.url) },
  );
  expect(ended).toMatchObject({ end: 0, said: [] });
  const names = service.spans.map(({ name }) => name).filter((name) => name !== 'GET');
  expect(names.toSorted()).toEqual(Array.from({ length: 600 }, (_, n) => `span ${n}`).toSorted());
});

test('the service refuses the key: one line says so', async () => {
  const service = await play(() => ({ status: 401 }));
  const { said } = await runApp(`${COLLECTS} process.exit(0);`, {
    args: REGISTER,
    env: variables(service.url),
  });
  expect(said).toEqual([
    expect.stringContaining('spans were lost (1): the service refuses the ingest key.'),
    expect.stringContaining('log records were lost (1): the service refuses the ingest key.'),
  ]);
});
