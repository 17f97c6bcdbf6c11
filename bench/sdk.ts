/** What the SDK for Node.js costs an application, beside none and beside OpenTelemetry's own with the same instrumentations. */
import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import autocannon from 'autocannon';
import type { Benchmark } from './benchmark.ts';
import { median } from './median.ts';
import { perSecond, printLines, printTable, times } from './print-table.ts';
import { type Installed, measureInstalled } from './sdk/measure-installed.ts';

const run = promisify(execFile);
const program = (name: string): string => fileURLToPath(new URL(`sdk/${name}`, import.meta.url));

const STARTS = 15;
const LOADS = 5;
const WARM_REQUESTS = 2000;
const REQUESTS = 6000;
/** Less than either SDK's queue bears, so that both send every span. */
const REQUESTS_A_SECOND = 1000;
const RATE_SECONDS = 3;

const VARIANTS = {
  none: [],
  ours: ['--import', program('ours.mjs')],
  official: ['--import', program('official.mjs')],
};
type Variant = keyof typeof VARIANTS;
type Figures = Record<Variant, number>;

export const sdk: Benchmark = {
  name: 'sdk',
  summary:
    'the SDK for Node.js: start-up, requests, CPU of one, a call of node:sqlite, what is installed (asks the registry)',
  async run() {
    const receiver = createServer((request, response) => {
      request.resume().on('end', () => response.end());
    });
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    const env = {
      PATH: process.env.PATH,
      VENDOR_ENDPOINT: endpoint,
      VENDOR_API_KEY: 'ving_bench',
      VENDOR_SERVICE_NAME: 'bench',
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
      OTEL_SERVICE_NAME: 'bench',
    };
    try {
      const starts = await measure(STARTS, (variant) => readNumber(variant, 'begin.cjs', env));
      const cpu = await measure(LOADS, (variant) => measureRequest(variant, env));
      const rates = await measure(LOADS, (variant) => measureRate(variant, env));
      const calls = await measure(LOADS, (variant) => readNumber(variant, 'sqlite.mjs', env));
      print({ starts, cpu, rates, calls });
      printInstalled(await measureInstalled(env));
    } finally {
      receiver.close();
      receiver.closeAllConnections();
    }
  },
};

/** Medians. The variants take turns, so that a busy moment hits all of them. */
async function measure(rounds: number, once: (variant: Variant) => Promise<number>): Promise<Figures> {
  const taken: Record<Variant, number[]> = { none: [], ours: [], official: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const variant of Object.keys(taken) as Variant[]) taken[variant].push(await once(variant));
  return { none: median(taken.none), ours: median(taken.ours), official: median(taken.official) };
}

async function readNumber(variant: Variant, name: string, env: NodeJS.ProcessEnv): Promise<number> {
  const { stdout } = await run(process.execPath, [...VARIANTS[variant], program(name)], { env });
  return Number(stdout);
}

/** Starts the small server for as long as `use` takes, which gets its address. */
async function withServer(
  variant: Variant,
  env: NodeJS.ProcessEnv,
  use: (server: ChildProcess, url: string) => Promise<number>,
): Promise<number> {
  const server = fork(program('server.cjs'), { execArgv: VARIANTS[variant], env });
  try {
    const [{ port }] = (await once(server, 'message')) as [{ port: number }];
    return await use(server, `http://127.0.0.1:${port}`);
  } finally {
    server.kill();
  }
}

/** Microseconds of CPU, with what is sent of it. */
const measureRequest = (variant: Variant, env: NodeJS.ProcessEnv): Promise<number> =>
  withServer(variant, env, async (server, url) => {
    await autocannon({ url, amount: WARM_REQUESTS, connections: 10, overallRate: REQUESTS_A_SECOND });
    const before = await cpuOf(server);
    await autocannon({ url, amount: REQUESTS, connections: 10, overallRate: REQUESTS_A_SECOND });
    return ((await cpuOf(server)) - before) / REQUESTS;
  });

/** Requests a second, as many as are answered. Either SDK drops spans beyond its queue. */
const measureRate = (variant: Variant, env: NodeJS.ProcessEnv): Promise<number> =>
  withServer(variant, env, async (_, url) => {
    await autocannon({ url, duration: 1, connections: 10 });
    const { requests } = await autocannon({ url, duration: RATE_SECONDS, connections: 10 });
    return requests.average;
  });

async function cpuOf(server: ChildProcess): Promise<number> {
  server.send('cpu');
  const [{ cpuMicros }] = (await once(server, 'message')) as [{ cpuMicros: number }];
  return cpuMicros;
}

function print({ starts, cpu, rates, calls }: Record<'starts' | 'cpu' | 'rates' | 'calls', Figures>): void {
  const ms = (value: number): string => `${value.toFixed(0)} ms`;
  const micros = (value: number): string => `${value.toFixed(1)} µs`;
  const more = ({ none }: Figures, value: number): number => value - none;
  printTable('SDK for Node.js', [
    {
      what: 'start-up',
      figure: ms(starts.ours),
      baseline: `without: ${ms(starts.none)}`,
      ratio: times(starts.ours / starts.none),
      aim: 'under 5x',
    },
    {
      what: '',
      figure: '',
      baseline: `@opentelemetry/sdk-node: ${ms(starts.official)}`,
      ratio: times(starts.ours / starts.official, 2),
      aim: 'under 0.5x',
    },
    {
      what: 'CPU of a request, more than without',
      figure: micros(more(cpu, cpu.ours)),
      baseline: `@opentelemetry/sdk-node: ${micros(more(cpu, cpu.official))}; without: ${micros(cpu.none)}`,
      ratio: times(more(cpu, cpu.ours) / more(cpu, cpu.official), 2),
      aim: 'under 1x',
    },
    {
      what: 'requests a second, ten connections',
      figure: perSecond(rates.ours),
      baseline: `@opentelemetry/sdk-node: ${perSecond(rates.official)}; without: ${perSecond(rates.none)}`,
      ratio: times(rates.ours / rates.official, 2),
    },
    {
      what: 'a call of node:sqlite, more than without',
      figure: micros(more(calls, calls.ours)),
      baseline: `without: ${micros(calls.none)}`,
      aim: 'under 10 µs',
    },
  ]);
}

function printInstalled(installed: readonly Installed[]): void {
  printLines(
    'Installed, and start-up',
    [
      ['', 'packages', 'MB', 'start-up'],
      ...installed.map(({ name, packages, bytes, start }) => [
        ...[name, `${packages}`, (bytes / 1e6).toFixed(1)],
        `${start.toFixed(0)} ms`,
      ]),
    ],
    (at) => at > 0,
  );
}
