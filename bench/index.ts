/** `npm run bench [-- name ...]`: each benchmark prints its figures beside a named baseline and the target. */

import { alerts } from './alerts.ts';
import { readBenchOptions } from './bench-options.ts';
import type { Benchmark } from './benchmark.ts';
import { content } from './content.ts';
import { cost } from './cost.ts';
import { cpu } from './cpu.ts';
import { dashboard } from './dashboard.ts';
import { delivery } from './delivery.ts';
import { fill } from './fill.ts';
import { fold } from './fold.ts';
import { host } from './host.ts';
import { hostile } from './hostile.ts';
import { describeMachine } from './machine.ts';
import { mcp } from './mcp.ts';
import { metrics } from './metrics.ts';
import { month } from './month.ts';
import { neighbours } from './neighbours.ts';
import { otlp } from './otlp.ts';
import { peers } from './peers.ts';
import { reports } from './reports.ts';
import { scale } from './scale.ts';
import { sdk } from './sdk.ts';
import { soak } from './soak.ts';
import { telemetry } from './telemetry.ts';
import { track } from './track.ts';
import { tracker } from './tracker.ts';

/** The benchmarks in the order in which they run. */
const BENCHMARKS: readonly Benchmark[] = [
  track,
  delivery,
  host,
  fold,
  hostile,
  neighbours,
  month,
  alerts,
  reports,
  peers,
  content,
  mcp,
  otlp,
  telemetry,
  metrics,
  sdk,
  dashboard,
  tracker,
  cost,
  cpu,
  fill,
  scale,
  soak,
];

async function main(args: string[]): Promise<void> {
  const options = readBenchOptions(args);
  const unknown = options.names.filter((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name));
  if (unknown.length > 0) throw new Error(`No such benchmark: ${unknown.join(', ')}. ${listBenchmarks()}`);
  const chosen = BENCHMARKS.filter(({ name, onlyNamed }) =>
    options.names.length === 0 ? !onlyNamed : options.names.includes(name),
  );
  if (!chosen.every(({ calculates }) => calculates)) console.log(await describeMachine(options));
  for (const { name, summary, run } of chosen) {
    console.error(`\n${name}: ${summary} ...`);
    await run(options);
  }
}

function listBenchmarks(): string {
  return `There are:\n${BENCHMARKS.map(({ name, summary }) => `  ${name.padEnd(10)} ${summary}`).join('\n')}`;
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
