/** Compares the answers of an agent with the generator's (eval/README.md#any-agent). */
import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { ALL_QUESTIONS as questions } from './all-questions.ts';
import { expectedOf, isRight, MAX_MEDIAN_CALLS_OF_AGENTS, medianOf, RIGHT_SHARE } from './run-eval.ts';
import type { Truth } from './truth.ts';

const Answers = v.array(
  v.object({ id: v.string(), answer: v.unknown(), calls: v.optional(v.pipe(v.number(), v.minValue(0))) }),
);

/** Prints a line a question. Returns whether at least 95 of 100 are right, with a median of 2 calls. */
export async function checkAnswers(path: string, truth: Truth): Promise<boolean> {
  const answers = v.parse(Answers, JSON.parse(await readFile(path, 'utf8')));
  const rights = questions.filter((question) => {
    const { id } = question;
    const expected = expectedOf(question, truth);
    const given = answers.find((answer) => answer.id === id);
    const right = given !== undefined && isRight(question, expected, given.answer);
    console.log(`${right ? 'right' : 'WRONG'}  ${id}`);
    if (!right)
      console.log(`       expected ${JSON.stringify(expected)}, got ${JSON.stringify(given?.answer)}`);
    return right;
  });
  const calls = medianOf(answers.flatMap((answer) => answer.calls ?? []));
  console.log(`${rights.length} of ${questions.length} right, ${calls} calls in the median`);
  return rights.length >= RIGHT_SHARE * questions.length && calls <= MAX_MEDIAN_CALLS_OF_AGENTS;
}
