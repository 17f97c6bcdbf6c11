import fc from 'fast-check';
import type { Stack } from '../../dev/stack.ts';
import type { Sql } from '../../lib/db.ts';
import { hashToken } from '../../lib/tokens.ts';
import { createSamples, type Samples } from '../security/documented-samples.ts';
import { requestOf } from '../security/example-request.ts';
import { addQueryToken } from '../security/session.ts';
import type { Attacker, Attempt } from './attempt.ts';
import { findFault, isDeclaredOutage } from './judge.ts';
import type { Kind } from './kinds.ts';
import type { Pace } from './pace.ts';
import { LISTS } from './targets.ts';

/** Requests by one account: few enough that most limits don't hide other answers. 100,000 requests are of 2,000 accounts. */
const BATCH = 50;
const TIMEOUT_MS = 30_000;
const PROGRESS_MS = 10_000;
const BODY_SHOWN = 300;

interface Tally {
  sent: number;
  taken: number;
  refused: number;
  limited: number;
  /** Answers of 503 that the service declares. */
  unavailable: number;
  /** Requests that the client gave up. */
  givenUp: number;
  slowestMs: number;
  /** The operation of the slowest answer. */
  slowest: string;
}

export interface Attack {
  sent: number;
  seconds: number;
  /** Number of accounts that sent requests. */
  tenants: number;
  /** Accounts that this run made. */
  accountsMade: number;
  byKind: Map<string, Tally>;
  /** Successful answers by operation id. */
  successes: Map<string, number>;
  /** Number of events of the tracked site that the service accepted. */
  acceptedEvents: number;
  faults: string[];
  /** The first batch that isn't wholly sent. */
  nextBatch: number;
}

/** What a run that was stopped has done, so that another one continues it. */
export interface Progress extends Pick<Attack, 'sent' | 'seconds' | 'tenants' | 'faults' | 'nextBatch'> {
  seed: number;
  byKind: [string, Tally][];
}

export interface AttackRun {
  minutes: number;
  /** The attack ends at this number of requests, if the minutes aren't over. */
  requests: number;
  atOnce: number;
  pace: Pace;
  seed: number;
  kinds: readonly Kind[];
  tracked: Attacker['tracked'];
  /** Where an earlier run ended. */
  begun?: Progress | undefined;
  /** Called after each batch. */
  onBatch?: (progress: Progress) => void;
}

/** The requests of a batch: the same for the same attacker, seed and number. */
export function drawBatch(
  kinds: readonly Kind[],
  attacker: Attacker,
  seed: number,
  batch: number,
): { name: string; attempt: Attempt }[] {
  const drawn = fc.oneof(
    ...kinds.map(({ name, weight, attempts }) => ({
      weight: 10 * weight,
      arbitrary: attempts(attacker).map((attempt) => ({ name, attempt })),
    })),
  );
  return fc.sample(drawn, { numRuns: BATCH, seed: seed + batch });
}

/** An account that attacks: the documented examples' data and more query tokens of its person. */
export async function createAccount(sql: Sql): Promise<Pick<Attacker, 'own' | 'moreQueryTokens'>> {
  const own = await createSamples(sql);
  const [row] = await sql`
    select user_id from query_tokens where hash = decode(${await hashToken(own.queryToken)}, 'hex')`;
  const more = await Promise.all([1, 2].map(() => addQueryToken(sql, row?.user_id)));
  return { own, moreQueryTokens: more.map(({ token }) => token) };
}

/** Sends requests until the time is over or the number is reached. */
export async function runAttack(stack: Stack, run: AttackRun): Promise<Attack> {
  const start = performance.now();
  const end = start + run.minutes * 60_000;
  const { begun } = run;
  const attack: Attack = {
    ...{ sent: 0, seconds: 0, tenants: 0, faults: [], nextBatch: 1, ...begun },
    byKind: new Map(begun?.byKind),
    ...{ acceptedEvents: 0, successes: new Map(), accountsMade: 1 },
  };
  const secondsBefore = attack.seconds;
  const { own: other } = await createAccount(stack.sql);
  const cursors = await collectCursors(stack, other);
  const running = new Set<number>();
  let next = attack.nextBatch;
  const isOver = () => performance.now() >= end || attack.sent >= run.requests;

  const tellProgress = (): void => {
    attack.nextBatch = Math.min(next, ...running);
    attack.seconds = secondsBefore + (performance.now() - start - run.pace.pausedMs()) / 1000;
    const { sent, seconds, tenants, faults, nextBatch, byKind } = attack;
    run.onBatch?.({ seed: run.seed, sent, seconds, tenants, faults, nextBatch, byKind: [...byKind] });
  };

  const work = async (): Promise<void> => {
    while (!isOver()) {
      const batch = next;
      next += 1;
      running.add(batch);
      const account = await createAccount(stack.sql);
      attack.tenants += 1;
      attack.accountsMade += 1;
      const attacker = { ...account, other, tracked: run.tracked, cursors };
      for (const [index, { name, attempt }] of drawBatch(run.kinds, attacker, run.seed, batch).entries()) {
        const { copies = 1 } = attempt;
        await run.pace.turn(copies);
        if (isOver()) return;
        const address = attempt.address ?? addressOf(batch * BATCH + index);
        await Promise.all(Array.from({ length: copies }, () => send(stack, name, attempt, address, attack)));
      }
      running.delete(batch);
      tellProgress();
    }
  };
  const progress = setInterval(
    () => console.error(`  ${attack.sent} of ${run.requests} requests, ${attack.faults.length} faults`),
    PROGRESS_MS,
  );
  try {
    await Promise.all(Array.from({ length: run.atOnce }, work));
  } finally {
    clearInterval(progress);
  }
  tellProgress();
  return attack;
}

