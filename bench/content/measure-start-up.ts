/** Measures the content Worker's size, and the time from its start to its first answer, beside an empty Worker. */
import { join } from 'node:path';
import { Log, LogLevel, Miniflare, type MiniflareOptions } from 'miniflare';
import { buildFunction } from '../../scripts/build/build-function.ts';
import { budgetOf } from '../../scripts/build/bundle-rules.ts';
import { bundleWorker } from '../../tooling/bundle-worker.ts';
import { ROOT, readDeployment } from '../../tooling/deployment.ts';
import { median } from '../median.ts';
import { printTable, whole } from '../print-table.ts';
import { evaluationMs } from './evaluation-time.ts';
import { callMessage, type Message } from './tool-call.ts';

const ROUNDS = 9;
const KIB = 1024;

/** Variables that the function needs to start. Nothing listens at the address: the first answer needs no Redis. */
const ENV = {
  UPSTASH_REDIS_REST_URL: 'http://127.0.0.1:9',
  UPSTASH_REDIS_REST_TOKEN: 'none',
  CONTENT_URL: 'http://127.0.0.1',
  CURSOR_KEY: 'of thirty-two characters or more',
  ADDRESS_KEY: 'of thirty-two characters or more',
};
const SEARCH = callMessage('2026-07-28', {
  tool: 'search_content',
  args: { query: 'accessible website', type: 'service' },
});

interface Candidate {
  code: string;
  startMs: number[];
  evaluateMs: number[];
}

/** Builds the function as for a deployment, prints its gzipped size, and starts it and an empty Worker in turns. */
export async function measureStartUp(): Promise<void> {
  const { code, gzipBytes } = await buildFunction('content');
  const empty = candidate(await bundleWorker(join(ROOT, 'bench/empty/index.ts')));
  const content = candidate(code);
  for (let round = 1; round <= ROUNDS; round++) {
    for (const one of [empty, content]) {
      one.startMs.push(await startMs(one.code, SEARCH));
      one.evaluateMs.push(await evaluationMs(one.code));
    }
  }
  const against = (what: string, pick: (one: Candidate) => number[]) => ({
    what,
    figure: `${whole(median(pick(content)))} ms`,
    baseline: `empty Worker: ${whole(median(pick(empty)))} ms`,
  });
  printTable(`The content Worker from nothing, medians of ${ROUNDS} starts by turns`, [
    {
      what: 'bundle, minified, gzipped',
      figure: `${whole(gzipBytes / KIB)} KiB`,
      aim: `at most ${whole(budgetOf('content') / KIB)} KiB`,
    },
    against('from spawning workerd to the first search answered', (one) => one.startMs),
    against(`evaluating the module, in Node ${process.versions.node}`, (one) => one.evaluateMs),
  ]);
}

const candidate = (code: string): Candidate => ({ code, startMs: [], evaluateMs: [] });

/** Milliseconds until a new workerd has answered the first request. */
async function startMs(code: string, { headers, body }: Message): Promise<number> {
  const start = performance.now();
  const miniflare = new Miniflare(optionsFor(code));
  try {
    const url = new URL('/mcp', await miniflare.ready);
    const response = await fetch(url, { method: 'POST', headers, body });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`the first answer was ${response.status}`);
    return performance.now() - start;
  } finally {
    await miniflare.dispose();
  }
}

function optionsFor(code: string): MiniflareOptions {
  const spec = readDeployment().find(({ fn }) => fn === 'content');
  if (spec === undefined) throw new Error('wrangler.toml has no [env.content]');
  const env = Object.entries(ENV).map(([key, value]) => [key, { type: 'text', value }] as const);
  return {
    host: '127.0.0.1',
    port: 0,
    cf: false,
    log: new Log(LogLevel.NONE),
    handleStructuredLogs: () => {},
    telemetry: { enabled: false },
    workers: [
      {
        config: {
          name: 'start',
          compatibilityDate: spec.compatibilityDate,
          manifest: {
            mainModule: 'index.js',
            modulesRoot: ROOT,
            modules: { 'index.js': { type: 'esm', contents: code } },
          },
          env: Object.fromEntries(env),
        },
      },
    ],
  };
}
