/** The whole attack on a service that runs: a tenant at work alone, the hostile requests beside it, and what is stored afterwards. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Stack } from '../../dev/stack.ts';
import { MARK } from '../security/hostile-values.ts';
import { createTenant } from '../security/tenant.ts';
import { awaitEqual, type Bystander, type Latencies, startBystander } from './bystander.ts';
import { workerdMemory } from './memory.ts';
import { createPace, type Pace } from './pace.ts';
import { type Attack, type AttackRun, createAccount, runAttack } from './run-attack.ts';
import { attackSockets, type SocketResult } from './sockets.ts';
import { countRows, findRuleBreakers, findStoredUnaccepted } from './storage.ts';

const MEMORY_EVERY_MS = 2000;

const ATTACK_MS = 50_000;
const SETTLE_MS = 3000;
const QUIET_MS = 7000;

type Measured = Record<'quiet' | 'during', Latencies>;

export interface AttackReport extends Measured {
  done: Attack;
  /** A sentence for each fault. */
  faults: string[];
  /** Resident MiB of workerd during the attack. */
  memory: number[];
  sockets: SocketResult[];
}

/** `logged` receives the lines of the service's log. The service must be new: rows are counted in all of its tables. */
export async function attackService(
  stack: Stack,
  run: Omit<AttackRun, 'tracked' | 'pace'> & {
    quietSeconds: number;
    rate?: number | undefined;
    logged: readonly string[];
  },
): Promise<AttackReport> {
  const bystander = await startBystander(stack);
  await wait(run.quietSeconds * 1000);
  const quiet = bystander.takeLatencies();
  const during: Latencies = { 'page view': [], spans: [], overview: [] };

  const unseeded = await countRows(stack.sql);
  await createAccount(stack.sql);
  const before = await countRows(stack.sql);
  const tracked = await createTenant(stack.sql);
  const memory = [await workerdMemory()];
  const measuring = setInterval(async () => memory.push(await workerdMemory()), MEMORY_EVERY_MS);
  const pace = createPace(run.rate);
  const over = new AbortController();
  const resting = restBetween(pace, { bystander, quiet, during, signal: over.signal });
  const done = await runAttack(stack, { ...run, pace, tracked });
  over.abort();
  await resting;
  const sockets = await attackSockets(Number(new URL(stack.baseUrl).port));
  clearInterval(measuring);
  add(during, bystander.takeLatencies());

  const stored = await awaitEqual(
    () => countEvents(stack, tracked.siteId),
    (count) => count === done.acceptedEvents,
  );
  const after = await countRows(stack.sql);
  const one = Object.keys(before).map(
    (table) => [table, (before[table] ?? 0) - (unseeded[table] ?? 0)] as const,
  );
  // The site of the page views belongs to one more tenant, which has fewer rows than the others.
  const seeded = Object.fromEntries(one.map(([table, rows]) => [table, rows * (done.accountsMade + 1)]));
  // A caller may choose the request id if it has the documented form.
  const repeating = run.logged.filter((line) => line.replace(/"requestId":"[^"]{1,64}"/, '').includes(MARK));
  const faults = [
    ...done.faults,
    ...sockets.flatMap(({ fault }) => fault ?? []),
    ...findStoredUnaccepted(before, after, seeded, done.successes),
    ...(await findRuleBreakers(stack.sql)),
    ...(stored === done.acceptedEvents
      ? []
      : [`${done.acceptedEvents} hostile events were accepted, ${stored} are stored`]),
    ...repeating.slice(0, 3).map((line) => `a log line repeats what was sent: ${line.slice(0, 300)}`),
    ...(await bystander.stop()).map((fault) => `bystander: ${fault}`),
  ];
  return { done, faults, memory, sockets, quiet, during };
}

/**
 * Stops the attack for some seconds of each minute. So the bystander's quiet answers are measured throughout, and other work on the machine
 * slows both. The first seconds of a pause count for neither: the last hostile requests are still being answered.
 */
async function restBetween(
  pace: Pace,
  { bystander, quiet, during, signal }: Measured & { bystander: Bystander; signal: AbortSignal },
): Promise<void> {
  try {
    for (;;) {
      await wait(ATTACK_MS, undefined, { signal });
      pace.pause();
      add(during, bystander.takeLatencies());
      await wait(SETTLE_MS, undefined, { signal });
      bystander.takeLatencies();
      await wait(QUIET_MS, undefined, { signal });
      add(quiet, bystander.takeLatencies());
      pace.resume();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function add(all: Latencies, more: Latencies): void {
  for (const what of Object.keys(all) as (keyof Latencies)[]) all[what].push(...more[what]);
}

/** The stored events. What was refused (kind 0) is counted too, and is no event. */
async function countEvents(stack: Stack, siteId: string): Promise<number> {
  const [row] = await stack.sql`
    select count(*)::int as count from events join sites on sites.key = events.site_key
    where sites.id = ${siteId} and kind > 0`;
  return row?.count as number;
}
