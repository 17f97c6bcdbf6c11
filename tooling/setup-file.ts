/**
 * What `npm run setup` keeps of a deployment, in `.local/setup.json`: the answers, and the secrets that can't be read back from the
 * provider. Only its owner may read the file; git ignores it.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { LOCAL_FOLDER, readRunning } from './local-folder.ts';

export const SETUP_FILE = join(LOCAL_FOLDER, 'setup.json');

const Text = v.pipe(v.string(), v.minLength(1), v.maxLength(4096));
const Texts = v.record(v.string(), Text);

const SetupFile = v.object({
  format: v.literal(1),
  /** By the names of docs/configuration.md#variables. `none` where the operator chose to leave something out. */
  answers: v.optional(Texts, {}),
  /** The provider's account that the rest belongs to. */
  accountId: v.optional(Text),
  /** Where the deployment answers. */
  addresses: v.optional(v.object({ PUBLIC_URL: Text, CONTENT_URL: Text })),
  /** `<function>.<NAME>`: keys that setup drew. */
  keys: v.optional(Texts, {}),
  /** The password of each function's database role. */
  passwords: v.optional(Texts, {}),
  /** The token of each function's user in the Redis of that address. */
  redis: v.optional(v.object({ url: Text, tokens: Texts })),
  /** Each function: what was uploaded last, and the provider's name of that version. */
  deployed: v.optional(v.record(v.string(), v.object({ hash: Text, version: Text })), {}),
  /** Checks that cost something or that others notice, by a hash of what was checked: a mail. */
  checked: v.optional(v.array(Text), []),
  /** The address of mail whose account was made. */
  account: v.optional(Text),
  /** DNS records that setup made: host to zone and record. */
  dnsRecords: v.optional(v.record(v.string(), v.object({ zone: Text, record: Text })), {}),
});
export type SetupFile = v.InferOutput<typeof SetupFile>;

/** The file, or an empty one if there is none. Throws a sentence for the operator if it can't be read. */
export async function readSetupFile(path: string = SETUP_FILE): Promise<SetupFile> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return v.parse(SetupFile, { format: 1 });
    throw error;
  }
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), SetupFile), text);
  if (!parsed.success)
    throw new Error(
      `${path} is damaged, or of another version. It holds secrets that can't be read back: restore it from a copy. ` +
        'Without a copy move it away and run npm run setup again: it keeps the keys that the provider has.',
    );
  return parsed.output;
}

/** Replaces the file whole, so that a stop in between leaves the old one. */
export async function writeSetupFile(file: SetupFile, path: string = SETUP_FILE): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const next = `${path}.${process.pid}`;
  await writeFile(next, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  await rename(next, path);
}

/** The answer that leaves something out. */
export const NONE = 'none';

type Variables = Readonly<Record<string, string | undefined>>;

/** Variables of a deployment for commands: those of the environment, and otherwise what setup was answered. `none` is left out. */
export const withAnswers = (
  env: Variables,
  { answers, addresses }: Pick<SetupFile, 'answers' | 'addresses'>,
): Record<string, string | undefined> => ({
  ...addresses,
  ...given(answers),
  ...given(env),
});

const given = (variables: Variables): Variables =>
  Object.fromEntries(Object.entries(variables).filter(([, value]) => value && value !== NONE));

/** The same for commands that serve `npm run dev` too: while it runs, they are about it, unless they name a file. */
export const readCommandEnv = async (env: Variables, path?: string): Promise<Variables> =>
  path === undefined && (await readRunning()) !== undefined
    ? env
    : withAnswers(env, await readSetupFile(path));
