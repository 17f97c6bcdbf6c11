import { setTimeout as wait } from 'node:timers/promises';
import type { Stack } from '../../dev/stack.ts';
import { median } from '../median.ts';
import type { AskedQuestion } from './questions.ts';

const PAUSE_MS = 20;
/** Rounds of questions whose CPU is measured. */
const CALM_ROUNDS = 3;

/** What a question took, and what was answered to it other than 200. */
export interface Answered {
  name: string;
  tookMs: number[];
  errors: string[];
}

/** The cookies of people who may ask, enough that none comes near the limit of questions a minute. */
export type Askers = Record<AskedQuestion['of'], readonly string[]>;

/** Asks all questions in turn, one at a time, until the time is over; each at least once. */
export async function askInTurn(
  stack: Stack,
  questions: readonly AskedQuestion[],
  { askers, until }: { askers: Askers; until: number },
): Promise<Answered[]> {
  const answered = questions.map(({ name }): Answered => ({ name, tookMs: [], errors: [] }));
  for (let number = 0; number < questions.length || Date.now() < until; number += 1) {
    const at = number % questions.length;
    const { path, of } = questions[at] as AskedQuestion;
    const cookies = askers[of];
    const start = performance.now();
    const error = await ask(stack, path, cookies[number % cookies.length] as string);
    if (error === undefined) answered[at]?.tookMs.push(performance.now() - start);
    else answered[at]?.errors.push(error);
    await wait(PAUSE_MS);
  }
  return answered;
}

/** The median CPU milliseconds of PostgreSQL for each question, one at a time, while nothing else is asked or sent. */
export async function measureCpu(
  stack: Stack,
  questions: readonly AskedQuestion[],
  { askers, cpuMs }: { askers: Askers; cpuMs: () => Promise<number> },
): Promise<Map<string, number>> {
  const used = new Map<string, number[]>();
  for (let number = 0; number < CALM_ROUNDS * questions.length; number += 1) {
    const { name, path, of } = questions[number % questions.length] as AskedQuestion;
    const cookies = askers[of];
    const before = await cpuMs();
    await ask(stack, path, cookies[number % cookies.length] as string);
    used.set(name, [...(used.get(name) ?? []), (await cpuMs()) - before]);
  }
  return new Map([...used].map(([name, values]) => [name, median(values)]));
}

async function ask(stack: Stack, path: string, Cookie: string): Promise<string | undefined> {
  try {
    const response = await stack.fetch(path, { headers: { Cookie } });
    const text = await response.text();
    return response.status === 200 ? undefined : `${response.status} ${text.slice(0, 200)}`;
  } catch (error) {
    return String(error);
  }
}
