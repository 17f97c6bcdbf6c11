import { median } from '../median.ts';
import type { Question } from './questions.ts';

const MAX_RUNS = 15;
/** As many runs of a slow one as fit. */
const PATIENCE_MS = 6000;

/** Milliseconds of each question, the round trip through the driver included: the median of up to 15 runs after one to warm up. */
export async function timeQuestions(questions: readonly Question[]): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  for (const question of questions) {
    times.set(question.name, await time(question));
    console.error(`  ${question.name}: ${times.get(question.name)?.toFixed(1)} ms`);
  }
  return times;
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
