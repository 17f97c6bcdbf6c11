/**
 * `npm run attack [-- --minutes 20 --requests 100000 --at-once 8 --rate 20 --seed 1 --state FILE --kinds bodies,otlp --database postgres://…
 * --redis redis://…]`: starts a service on this machine, sends it hostile requests of every kind while another tenant works, and prints a report.
 * Ends with code 1 if it finds a fault. Runs with the same seed send the same requests, except for ids and secrets. With `--state` a
 * run that was stopped goes on, on a new service, with the first batch that wasn't sent; the file holds the seed.
 */
import { quantile } from '../../bench/median.ts';
import { printTable, times as ratio, whole } from '../../bench/print-table.ts';
import { createScratchDatabase } from '../../dev/scratch-database.ts';
import { createScratchRedis } from '../../dev/scratch-redis.ts';
import { startStack } from '../../dev/stack.ts';
import { TEST_CHANNEL_KEY } from '../security/mail-samples.ts';
import { TEST_AUTH_KEY } from '../security/session.ts';
import { type AttackOptions, readAttackOptions } from './attack-options.ts';
import { type AttackReport, attackService } from './attack-service.ts';
import type { Latencies } from './bystander.ts';
import { KINDS } from './kinds.ts';
import { readProgress, writeProgress } from './progress.ts';

/**
 * workerd keeps some KiB of each request until V8 collects the whole heap, which it puts off while the heap is small: a gibibyte after
 * 20,000 requests. Every collection of new objects is a whole one here, so that what still grows is kept by our code.
 */
const V8_FLAGS = '--gc-global --max-semi-space-size=2';
const QUIET_SECONDS = 30;
const SHOWN = 25;

async function main(options: AttackOptions): Promise<void> {
  const kinds = KINDS.filter(({ name }) => options.kinds.length === 0 || options.kinds.includes(name));
  if (kinds.length === 0)
    throw new Error(`--kinds takes names of these: ${KINDS.map(({ name }) => name).join(', ')}.`);
  const logged: string[] = [];
  const database = options.database === undefined ? undefined : await createScratchDatabase(options.database);
  const redis = options.redis === undefined ? undefined : createScratchRedis(options.redis);
  process.env.MINIFLARE_WORKERD_V8_FLAGS ??= V8_FLAGS;
  const stack = await startStack({
    ...(database && { database: { url: database.url } }),
    ...(redis && { redis }),
    vars: { AUTH_KEY: TEST_AUTH_KEY, CHANNEL_KEY: TEST_CHANNEL_KEY },
    log: (line) => logged.push(line),
  });
  try {
    const begun = readProgress(options);
    if (begun !== undefined) console.error(`continues after ${begun.sent} requests`);
    const { state, ...limits } = options;
    console.error(`seed ${options.seed}; the bystander works alone for ${QUIET_SECONDS} s ...`);
    const result = await attackService(stack, {
      ...{ ...limits, kinds, begun, logged, quietSeconds: QUIET_SECONDS },
      ...(state !== undefined && { onBatch: (progress) => writeProgress(state, progress) }),
    });
    report(result);
    reportLog(logged);
    const { faults } = result;
    for (const fault of faults.slice(0, SHOWN)) console.error(`\n${fault}`);
    if (faults.length > 0) throw new Error(`${faults.length} faults (seed ${options.seed})`);
    console.log(`\nno fault (seed ${options.seed})`);
  } finally {
    await stack.close();
    await database?.drop();
    await redis?.drop();
  }
}

/** What stands in a line of the log without its ids, numbers and lines of code. */
const kindOf = (line: string): string =>
  /^(\w+).*?"event":"([^"]+)"/.exec(line)?.slice(1).join(' ') +
  [...line.matchAll(/"message":"([^"]*)"/g)]
    .map(([, message]) => `, ${message?.replace(/\d+/g, 'n')}`)
    .join('');

function reportLog(logged: readonly string[]): void {
  const broken = logged.filter((line) => line.includes('"level":"error"'));
  console.log(`logged: ${whole(logged.length)} lines, ${whole(broken.length)} of errors`);
  for (const [kind, lines] of Object.entries(Object.groupBy(broken, kindOf)).slice(0, SHOWN))
    console.error(`${lines?.length} × ${kind}: ${lines?.[0]?.slice(0, 1500)}`);
}

function report({ done, memory, sockets, quiet, during }: AttackReport): void {
  console.log(
    `\n${whole(done.sent)} requests of ${done.tenants} accounts in ${whole(done.seconds)} s, ${whole(done.sent / done.seconds)}/s`,
  );
  printTable(
    'Kinds',
    [...done.byKind].map(([what, tally]) => ({
      what,
      figure: whole(tally.sent),
      baseline: `${whole(tally.taken)} taken, ${whole(tally.refused)} refused, ${whole(tally.limited)} limited, ${whole(tally.unavailable)} × 503, ${whole(tally.givenUp)} given up`,
      ratio: `${whole(tally.slowestMs)} ms`,
      aim: tally.slowest,
    })),
    { figure: 'sent', baseline: 'answers', ratio: 'slowest', aim: 'which' },
  );
  printTable(
    'The bystander’s answers',
    (Object.keys(quiet) as (keyof Latencies)[]).map((what) => ({
      what,
      figure: times(during[what]),
      baseline: `alone ${times(quiet[what])}`,
      ratio: ratioOf(during[what], quiet[what]),
      ...(what === 'overview' && { aim: 'at most 2.0x' }),
    })),
    { ratio: 'p95' },
  );
  console.log(`\nsockets: ${sockets.map(({ what, ended }) => `${what} ${ended}`).join('; ')}`);
  console.log(
    `\nworkerd: ${memory[0]} MiB before, ${Math.max(...memory)} MiB at most; by tenths of the time ${tenths(memory).join(', ')} MiB`,
  );
}

const tenths = (values: readonly number[]): (number | undefined)[] =>
  Array.from({ length: 10 }, (_, at) => values[Math.ceil(((at + 1) * values.length) / 10) - 1]);

const times = (ms: readonly number[]): string =>
  ms.length === 0
    ? 'none'
    : `median ${whole(quantile(ms, 0.5))} ms, p95 ${whole(quantile(ms, 0.95))} ms, p99 ${whole(quantile(ms, 0.99))} ms of ${whole(ms.length)}`;

const ratioOf = (during: readonly number[], quiet: readonly number[]): string =>
  during.length === 0 || quiet.length === 0 ? '' : ratio(quantile(during, 0.95) / quantile(quiet, 0.95));

try {
  await main(readAttackOptions(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
