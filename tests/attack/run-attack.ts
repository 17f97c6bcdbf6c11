import fc from 'fast-check';
import type { Stack } from '../../dev/stack.ts';
import { createSamples, type Samples } from '../security/documented-samples.ts';
import type { AttackOptions } from './attack-options.ts';
import type { Attempt } from './attempt.ts';
import { findFault } from './judge.ts';
import type { Kind } from './kinds.ts';

/** Requests by one account: fewer than any limit allows, since a request that is refused for its rate proves nothing. */
const BATCH = 40;
const TIMEOUT_MS = 30_000;
const PROGRESS_MS = 10_000;
const CURSORS = 500;
const BODY_SHOWN = 300;

interface Tally {
  sent: number;
  taken: number;
  refused: number;
  limited: number;
  slowestMs: number;
  /** The operation of the slowest answer. */
  slowest: string;
}

export interface Attack {
  sent: number;
  seconds: number;
  /** Number of accounts that sent requests. */
  tenants: number;
  byKind: Map<string, Tally>;
  /** Successful answers by operation id. */
  successes: Map<string, number>;
  /** Number of events of the tracked site that the service accepted. */
  acceptedEvents: number;
  faults: string[];
}

/** Sends requests until the time is over or the number is reached. */
export async function runAttack(
  stack: Stack,
  kinds: readonly Kind[],
  trackedSite: string,
  options: AttackOptions,
): Promise<Attack> {
  const start = performance.now();
  const end = start + options.minutes * 60_000;
  const attack: Attack = {
    ...{ sent: 0, seconds: 0, tenants: 0, acceptedEvents: 0 },
    byKind: new Map(),
    successes: new Map(),
    faults: [],
  };
  const cursors: string[] = [];
  let previous: Samples = await createSamples(stack.sql);
  attack.tenants += 1;
  let batch = 0;
  const isOver = () => performance.now() >= end || attack.sent >= options.requests;

  const work = async (): Promise<void> => {
    while (!isOver()) {
      batch += 1;
      const seed = options.seed + batch;
      const own = await createSamples(stack.sql);
      attack.tenants += 1;
      const attacker = { own, other: previous, trackedSite, cursors };
      previous = own;
      const drawn = fc.oneof(
        ...kinds.map(({ name, weight, attempts }) => ({
          weight,
          arbitrary: attempts(attacker).map((attempt) => ({ name, attempt })),
        })),
      );
      for (const { name, attempt } of fc.sample(drawn, { numRuns: BATCH, seed })) {
        if (isOver()) return;
        await send(stack, name, attempt, attack, cursors);
      }
    }
  };
  const progress = setInterval(
    () => console.error(`  ${attack.sent} of ${options.requests} requests, ${attack.faults.length} faults`),
    PROGRESS_MS,
  );
  try {
    await Promise.all(Array.from({ length: options.atOnce }, work));
  } finally {
    clearInterval(progress);
  }
  return { ...attack, seconds: (performance.now() - start) / 1000 };
}

let addresses = 0;
/** Mostly a new address, so that limits by address don't hide other answers. Every eighth request comes from the same address. */
function nextAddress(): string {
  addresses += 1;
  if (addresses % 8 === 0) return '198.51.100.7';
  if (addresses % 2 === 0)
    return `2001:db8:${(addresses >> 16).toString(16)}:${(addresses & 0xffff).toString(16)}::1`;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

async function send(
  stack: Stack,
  kind: string,
  attempt: Attempt,
  attack: Attack,
  cursors: string[],
): Promise<void> {
  const { route, service } = attempt;
  const ask = service.name === 'content' ? stack.fetchContent : stack.fetch;
  const named = new Headers(attempt.init.headers).has('X-Forwarded-For') ? {} : { address: nextAddress() };
  const start = performance.now();
  let found: string | undefined;
  let status = 0;
  let body = '';
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await ask(attempt.path, { ...attempt.init, ...named, signal });
    body = await response.text();
    status = response.status;
    found = findFault(attempt, response, body);
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? ` (${error.cause})` : '';
    // `fetch` didn't send what it refused itself.
    if (!(error instanceof TypeError && error.cause === undefined)) found = `no answer: ${error}${cause}`;
  }
  const tally = tallyOf(attack, kind);
  const ms = performance.now() - start;
  attack.sent += 1;
  tally.sent += 1;
  if (ms > tally.slowestMs) Object.assign(tally, { slowestMs: ms, slowest: route.operationId });
  if (status === 429) tally.limited += 1;
  else if (status >= 400) tally.refused += 1;
  else tally.taken += 1;
  if (status > 0 && status < 400) {
    attack.successes.set(route.operationId, (attack.successes.get(route.operationId) ?? 0) + 1);
    if (kind === 'tracking') attack.acceptedEvents += acceptedOf(body);
    keepCursor(body, cursors);
  }
  if (found !== undefined) attack.faults.push(describe(kind, attempt, found, status, body));
}

function tallyOf({ byKind }: Attack, kind: string): Tally {
  const known = byKind.get(kind);
  if (known !== undefined) return known;
  const made = { sent: 0, taken: 0, refused: 0, limited: 0, slowestMs: 0, slowest: '' };
  byKind.set(kind, made);
  return made;
}

/** A 204 has no body and means that no event was accepted. */
const acceptedOf = (body: string): number =>
  body === '' ? 0 : (JSON.parse(body) as { data: { accepted: number } }).data.accepted;

function keepCursor(body: string, cursors: string[]): void {
  const cursor = /"nextCursor":"([^"]+)"/.exec(body)?.[1];
  if (cursor === undefined) return;
  cursors.push(cursor);
  if (cursors.length > CURSORS) cursors.shift();
}

function describe(
  kind: string,
  { route, path, init }: Attempt,
  fault: string,
  status: number,
  body: string,
): string {
  const headers = JSON.stringify([...new Headers(init.headers)]).slice(0, BODY_SHOWN);
  const sent =
    typeof init.body === 'string' ? init.body.slice(0, BODY_SHOWN) : init.body === undefined ? '' : '(bytes)';
  return (
    `${fault}: ${kind}, ${route.operationId}\n  ${init.method} ${path.slice(0, BODY_SHOWN)}\n  ${headers}\n  ${sent}\n` +
    `  ${status} ${body.slice(0, BODY_SHOWN)}`
  );
}
