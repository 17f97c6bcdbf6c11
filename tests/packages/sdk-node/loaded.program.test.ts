/** However an application was put together: older pino, and everything in one file. */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ROOT } from '../../../tooling/deployment.ts';
import { type PlayedService, playService } from './play-service.ts';
import { NODES, REGISTER, runApp, variables } from './run-app.ts';

/** Within the repository, so that its packages are found. */
let folder: string;
let service: PlayedService;
beforeAll(async () => {
  await mkdir(join(ROOT, '.local'), { recursive: true });
  folder = await mkdtemp(join(ROOT, '.local/sdk-apps-'));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(async () => {
  service = await playService();
});
afterEach(() => service.close());

async function write(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

const LOGS = `
  const lines = [];
  const logger = pino({ redact: ['card'] }, { write: (line) => lines.push(JSON.parse(line)) });
  trace.getTracer('app').startActiveSpan('work', (span) => {
    logger.info({ order: 7, card: '4711' }, 'ordered');
    logger.child({ child: true }).error(new TypeError('broken'), 'failed');
    span.end();
  });
  console.log(Object.keys(lines[0]).join());
`;

describe.each(NODES)('pino 9.9, which has no channel: %s', (node) => {
  const IMPORTS = `import { trace } from '@opentelemetry/api';`;
  beforeAll(async () => {
    await cp(join(ROOT, 'node_modules/pino-9'), join(folder, 'node_modules/pino'), { recursive: true });
  });

  test.each<[how: string, file: string, text: string, args: string[]]>([
    [
      'required',
      'old.cjs',
      `const { trace } = require('@opentelemetry/api'); const pino = require('pino'); ${LOGS}`,
      REGISTER,
    ],
    ['imported', 'old.mjs', `${IMPORTS} import pino from 'pino'; ${LOGS}`, REGISTER],
    ['imported by name', 'named.mjs', `${IMPORTS} import { pino } from 'pino'; ${LOGS}`, REGISTER],
    [
      'behind the loader’s hook',
      'bootstrap.mjs',
      `import { start } from '@vendor/sdk-node'; start(); await import('./old.mjs');`,
      ['--experimental-loader', '@vendor/sdk-node/hook'],
    ],
  ])('%s: each line once, with its span, redacted', async (_how, name, text, args) => {
    const ended = await runApp(await write(name, text), {
      node,
      cwd: folder,
      args,
      env: variables(service.url),
    });
    // The application's own lines are as without the SDK.
    expect(ended).toEqual({ stdout: 'level,time,pid,hostname,order,card,msg\n', said: [], end: 0 });
    const [work] = service.spans;
    expect(service.logs).toMatchObject([
      {
        body: 'ordered',
        severityNumber: 9,
        attributes: { order: 7, card: '[Redacted]' },
        spanId: work?.spanId,
      },
      {
        body: 'failed',
        severityNumber: 17,
        attributes: { child: true, 'exception.type': 'TypeError', 'exception.message': 'broken' },
        spanId: work?.spanId,
      },
    ]);
    expect(JSON.stringify(service.logs)).not.toMatch(/\b4711\b/);
  });
});

test.each(NODES)('--import makes Node.js warn of nothing: %s', async (node) => {
  const ended = await runApp(`console.log('works');`, {
    node,
    args: REGISTER,
    env: { ...variables(service.url), NODE_NO_WARNINGS: '0' },
  });
  expect(ended).toEqual({ stdout: 'works\n', said: [], end: 0 });
});

test.each(['esm', 'cjs'] as const)(
  'an application in one file (%s): requests, pino and node:sqlite',
  async (format) => {
    const entry = await write(
      `whole-${format}.mjs`,
      `import http from 'node:http';
    import { DatabaseSync } from 'node:sqlite';
    import { trace } from '@opentelemetry/api';
    import pino from ${JSON.stringify(join(ROOT, 'node_modules/pino/pino.js'))};
    const server = http.createServer((request, response) => {
      new DatabaseSync(':memory:').exec('select 1');
      response.end('hello');
    });
    server.listen(0, '127.0.0.1', async () => {
      const response = await fetch('http://127.0.0.1:' + server.address().port);
      ${LOGS}
      server.close();
      server.closeAllConnections();
    });`,
    );
    const outfile = join(folder, format === 'esm' ? 'whole.out.mjs' : 'whole.out.cjs');
    await build({
      entryPoints: [entry],
      outfile,
      bundle: true,
      platform: 'node',
      format,
      logLevel: 'error',
      banner: {
        js:
          format === 'esm'
            ? "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); const __dirname = import.meta.dirname, __filename = import.meta.filename;"
            : '',
      },
    });
    const ended = await runApp(outfile, { cwd: folder, args: REGISTER, env: variables(service.url) });
    expect(ended).toEqual({ stdout: 'level,time,pid,hostname,order,card,msg\n', said: [], end: 0 });
    expect(service.spans.map(({ name, kind }) => [name, kind]).toSorted()).toEqual([
      ['GET', 2],
      ['GET', 3],
      ['SELECT', 3],
      ['work', 1],
    ]);
    expect(service.logs.map(({ body }) => body)).toEqual(['ordered', 'failed']);
  },
);
