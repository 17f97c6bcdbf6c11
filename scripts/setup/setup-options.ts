/** The command line of `npm run setup`. */
import { readFile } from 'node:fs/promises';
import { parseArgs, parseEnv } from 'node:util';
import { SETUP_FILE } from '../../tooling/setup-file.ts';
import { FURTHER, QUESTIONS } from './questions.ts';

const ALL = [...QUESTIONS, ...FURTHER];

export const USAGE = `npm run setup                          asks what it needs, checks it, and deploys the service; may be stopped and repeated at any point
npm run setup -- --dry-run             shows every step. Asks nobody and changes nothing
npm run setup -- --answers FILE        takes answers from lines NAME=value, without asking; the environment and flags go before the file
npm run setup -- --destroy             takes the deployment away again, after asking twice

--answers FILE     answers as lines NAME=value; what is missing is asked if there is a terminal
--state FILE       where setup keeps answers and keys; default: .local/setup.json. One file a deployment
--new-passwords    replaces passwords that the functions' database roles have from somebody else
--yes              takes the plan without asking. With --destroy: also --destroy-name NAME, the Worker's name vendor-account

An answer each, also as a variable of the environment; \`none\` leaves out what may be left out:
${ALL.map(({ flag, name, without }) => `--${flag.padEnd(25)} ${name}${without ? ', or none' : ''}`).join('\n')}`;

export interface SetupOptions {
  dryRun: boolean;
  destroy: boolean;
  destroyName: string | undefined;
  yes: boolean;
  newPasswords: boolean;
  stateFile: string;
  help: boolean;
  /** Given by flags, the environment or a file, in this order. */
  given: Record<string, string>;
}

export class SetupUsageError extends Error {}

export async function readSetupOptions(
  args: string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<SetupOptions> {
  const values = parse(args);
  const text = (name: string): string | undefined => values[name] as string | undefined;
  const path = text('answers');
  const fromFile = path === undefined ? {} : parseEnv(await readFile(path, 'utf8').catch(unreadable(path)));
  const unknown = Object.keys(fromFile).filter((name) => ALL.every((question) => question.name !== name));
  if (unknown.length > 0)
    throw new SetupUsageError(`${path} has lines that setup doesn’t know: ${unknown.join(', ')}.`);
  const given: Record<string, string> = {};
  for (const { name, flag } of ALL) {
    const answer = (text(flag) ?? (env[name] || undefined) ?? fromFile[name])?.trim();
    if (answer) given[name] = answer;
  }
  return {
    dryRun: values['dry-run'] === true,
    destroy: values.destroy === true,
    destroyName: text('destroy-name'),
    yes: values.yes === true,
    newPasswords: values['new-passwords'] === true,
    stateFile: text('state') ?? SETUP_FILE,
    help: values.help === true,
    given,
  };
}

function parse(args: string[]): Record<string, unknown> {
  try {
    return parseArgs({
      args,
      options: {
        'dry-run': { type: 'boolean' },
        destroy: { type: 'boolean' },
        'destroy-name': { type: 'string' },
        yes: { type: 'boolean' },
        'new-passwords': { type: 'boolean' },
        help: { type: 'boolean' },
        state: { type: 'string' },
        answers: { type: 'string' },
        ...Object.fromEntries(ALL.map(({ flag }) => [flag, { type: 'string' as const }])),
      },
    }).values;
  } catch (error) {
    throw new SetupUsageError((error as Error).message);
  }
}

const unreadable = (path: string) => (): never => {
  throw new SetupUsageError(`${path} can't be read.`);
};