/** Cursors of another account's lists, in the order of the routes. */
async function collectCursors(stack: Stack, samples: Samples): Promise<string[]> {
  const cursors: string[] = [];
  for (const { route, service } of LISTS) {
    const example = route.examples.find(({ status }) => status < 300);
    const [documented, init] = requestOf(route, example ?? { summary: '', status: 400 }, samples);
    const url = new URL(documented, 'http://a.example');
    url.searchParams.set('limit', '1');
    const ask = service.name === 'content' ? stack.fetchContent : stack.fetch;
    const response = await ask(url.pathname + url.search, init);
    const cursor = /"nextCursor":"([^"]+)"/.exec(await response.text())?.[1];
    if (cursor !== undefined) cursors.push(cursor);
  }
  return cursors;
}

/** Mostly another address, so that limits by address don't hide other answers. Every eighth request comes from the same address. */
function addressOf(number: number): string {
  if (number % 8 === 0) return '198.51.100.7';
  if (number % 2 === 0) return `2001:db8:${(number >> 16).toString(16)}:${(number & 0xffff).toString(16)}::1`;
  return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
}

async function send(
  stack: Stack,
  kind: string,
  attempt: Attempt,
  address: string,
  attack: Attack,
): Promise<void> {
  const { route, service } = attempt;
  const ask = service.name === 'content' ? stack.fetchContent : stack.fetch;
  const named = new Headers(attempt.init.headers).has('X-Forwarded-For') ? {} : { address };
  const start = performance.now();
  let found: string | undefined;
  let status = 0;
  let body = '';
  let isOutage = false;
  let isGivenUp = false;
  try {
    const signal = AbortSignal.timeout(attempt.giveUpMs ?? TIMEOUT_MS);
    const answer = async () => {
      const given = await ask(attempt.path, { ...attempt.init, ...named, signal });
      body = await given.text();
      return given;
    };
    const response = await answer().catch((error) => {
      if (!isClosed(error)) throw error;
      // The service may have done what it was asked.
      countSuccess(attack, route.operationId);
      return answer();
    });
    status = response.status;
    found = findFault(attempt, response, body);
    isOutage = isDeclaredOutage(attempt, response, body);
  } catch (error) {
    isGivenUp = attempt.giveUpMs !== undefined && error instanceof Error && error.name === 'TimeoutError';
    const cause = error instanceof Error && error.cause !== undefined ? ` (${error.cause})` : '';
    // `fetch` didn't send what it refused itself.
    if (!isGivenUp && !(error instanceof TypeError && error.cause === undefined))
      found = `no answer: ${error}${cause}`;
  }
  const tally = tallyOf(attack, kind);
  const ms = performance.now() - start;
  attack.sent += 1;
  tally.sent += 1;
  if (ms > tally.slowestMs) Object.assign(tally, { slowestMs: ms, slowest: route.operationId });
  if (isGivenUp) tally.givenUp += 1;
  else if (isOutage) tally.unavailable += 1;
  else if (status === 429) tally.limited += 1;
  else if (status >= 400) tally.refused += 1;
  else tally.taken += 1;
  if (status > 0 && status < 400) {
    countSuccess(attack, route.operationId);
    if (kind === 'tracking' || kind === 'properties') attack.acceptedEvents += acceptedOf(body);
  }
  if (found !== undefined) attack.faults.push(describe(kind, attempt, found, status, body));
}

/** The connection was kept for the next request and ended while that was on its way, as any client's may. */
const isClosed = (error: unknown): boolean =>
  error instanceof TypeError &&
  ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(
    (error.cause as { code?: string } | undefined)?.code ?? '',
  );

function countSuccess({ successes }: Attack, operationId: string): void {
  successes.set(operationId, (successes.get(operationId) ?? 0) + 1);
}

function tallyOf({ byKind }: Attack, kind: string): Tally {
  const known = byKind.get(kind);
  if (known !== undefined) return known;
  const made = {
    sent: 0,
    taken: 0,
    refused: 0,
    limited: 0,
    unavailable: 0,
    givenUp: 0,
    slowestMs: 0,
    slowest: '',
  };
  byKind.set(kind, made);
  return made;
}

/** A 204 has no body and means that no event was accepted. */
const acceptedOf = (body: string): number =>
  body === '' ? 0 : (JSON.parse(body) as { data: { accepted: number } }).data.accepted;

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
