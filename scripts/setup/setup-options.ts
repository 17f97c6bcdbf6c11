/** The command line of `npm run setup`. */
import { readFile } from 'node:fs/promises';
import { parseArgs, parseEnv } from 'node:util';
import { SETUP_FILE } from '../../tooling/setup-file.ts';
import { FURTHER, QUESTIONS } from './questions.ts';

/** What setup draws itself: keys, the passwords of database roles, and the tokens of Redis' users. */
export const ROTATED = [
  ...(['AUTH_KEY', 'ADDRESS_KEY', 'CURSOR_KEY', 'SHARE_KEY', 'CHANNEL_KEY'] as const),
  ...(['DATABASE_URL', 'UPSTASH_REDIS_REST_TOKEN'] as const),
];
export type Rotated = (typeof ROTATED)[number];

const ALL = [...QUESTIONS, ...FURTHER];

export const USAGE = `npm run setup                          asks what it needs, checks it, and deploys the service; may be stopped and repeated at any point
npm run setup -- --dry-run             shows every step. Asks nobody and changes nothing
npm run setup -- --answers FILE        takes answers from lines NAME=value, without asking; the environment and flags go before the file
npm run setup -- --destroy             takes the deployment away again, after asking twice

--answers FILE     answers as lines NAME=value; what is missing is asked if there is a terminal
--state FILE       where setup keeps answers and keys; default: .local/setup.json. One file a deployment
--new-passwords    replaces passwords that the functions' database roles have from somebody else
--rotate NAMES     draws these secrets anew, with commas between them: ${ROTATED.join(', ')}
--end-rotation     takes AUTH_KEY_OLD away, which --rotate AUTH_KEY leaves beside the new key
--yes              takes the plan without asking. With --destroy: also --destroy-name NAME, the Worker's name vendor-account

An answer each, also as a variable of the environment; \`none\` leaves out what may be left out:
${ALL.map(({ flag, name, without }) => `--${flag.padEnd(25)} ${name}${without ? ', or none' : ''}`).join('\n')}`;

export interface SetupOptions {
  dryRun: boolean;
  destroy: boolean;
  destroyName: string | undefined;
  yes: boolean;
  newPasswords: boolean;
  /** Secrets to draw anew. */
  rotate: readonly Rotated[];
  /** The old AUTH_KEY is taken away. */
  endRotation: boolean;
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
    rotate: readRotated(text('rotate')),
    endRotation: values['end-rotation'] === true,
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
        rotate: { type: 'string' },
        'end-rotation': { type: 'boolean' },
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

function readRotated(given: string | undefined): Rotated[] {
  const names = given?.split(',').map((name) => name.trim()) ?? [];
  const unknown = names.filter((name) => !(ROTATED as readonly string[]).includes(name));
  if (unknown.length > 0)
    throw new SetupUsageError(
      `--rotate: setup doesn’t draw ${unknown.join(', ')}. Another answer is given as its flag, or in the file of answers.`,
    );
  return names as Rotated[];
}

const unreadable = (path: string) => (): never => {
  throw new SetupUsageError(`${path} can't be read.`);
};
