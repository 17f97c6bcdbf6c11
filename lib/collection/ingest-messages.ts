import { NeonDbError } from '@neondatabase/serverless';
import * as v from 'valibot';
import type { Ports } from '../context.ts';
import { isPassingFault, QUERY_CANCELED } from '../db.ts';
import { bury, type DeadLetter } from './bury.ts';
import { type FoldResult, foldBatch, type Patience } from './fold-batch.ts';
import { TrackMessage } from './track-message.ts';

/** As long as raw events are kept at least (schema/functions/retention.sql, `drop_raw_events`): what is older can't be distinguished from a repeat. */
export const MAX_AGE_MS = 48 * 60 * 60 * 1000;
export const MAX_AHEAD_MS = 60 * 60 * 1000;

/** How long the folds of a batch may take. */
export interface Limits {
  /** Of a fold of several sites, which holds the locks of all. */
  shared: Patience;
  /** Of a fold of one site. */
  alone: Patience;
  /** Milliseconds after the first fold from which on no other begins. */
  totalMs: number;
}

/** For a batch of the queue. A fold of 100 messages takes a tenth of a second, and a database that wakes up some seconds. */
export const QUEUE_LIMITS: Limits = {
  shared: { lockMs: 250, statementMs: 5_000 },
  alone: { lockMs: 2_000, statementMs: 10_000 },
  totalMs: 60_000,
};

export interface IngestResult extends FoldResult {
  /** Messages that went to `dead_letters`. */
  dead: number;
}

export interface BatchResult extends IngestResult {
  /** Indexes in the batch of messages that aren't stored and may be later. */
  waiting: number[];
  /** Why: the database's errors. */
  faults: unknown[];
}

/** Sites that are folded at once after their fold together failed. */
const LANES = 4;

/** A message and its index in the batch. */
interface Indexed {
  index: number;
  message: TrackMessage;
}

interface Run {
  ports: Ports;
  limits: Limits;
  /** Epoch milliseconds. */
  until: number;
  letters: DeadLetter[];
  result: BatchResult;
}

/**
 * `ingestBatch` for a caller that delivers all or nothing again. A message that can't be stored goes to `dead_letters` and the rest
 * is stored, so that all may be acknowledged when this returns. Repeating it, whole or in part, changes nothing.
 *
 * @throws what asks for another delivery: the database is out of reach or out of patience, or its schema isn't there
 */
export async function ingestMessages(
  ports: Ports,
  bodies: readonly unknown[],
  limits?: Limits,
): Promise<IngestResult> {
  const { waiting, faults, ...result } = await ingestBatch(ports, bodies, limits);
  if (waiting.length > 0)
    throw faults[0] ?? new Error(`${waiting.length} messages found no time to be folded`);
  return result;
}

/**
 * Stores a batch of messages of any sites. All are folded in one statement. If it fails or takes too long, each site is folded by
 * itself, and then each half of a site's messages, down to the message that is to blame. A message that can't be stored goes to
 * `dead_letters`; one that can't be stored now is among `waiting`.
 *
 * @throws what concerns all: the database is out of reach or restarting, or its schema isn't there. Part of the batch may be stored
 */
export async function ingestBatch(
  ports: Ports,
  bodies: readonly unknown[],
  limits: Limits = QUEUE_LIMITS,
): Promise<BatchResult> {
  const now = ports.now();
  const letters: DeadLetter[] = [];
  const indexed: Indexed[] = [];
  for (const [index, body] of bodies.entries()) {
    const parsed = v.safeParse(TrackMessage, body);
    if (!parsed.success) letters.push({ body, reason: `malformed: ${whereMalformed(parsed.issues)}` });
    else if (!isTimely(parsed.output, now)) letters.push({ body, reason: 'late or ahead of time' });
    else indexed.push({ index, message: parsed.output });
  }
  const result: BatchResult = { stored: 0, repeated: 0, dead: 0, waiting: [], faults: [] };
  await foldOrSplit({ ports, limits, until: now + limits.totalMs, letters, result }, indexed);
  await bury(ports.sql, letters);
  return { ...result, dead: letters.length };
}

/** Which fields are to blame. */
export const whereMalformed = (issues: readonly v.BaseIssue<unknown>[]) =>
  [...new Set(issues.map((issue) => v.getDotPath(issue) ?? 'message'))].slice(0, 5).join(', ');

function isTimely(message: TrackMessage, now: number): boolean {
  return message.events.every(({ at }) => at > now - MAX_AGE_MS && at < now + MAX_AHEAD_MS);
}

async function foldOrSplit(run: Run, indexed: readonly Indexed[]): Promise<void> {
  const { ports, limits, until, letters, result } = run;
  const [first] = indexed;
  if (first === undefined) return;
  const bySite = [...Map.groupBy(indexed, ({ message }) => message.siteId).values()];
  const messages = indexed.map(({ message }) => message);
  try {
    const folded = await foldBatch(
      ports.sql,
      messages,
      ports.now(),
      bySite.length > 1 ? limits.shared : limits.alone,
    );
    result.stored += folded.stored;
    result.repeated += folded.repeated;
  } catch (fault) {
    if (concernsAll(fault)) throw fault;
    if (indexed.length === 1 && blamesData(fault)) {
      letters.push({ body: first.message, reason: `refused by the database: ${fault.code}` });
      return;
    }
    const wait = (waiting: readonly Indexed[]) => {
      result.waiting.push(...waiting.map(({ index }) => index));
      result.faults.push(fault);
    };
    if (indexed.length === 1 || (bySite.length === 1 && isLocked(fault))) return wait(indexed);
    const middle = Math.ceil(indexed.length / 2);
    const pieces = bySite.length > 1 ? bySite : [indexed.slice(0, middle), indexed.slice(middle)];
    await inLanes(pieces, bySite.length > 1 ? LANES : 1, async (piece) =>
      ports.now() < until ? foldOrSplit(run, piece) : wait(piece),
    );
  }
}

/** Runs a job for each item, up to a number at the same time. */
async function inLanes<Item>(
  items: readonly Item[],
  lanes: number,
  job: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (const item of rest) await job(item);
    }),
  );
}

const LOCK_NOT_AVAILABLE = '55P03';
/** Deadlocks among others. */
const TRANSACTION_ROLLBACK = '40';

/** Whether other sites, or fewer messages, would meet the same fault. */
function concernsAll(fault: unknown): boolean {
  if (!(fault instanceof NeonDbError)) return true;
  const { code = '' } = fault;
  const isOfPiece =
    code === LOCK_NOT_AVAILABLE || code === QUERY_CANCELED || code.startsWith(TRANSACTION_ROLLBACK);
  return isPassingFault(fault) && !isOfPiece;
}

/** Whether somebody else holds the site, so that fewer messages would wait as long. */
export const isLocked = (fault: unknown): boolean =>
  fault instanceof NeonDbError && fault.code === LOCK_NOT_AVAILABLE;

/** SQLSTATE classes 22 (data exception), 23 (integrity) and 54 (limits of the program): the same data would be refused again. */
export function blamesData(error: unknown): error is NeonDbError {
  return error instanceof NeonDbError && /^(22|23|54)/.test(error.code ?? '');
}
