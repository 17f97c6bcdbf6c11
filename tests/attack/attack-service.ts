/** The whole attack on a service that runs: a tenant at work alone, the hostile requests beside it, and what is stored afterwards. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Stack } from '../../dev/stack.ts';
import { MARK } from '../security/hostile-values.ts';
import { createTenant } from '../security/tenant.ts';
import { awaitEqual, type Latencies, startBystander } from './bystander.ts';
import { workerdMemory } from './memory.ts';
import { type Attack, type AttackRun, createAccount, runAttack } from './run-attack.ts';
import { attackSockets, type SocketResult } from './sockets.ts';
import { countRows, findRuleBreakers, findStoredUnaccepted } from './storage.ts';

const MEMORY_EVERY_MS = 2000;

export interface AttackReport {
  done: Attack;
  /** A sentence for each fault. */
  faults: string[];
  /** Resident MiB of workerd during the attack. */
  memory: number[];
  sockets: SocketResult[];
  quiet: Latencies;
  during: Latencies;
}

/** `logged` receives the lines of the service's log. The service must be new: rows are counted in all of its tables. */
export async function attackService(
  stack: Stack,
  run: Omit<AttackRun, 'tracked'> & { quietSeconds: number; logged: readonly string[] },
): Promise<AttackReport> {
  const bystander = await startBystander(stack);
  await wait(run.quietSeconds * 1000);
  const quiet = bystander.takeLatencies();

  const unseeded = await countRows(stack.sql);
  await createAccount(stack.sql);
  const before = await countRows(stack.sql);
  const tracked = await createTenant(stack.sql);
  const memory = [await workerdMemory()];
  const measuring = setInterval(async () => memory.push(await workerdMemory()), MEMORY_EVERY_MS);
  const done = await runAttack(stack, { ...run, tracked });
  const sockets = await attackSockets(Number(new URL(stack.baseUrl).port));
  clearInterval(measuring);
  const during = bystander.takeLatencies();

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

/** The stored events. What was refused (kind 0) is counted too, and is no event. */
async function countEvents(stack: Stack, siteId: string): Promise<number> {
  const [row] = await stack.sql`
    select count(*)::int as count from events join sites on sites.key = events.site_key
    where sites.id = ${siteId} and kind > 0`;
  return row?.count as number;
}
