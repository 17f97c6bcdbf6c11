/** Compares the answers of an agent with the generator's (eval/README.md#any-agent). */
import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { QUESTIONS, UNANSWERABLE } from './questions.ts';
import { isRight, medianOf } from './run-eval.ts';
import type { Truth } from './truth.ts';

const Answers = v.array(
  v.object({ id: v.string(), answer: v.unknown(), calls: v.optional(v.pipe(v.number(), v.minValue(0))) }),
);

/** Prints a line a question. Returns whether at least 95 of 100 are right, with a median of 2 calls. */
export async function checkAnswers(path: string, truth: Truth): Promise<boolean> {
  const answers = v.parse(Answers, JSON.parse(await readFile(path, 'utf8')));
  const questions = [...QUESTIONS, ...UNANSWERABLE];
  const rights = questions.filter((question) => {
    const { id, expected } = question;
    const given = answers.find((answer) => answer.id === id);
    const right = given !== undefined && isRight(question, expected(truth), given.answer);
    console.log(`${right ? 'right' : 'WRONG'}  ${id}`);
    if (!right)
      console.log(`       expected ${JSON.stringify(expected(truth))}, got ${JSON.stringify(given?.answer)}`);
    return right;
  });
  const calls = medianOf(answers.flatMap((answer) => answer.calls ?? []));
  console.log(`${rights.length} of ${questions.length} right, ${calls} calls in the median`);
  return rights.length >= 0.95 * questions.length && calls <= 2;
}
