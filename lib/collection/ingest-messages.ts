import { NeonDbError } from '@neondatabase/serverless';
import * as v from 'valibot';
import type { Ports } from '../context.ts';
import { bury, type DeadLetter } from './bury.ts';
import { type FoldResult, foldBatch, type Patience } from './fold-batch.ts';
import { TrackMessage } from './track-message.ts';

/** As long as raw events are kept at least (schema/functions/retention.sql, `drop_raw_events`): what is older can't be told from a repeat. */
export const MAX_AGE_MS = 48 * 60 * 60 * 1000;
export const MAX_AHEAD_MS = 60 * 60 * 1000;

export interface IngestPorts extends Ports {
  /** Absent: a fold waits as long as the database lets it. */
  patience?: Patience;
}

export interface IngestResult extends FoldResult {
  /** Messages that went to `dead_letters`. */
  dead: number;
}

/**
 * Stores what a queue batch or a request holds. A message that can't be stored goes to `dead_letters` and the rest is stored, so
 * that all may be acknowledged when this returns. Repeating it, whole or in part, changes nothing.
 *
 * @throws what asks for another delivery: the database is out of reach or out of patience, or its schema isn't there
 */
export async function ingestMessages(ports: IngestPorts, bodies: readonly unknown[]): Promise<IngestResult> {
  const letters: DeadLetter[] = [];
  const messages: TrackMessage[] = [];
  for (const body of bodies) {
    const parsed = v.safeParse(TrackMessage, body);
    if (!parsed.success) letters.push({ body, reason: `malformed: ${whereMalformed(parsed.issues)}` });
    else if (!isTimely(parsed.output, ports.now())) letters.push({ body, reason: 'late or ahead of time' });
    else messages.push(parsed.output);
  }
  const folded = await foldOrHalve(ports, messages, letters);
  await bury(ports.sql, letters);
  return { ...folded, dead: letters.length };
}

/** Which fields are to blame. */
export const whereMalformed = (issues: readonly v.BaseIssue<unknown>[]) =>
  [...new Set(issues.map((issue) => v.getDotPath(issue) ?? 'message'))].slice(0, 5).join(', ');

function isTimely(message: TrackMessage, now: number): boolean {
  return message.events.every(({ at }) => at > now - MAX_AGE_MS && at < now + MAX_AHEAD_MS);
}

/** Folds all at once; where the database refuses the data, each half by itself, down to the message that is to blame. */
async function foldOrHalve(
  ports: IngestPorts,
  messages: readonly TrackMessage[],
  letters: DeadLetter[],
): Promise<FoldResult> {
  if (messages.length === 0) return { stored: 0, repeated: 0 };
  try {
    return await foldBatch(ports.sql, messages, ports.now(), ports.patience);
  } catch (error) {
    if (!blamesData(error)) throw error;
    if (messages.length === 1) {
      letters.push({ body: messages[0], reason: `refused by the database: ${error.code}` });
      return { stored: 0, repeated: 0 };
    }
    const middle = Math.ceil(messages.length / 2);
    const first = await foldOrHalve(ports, messages.slice(0, middle), letters);
    const second = await foldOrHalve(ports, messages.slice(middle), letters);
    return { stored: first.stored + second.stored, repeated: first.repeated + second.repeated };
  }
}

/** SQLSTATE classes 22 (data exception) and 23 (integrity): the same data would be refused again. */
export function blamesData(error: unknown): error is NeonDbError {
  return (
    error instanceof NeonDbError && (error.code?.startsWith('22') || error.code?.startsWith('23')) === true
  );
}
