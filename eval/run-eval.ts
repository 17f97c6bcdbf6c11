/** Asks each question by its plain script and compares the answer with the generator's. */
import { isDeepStrictEqual } from 'node:util';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { ALL_QUESTIONS } from './all-questions.ts';
import type { Json, Question } from './questions.ts';
import type { Truth } from './truth.ts';

/** What a client of the protocol gives: the text of a tool's result. */
export type CallTool = (tool: string, args: Record<string, unknown>) => Promise<string>;

export interface Outcome {
  id: string;
  calls: number;
  /** Of the longest result, by the tokenizer o200k. */
  tokens: number;
  expected: unknown;
  /** What was answered, or the error that the script ended with. */
  answer: unknown;
  isRight: boolean;
}

/** The share of the questions that must be answered right. */
export const RIGHT_SHARE = 0.95;
export const MAX_MEDIAN_CALLS = 1;
/** Of a result: the longest one, and the median of each question's longest. */
export const MAX_TOKENS = 2500;
export const MAX_MEDIAN_TOKENS = 350;
/** What agents may need that don't know the fewest calls. */
export const MAX_MEDIAN_CALLS_OF_AGENTS = 2;

const tokenizer = new Tiktoken(o200k);
const countTokens = (text: string): number => tokenizer.encode(text, [], []).length;

async function askOne(question: Question, truth: Truth, callTool: CallTool): Promise<Outcome> {
  const { id, ask } = question;
  let [calls, tokens] = [0, 0];
  const call = async (tool: string, args: Record<string, unknown> = {}): Promise<Json> => {
    calls += 1;
    const text = await callTool(tool, args);
    tokens = Math.max(tokens, countTokens(text));
    return JSON.parse(text);
  };
  const expected = expectedOf(question, truth);
  const answer = await ask(call, truth).catch((error) => `failed: ${error}`);
  return { id, calls, tokens, expected, answer, isRight: isRight(question, expected, answer) };
}

const known = new WeakMap<Truth, Map<string, unknown>>();

/** The right answer, counted once. */
export function expectedOf({ id, expected }: Question, truth: Truth): unknown {
  const answers = known.get(truth) ?? new Map<string, unknown>();
  known.set(truth, answers);
  if (!answers.has(id)) answers.set(id, expected(truth));
  return answers.get(id);
}

/** Whether an answer says what is expected: as JSON, in which a field that is undefined is none. */
export function isRight({ isOneOf }: Question, expected: unknown, answer: unknown): boolean {
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null');
  const right = isOneOf === true ? (expected as unknown[]) : [expected];
  return right.some((one) => isDeepStrictEqual(plain(one), plain(answer)));
}

export const runEval = async (truth: Truth, callTool: CallTool): Promise<Outcome[]> => {
  const outcomes: Outcome[] = [];
  for (const question of ALL_QUESTIONS) outcomes.push(await askOne(question, truth, callTool));
  return outcomes;
};

export function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** Whether the outcomes are as good, as short and in as few calls as they must be. */
export function isEnough(outcomes: readonly Outcome[]): boolean {
  const tokens = outcomes.map((outcome) => outcome.tokens);
  return (
    outcomes.filter(({ isRight }) => isRight).length >= RIGHT_SHARE * outcomes.length &&
    medianOf(outcomes.map(({ calls }) => calls)) <= MAX_MEDIAN_CALLS &&
    medianOf(tokens) <= MAX_MEDIAN_TOKENS &&
    Math.max(...tokens) <= MAX_TOKENS
  );
}
