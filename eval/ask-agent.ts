/** Puts each question, in each of its wordings, to a program that asks the endpoint (eval/README.md#any-agent). */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { ALL_QUESTIONS } from './all-questions.ts';
import { expectedOf, isRight, MAX_MEDIAN_CALLS_OF_AGENTS, medianOf, RIGHT_SHARE } from './run-eval.ts';
import { serveWorld } from './serve-world.ts';
import type { Truth } from './truth.ts';
import { type EvalWorld, NOW } from './world.ts';

const TIMEOUT_MS = 5 * 60_000;

/** What the program gets as JSON on its input. It prints its answer as JSON. */
export interface AgentTask {
  question: string;
  /** The present instant: the endpoint's clock stands still. */
  now: string;
  mcp: { url: string; headers: Record<string, string> };
  /** The form of the answer, with the name of a type instead of each value. */
  shape: unknown;
}

/** Prints a line a question. Returns whether enough are right, with few calls in the median. `program` is run by the shell. */
export async function askAgent(
  program: string,
  world: EvalWorld,
  truth: Truth,
  print: (line: string) => void = console.log,
  questions = ALL_QUESTIONS,
): Promise<boolean> {
  const { url, calls, close } = await serveWorld(world, 0);
  const counts: number[] = [];
  let right = 0;
  try {
    for (const question of questions)
      for (const words of [question.words, ...(question.again === undefined ? [] : [question.again])]) {
        const before = calls();
        const expected = expectedOf(question, truth);
        const answer = await ask(program, {
          question: words,
          now: new Date(NOW).toISOString(),
          mcp: { url, headers: { Authorization: `Bearer ${world.token}` } },
          shape: shapeOf(question.isOneOf ? (expected as unknown[])[0] : expected),
        });
        const ok = isRight(question, expected, answer);
        if (ok) right += 1;
        counts.push(calls() - before);
        print(`${ok ? 'right' : 'WRONG'}  ${question.id.padEnd(18)} ${counts.at(-1)} calls  ${words}`);
        if (!ok) print(`       expected ${JSON.stringify(expected)}, got ${JSON.stringify(answer)}`);
      }
  } finally {
    close();
  }
  const median = medianOf(counts);
  print(`${right} of ${counts.length} right, ${median} calls in the median`);
  return right >= RIGHT_SHARE * counts.length && median <= MAX_MEDIAN_CALLS_OF_AGENTS;
}

/** What the program prints, as JSON or as text; or how it failed. */
async function ask(program: string, task: AgentTask): Promise<unknown> {
  const child = spawn(program, { shell: true, stdio: ['pipe', 'pipe', 'inherit'], timeout: TIMEOUT_MS });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  child.once('error', () => {});
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify(task));
  const printed = (await text(child.stdout)).trim();
  const code = await ended;
  if (code !== 0) return `the program ended with ${code}`;
  try {
    return JSON.parse(printed);
  } catch {
    return printed;
  }
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const INSTANT = /^\d{4}-\d\d-\d\dT/;

/** The names of types instead of values. Of a list the first item stands for all. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]));
  if (typeof value !== 'string') return value === null ? 'null' : typeof value;
  if (DATE.test(value)) return 'date';
  return INSTANT.test(value) ? 'instant' : 'text';
}
