/** Measures calls of the content service's tools, beside a call of the SDK's own handler that does nothing, in the same Worker. */
import { join } from 'node:path';
import { type Stack, startStack } from '../../dev/stack.ts';
import { type FunctionSpec, ROOT, readDeployment } from '../../tooling/deployment.ts';
import type { BenchOptions } from '../bench-options.ts';
import type { LoadResult } from '../load/load-job.ts';
import { type RunLoad, withLoad } from '../load/with-load.ts';
import { median } from '../median.ts';
import { perSecond, printTable, type Row, times } from '../print-table.ts';
import { type Call, callMessage, ERAS, type Era } from './tool-call.ts';

const CONNECTIONS = 20;
const ROUNDS = 5;
const SECONDS = 8;
const WARM_UP_SECONDS = 1;
const AIM = 1.3;

const EMPTY = { what: 'empty tool', path: '/bare', tool: 'empty', args: {} };
const query = 'accessible website';
const TARGETS: readonly (Call & { what: string; path: string })[] = [
  EMPTY,
  { what: 'search_content, all types', path: '/mcp', tool: 'search_content', args: { query } },
  {
    what: 'search_content, services',
    path: '/mcp',
    tool: 'search_content',
    args: { query, type: 'service' },
  },
  {
    what: 'get_content of a service',
    path: '/mcp',
    tool: 'get_content',
    args: { id: 'service:website-design:en' },
  },
  {
    what: 'get_content of a guide',
    path: '/mcp',
    tool: 'get_content',
    args: { id: 'guide:writing-for-the-web' },
  },
];
type Target = (typeof TARGETS)[number];

interface Round {
  /** Measured with one connection. */
  ms: number;
  /** Measured with many connections. */
  rate: number;
  others: LoadResult['others'][];
}

/** Median milliseconds of a single call, and calls per second, for each tool and both protocol eras. */
export async function measureCalls({ redis, seconds = SECONDS }: BenchOptions): Promise<void> {
  const stack = await startStack({ redis, functions: withBare(readDeployment()) });
  try {
    await withLoad(async (load) => {
      for (const era of ERAS) report(era, await measureEra(stack, load, era, seconds));
    });
  } finally {
    await stack.close();
  }
}

function withBare(functions: FunctionSpec[]): FunctionSpec[] {
  const main = join(ROOT, 'bench/bare/index.ts');
  return functions.map((spec) => (spec.fn === 'content' ? { ...spec, main } : spec));
}

/** Measures the targets in turns, so that other load on the machine affects all of them. */
async function measureEra(
  stack: Stack,
  load: RunLoad,
  era: Era,
  seconds: number,
): Promise<Map<Target, Round[]>> {
  const run = (target: Target, length: number) => runRound(stack, load, era, target, length);
  const rounds = new Map<Target, Round[]>(TARGETS.map((target) => [target, []]));
  for (const target of TARGETS) {
    await requireAnswer(stack, era, target);
    await run(target, WARM_UP_SECONDS);
  }
  for (let n = 1; n <= ROUNDS; n++) {
    for (const [target, done] of rounds) done.push(await run(target, seconds / ROUNDS));
    console.error(`  ${era}: round ${n} of ${ROUNDS}`);
  }
  return rounds;
}

/** Half of the time with one connection, half with many. */
async function runRound(
  stack: Stack,
  load: RunLoad,
  era: Era,
  target: Target,
  seconds: number,
): Promise<Round> {
  const job = {
    url: `${stack.contentUrl}${target.path}`,
    seconds: seconds / 2,
    request: callMessage(era, target),
    status: 200,
  };
  const alone = await load({ ...job, connections: 1 });
  const many = await load({ ...job, connections: CONNECTIONS });
  return { ms: alone.medianMs, rate: many.accepted / many.seconds, others: [alone.others, many.others] };
}

/** An error also has status 200 and is fast, so the body is checked. */
async function requireAnswer(stack: Stack, era: Era, target: Target): Promise<void> {
  const response = await stack.fetchContent(target.path, { method: 'POST', ...callMessage(era, target) });
  const text = await response.text();
  if (!text.includes('"structuredContent"') || text.includes('_unavailable')) {
    throw new Error(`${target.what} is answered with ${response.status}: ${text.slice(0, 300)}`);
  }
}

function report(era: Era, rounds: Map<Target, Round[]>): void {
  const figure = (target: Target, pick: (round: Round) => number): number =>
    median((rounds.get(target) ?? []).map(pick));
  const ms = (target: Target): number => figure(target, (round) => round.ms);
  const rate = (target: Target): number => figure(target, (round) => round.rate);
  const tools = TARGETS.filter((target) => target !== EMPTY);

  printTable(`tools/call, ${era}, one at a time; medians of ${ROUNDS} rounds`, [
    ...tools.map(
      (target): Row => ({
        what: target.what,
        figure: `${ms(target).toFixed(2)} ms`,
        baseline: `bare SDK handler, empty tool: ${ms(EMPTY).toFixed(2)} ms`,
        ratio: times(ms(target) / ms(EMPTY), 2),
        aim: `at most ${AIM}x`,
      }),
    ),
  ]);
  printTable(`The same with ${CONNECTIONS} connections; the ratio is of the time for each`, [
    ...tools.map(
      (target): Row => ({
        what: target.what,
        figure: perSecond(rate(target)),
        baseline: `bare SDK handler, empty tool: ${perSecond(rate(EMPTY))}`,
        ratio: times(rate(EMPTY) / rate(target), 2),
        aim: `at most ${AIM}x`,
      }),
    ),
    ...refusals(rounds),
  ]);
}

/** A row for answers with a status other than 200, if there were any. */
function refusals(rounds: Map<Target, Round[]>): Row[] {
  const counts = [...rounds.values()].flat().flatMap(({ others }) => others.flatMap(Object.entries<number>));
  if (counts.length === 0) return [];
  const sum = counts.reduce((total, [, count]) => total + count, 0);
  const kinds = [...new Set(counts.map(([status]) => status))].join(', ');
  return [{ what: 'answers other than 200', figure: String(sum), baseline: kinds }];
}
