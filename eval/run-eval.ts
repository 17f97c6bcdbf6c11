/** Asks each question by its plain script and compares the answer with the generator's. */
import { isDeepStrictEqual } from 'node:util';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { type Json, QUESTIONS, type Question, UNANSWERABLE } from './questions.ts';
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

export const MAX_TOKENS = 4000;
export const MAX_MEDIAN_CALLS = 2;

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
  const expected = question.expected(truth);
  const answer = await ask(call, truth).catch((error) => `failed: ${error}`);
  return { id, calls, tokens, expected, answer, isRight: isRight(question, expected, answer) };
}

/** Whether an answer says what is expected: as JSON, in which a field that is undefined is none. */
export function isRight({ isOneOf }: Question, expected: unknown, answer: unknown): boolean {
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null');
  const right = isOneOf === true ? (expected as unknown[]) : [expected];
  return right.some((one) => isDeepStrictEqual(plain(one), plain(answer)));
}

export const runEval = async (truth: Truth, callTool: CallTool): Promise<Outcome[]> => {
  const outcomes: Outcome[] = [];
  for (const question of [...QUESTIONS, ...UNANSWERABLE])
    outcomes.push(await askOne(question, truth, callTool));
  return outcomes;
};

export function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
