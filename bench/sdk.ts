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
import { printTable, times } from './print-table.ts';

const run = promisify(execFile);
const program = (name: string): string => fileURLToPath(new URL(`sdk/${name}`, import.meta.url));

const STARTS = 15;
const LOADS = 5;
const WARM_REQUESTS = 2000;
const REQUESTS = 6000;
/** Less than either SDK's queue bears, so that both send every span. */
const REQUESTS_A_SECOND = 1000;

const VARIANTS = {
  none: [],
  ours: ['--import', program('ours.mjs')],
  official: ['--import', program('official.mjs')],
};
type Variant = keyof typeof VARIANTS;
type Figures = Record<Variant, number>;

export const sdk: Benchmark = {
  name: 'sdk',
  summary: 'start-up, CPU of a request and time of a call of node:sqlite with the SDK for Node.js',
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
      const calls = await measure(LOADS, (variant) => readNumber(variant, 'sqlite.mjs', env));
      print(starts, cpu, calls);
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

/** Microseconds of CPU, with what is sent of it. */
async function measureRequest(variant: Variant, env: NodeJS.ProcessEnv): Promise<number> {
  const server = fork(program('server.cjs'), { execArgv: VARIANTS[variant], env });
  try {
    const [{ port }] = (await once(server, 'message')) as [{ port: number }];
    const url = `http://127.0.0.1:${port}`;
    await autocannon({ url, amount: WARM_REQUESTS, connections: 10, overallRate: REQUESTS_A_SECOND });
    const before = await cpuOf(server);
    await autocannon({ url, amount: REQUESTS, connections: 10, overallRate: REQUESTS_A_SECOND });
    return ((await cpuOf(server)) - before) / REQUESTS;
  } finally {
    server.kill();
  }
}

async function cpuOf(server: ChildProcess): Promise<number> {
  server.send('cpu');
  const [{ cpuMicros }] = (await once(server, 'message')) as [{ cpuMicros: number }];
  return cpuMicros;
}

function print(starts: Figures, cpu: Figures, calls: Figures): void {
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
      what: 'a call of node:sqlite, more than without',
      figure: micros(more(calls, calls.ours)),
      baseline: `without: ${micros(calls.none)}`,
      aim: 'under 10 µs',
    },
  ]);
}
