/**
 * `npm run attack [-- --minutes 10 --requests 100000 --at-once 8 --seed 1 --kinds bodies,otlp --database postgres://… --redis
 * redis://…]`: starts a service on this machine, sends it hostile requests of every kind while another tenant works, and prints a report.
 * Ends with code 1 if it finds a fault. Runs with the same seed send the same requests, except for ids and secrets.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { quantile } from '../../bench/median.ts';
import { printTable, whole } from '../../bench/print-table.ts';
import { createScratchDatabase } from '../../dev/scratch-database.ts';
import { createScratchRedis } from '../../dev/scratch-redis.ts';
import { type Stack, startStack } from '../../dev/stack.ts';
import { createSamples } from '../security/documented-samples.ts';
import { MARK } from '../security/hostile-values.ts';
import { TEST_AUTH_KEY } from '../security/session.ts';
import { createTenant } from '../security/tenant.ts';
import { type AttackOptions, readAttackOptions } from './attack-options.ts';
import { awaitEqual, type Latencies, startBystander } from './bystander.ts';
import { KINDS, type Kind } from './kinds.ts';
import { workerdMemory } from './memory.ts';
import { type Attack, runAttack } from './run-attack.ts';
import { attackSockets } from './sockets.ts';
import { countRows, findStoredUnaccepted } from './storage.ts';

const QUIET_SECONDS = 15;
const MEMORY_EVERY_MS = 2000;
const SHOWN = 25;

async function main(options: AttackOptions): Promise<void> {
  const kinds = KINDS.filter(({ name }) => options.kinds.length === 0 || options.kinds.includes(name));
  if (kinds.length === 0)
    throw new Error(`--kinds takes names of these: ${KINDS.map(({ name }) => name).join(', ')}.`);
  const logged: string[] = [];
  const database = options.database === undefined ? undefined : await createScratchDatabase(options.database);
  const redis = options.redis === undefined ? undefined : createScratchRedis(options.redis);
  const stack = await startStack({
    ...(database && { database: { url: database.url } }),
    ...(redis && { redis }),
    vars: { AUTH_KEY: TEST_AUTH_KEY },
    log: (line) => logged.push(line),
  });
  try {
    const faults = await attack(stack, kinds, options, logged);
    for (const fault of faults.slice(0, SHOWN)) console.error(`\n${fault}`);
    if (faults.length > 0) throw new Error(`${faults.length} faults (seed ${options.seed})`);
    console.log(`\nno fault (seed ${options.seed})`);
  } finally {
    await stack.close();
    await database?.drop();
    await redis?.drop();
  }
}

/** Runs the attack. Returns a sentence for each fault. */
async function attack(
  stack: Stack,
  kinds: readonly Kind[],
  options: AttackOptions,
  logged: readonly string[],
): Promise<string[]> {
  const bystander = await startBystander(stack);
  console.error(`the bystander works alone for ${QUIET_SECONDS} s ...`);
  await wait(QUIET_SECONDS * 1000);
  const quiet = bystander.takeLatencies();

  const unseeded = await countRows(stack.sql);
  await createSamples(stack.sql);
  const before = await countRows(stack.sql);
  const { siteId: trackedSite } = await createTenant(stack.sql);
  const memory = [await workerdMemory()];
  const measuring = setInterval(async () => memory.push(await workerdMemory()), MEMORY_EVERY_MS);
  const done = await runAttack(stack, kinds, trackedSite, options);
  const sockets = await attackSockets(Number(new URL(stack.baseUrl).port));
  clearInterval(measuring);
  const during = bystander.takeLatencies();

  const stored = await awaitEqual(
    () => countEvents(stack, trackedSite),
    (count) => count === done.acceptedEvents,
  );
  const after = await countRows(stack.sql);
  const one = Object.keys(before).map(
    (table) => [table, (before[table] ?? 0) - (unseeded[table] ?? 0)] as const,
  );
  // The site of the page views belongs to one more tenant, which has fewer rows than the others.
  const seeded = Object.fromEntries(one.map(([table, rows]) => [table, rows * (done.tenants + 1)]));
  report(done, memory, quiet, during);
  // A caller may choose the request id if it has the documented form.
  const repeating = logged.filter((line) => line.replace(/"requestId":"[^"]{1,64}"/, '').includes(MARK));
  const broken = logged.filter((line) => line.includes('"level":"error"'));
  console.log(`\nsockets: ${sockets.map(({ what, ended }) => `${what} ${ended}`).join('; ')}`);
  console.log(`logged: ${whole(logged.length)} lines, ${whole(broken.length)} of errors`);
  for (const [kind, lines] of Object.entries(Object.groupBy(broken, kindOf)).slice(0, SHOWN))
    console.error(`${lines?.length} × ${kind}: ${lines?.[0]?.slice(0, 1500)}`);
  return [
    ...done.faults,
    ...sockets.flatMap(({ fault }) => fault ?? []),
    ...findStoredUnaccepted(before, after, seeded, done.successes),
    ...(stored === done.acceptedEvents
      ? []
      : [`${done.acceptedEvents} hostile events were accepted, ${stored} are stored`]),
    ...repeating.slice(0, 3).map((line) => `a log line repeats what was sent: ${line.slice(0, 300)}`),
    ...(await bystander.stop()).map((fault) => `bystander: ${fault}`),
  ];
}

/** What stands in a line of the log without its ids, numbers and places in the code. */
const kindOf = (line: string): string =>
  /^(\w+).*?"event":"([^"]+)"/.exec(line)?.slice(1).join(' ') +
  [...line.matchAll(/"message":"([^"]*)"/g)]
    .map(([, message]) => `, ${message?.replace(/\d+/g, 'n')}`)
    .join('');

/** The stored events. What was refused (kind 0) is counted too, and is no event. */
async function countEvents(stack: Stack, siteId: string): Promise<number> {
  const [row] = await stack.sql`
    select count(*)::int as count from events join sites on sites.key = events.site_key
    where sites.id = ${siteId} and kind > 0`;
  return row?.count as number;
}

function report(done: Attack, memory: readonly number[], quiet: Latencies, during: Latencies): void {
  console.log(
    `\n${whole(done.sent)} requests of ${done.tenants} accounts in ${whole(done.seconds)} s, ${whole(done.sent / done.seconds)}/s`,
  );
  printTable(
    'Kinds',
    [...done.byKind].map(([what, tally]) => ({
      what,
      figure: whole(tally.sent),
      baseline: `${whole(tally.taken)} taken, ${whole(tally.refused)} refused, ${whole(tally.limited)} limited`,
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
    })),
  );
  console.log(
    `\nworkerd: ${memory[0]} MiB before, ${Math.max(...memory)} MiB at most, ${memory.at(-1)} MiB at the end`,
  );
}

const times = (ms: readonly number[]): string =>
  ms.length === 0
    ? 'none'
    : `median ${whole(quantile(ms, 0.5))} ms, p99 ${whole(quantile(ms, 0.99))} ms of ${whole(ms.length)}`;

try {
  await main(readAttackOptions(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
