import { NeonDbError } from '@neondatabase/serverless';
import { DomainError } from '../../lib/errors.ts';
import { median } from '../median.ts';
import type { Question } from './report-questions.ts';

const MAX_RUNS = 15;
/** Maximum time for the runs of a slow question. */
const PATIENCE_MS = 6000;

const CANCELLED = '57014';

/**
 * Milliseconds of a question, including the round trip through the driver: the median of up to 15 runs after one warm-up run. Infinite
 * if the database aborted it.
 */
export async function timeQuestion(question: Question): Promise<number> {
  try {
    return await time(question);
  } catch (error) {
    if (isCancelled(error)) return Number.POSITIVE_INFINITY;
    throw error;
  }
}

/** Verbs throw a `DomainError` whose cause is the database's error. */
function isCancelled(error: unknown): boolean {
  const fault = error instanceof DomainError ? error.cause : error;
  return fault instanceof NeonDbError && fault.code === CANCELLED;
}

async function time({ name, ask }: Question): Promise<number> {
  const { data } = await ask();
  if (Array.isArray(data) && data.length === 0) throw new Error(`${name} shows nothing`);
  const took: number[] = [];
  const begun = performance.now();
  do {
    const start = performance.now();
    await ask();
    took.push(performance.now() - start);
  } while (took.length < MAX_RUNS && performance.now() - begun < PATIENCE_MS);
  return median(took);
}
