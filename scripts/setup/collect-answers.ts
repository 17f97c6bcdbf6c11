import { NONE } from '../../tooling/setup-file.ts';
import { FURTHER, isNone, QUESTIONS, type Question } from './questions.ts';
import { SetupUsageError } from './setup-options.ts';
import type { Ask } from './terminal.ts';

interface Sources {
  given: Readonly<Record<string, string>>;
  /** Of an earlier run. */
  kept: Readonly<Record<string, string>>;
  ask: Ask | undefined;
  tell: (line: string) => void;
}

/** Every answer. Asks for those that nobody gave; without a terminal it names them. */
export async function collectAnswers(sources: Sources): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  const missing: Question[] = [];
  for (const question of [...QUESTIONS, ...FURTHER]) {
    const { name, after } = question;
    const given = sources.given[name] ?? sources.kept[name];
    if (after !== undefined && isNone(answers[after])) continue;
    if (given !== undefined) answers[name] = check(question, given);
    else if (FURTHER.includes(question)) continue;
    else if (sources.ask !== undefined)
      answers[name] = await askUntilRight(question, sources.ask, sources.tell);
    else if (question.without !== undefined) answers[name] = NONE;
    else missing.push(question);
  }
  if (missing.length > 0)
    throw new SetupUsageError(
      `There is no terminal to ask at, and these answers are missing: ${missing.map(({ name }) => name).join(', ')}. ` +
        'Give them as flags, in the environment, or in a file with --answers FILE.',
    );
  return answers;
}

function check(question: Question, answer: string): string {
  const fault = faultOf(question, answer);
  if (fault !== undefined) throw new SetupUsageError(`--${question.flag} (${question.name}): ${fault}`);
  return answer;
}

async function askUntilRight(question: Question, ask: Ask, tell: (line: string) => void): Promise<string> {
  if (question.without !== undefined) tell(`  May be left out by Enter: then ${question.without}.`);
  for (;;) {
    const typed = await ask(question.ask, question.secret);
    const answer = typed === '' && question.without !== undefined ? NONE : typed;
    const fault = faultOf(question, answer);
    if (fault === undefined) return answer;
    tell(`  ${fault}`);
  }
}

function faultOf({ without, fault }: Question, answer: string): string | undefined {
  if (answer === NONE) return without === undefined ? 'This can’t be left out.' : undefined;
  return fault(answer);
}
