/** A token of Redis for each function, which opens only the keys that the function needs (docs/deploy.md#what-setup-parts). */
import { roleOf } from '../function-secrets.ts';
import { isNone } from '../questions.ts';
import type { SetupRun, Step } from '../step.ts';

const TIMEOUT_MS = 10_000;
const TOKEN = 'UPSTASH_REDIS_REST_TOKEN';
const LIMITS = 'limit:*';
const SALT = 'salt:*';
const POLICIES = 'policy:*';
/** Of functions that need more than limits, or other keys. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  account: [LIMITS, 'used-code:*'],
  content: [LIMITS, 'content:*'],
  sites: [LIMITS, POLICIES],
  track: [LIMITS, SALT, POLICIES],
  ingest: [SALT],
};

/** Redis answers that it doesn't do this, or does it otherwise. */
class Refusal extends Error {}

type AskRedis = (token: string, ...command: string[]) => Promise<unknown>;

export const partRedis: Step = {
  title: 'Give each function its own token of Redis',
  plan: ({ answers }) => [
    'Draws a token of each function’s own user by ACL, with the keys that it needs, and tries it.',
    isNone(answers.SALT_REDIS_REST_URL)
      ? 'Only those of track and ingest open the day’s salt.'
      : 'None of them opens the day’s salt, which is in the second Redis.',
    'If this Redis makes no users, every function gets the token that was given, and the end says so.',
  ],
  async run(run) {
    const { file, deployment, save, tell, notes } = run;
    const { UPSTASH_REDIS_REST_URL: url = '', [TOKEN]: token = '' } = file.answers;
    if (file.redis?.url !== url) file.redis = { url, tokens: {} };
    const { tokens } = file.redis;
    const functions = deployment.steps.filter(({ secrets }) => secrets.includes(TOKEN)).map(({ fn }) => fn);
    const ask = asker(url);
    try {
      for (const fn of functions) {
        tokens[fn] ??= String(await ask(token, 'ACL', 'GENTOKEN', roleOf(fn)));
        // Kept first: a token that is set and not kept is lost.
        await save();
        await setUser(ask, token, { fn, password: tokens[fn], keys: keysOf(run, fn) });
        await tryToken(ask, tokens[fn], keysOf(run, fn));
      }
      tell(`${functions.length} tokens that open a function’s own keys, each tried`);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      file.redis = { url, tokens: {} };
      await save();
      notes.push(unparted(run, error));
    }
  },
};

/** The salt is elsewhere if there is a second Redis. */
const keysOf = ({ file }: SetupRun, fn: string): readonly string[] =>
  (KEYS[fn] ?? [LIMITS]).filter((key) => key !== SALT || isNone(file.answers.SALT_REDIS_REST_URL));

/** Tokens that the user has already go on working: Workers have them until they are deployed again. */
const setUser = (
  ask: AskRedis,
  token: string,
  { fn, password, keys }: { fn: string; password: string; keys: readonly string[] },
): Promise<unknown> =>
  ask(
    ...[token, 'ACL', 'SETUSER', roleOf(fn), 'on', `>${password}`, 'resetkeys', 'resetchannels'],
    ...['-@all', '+@all', '-@admin', '-@dangerous', ...keys.map((key) => `~${key}`)],
  );

/** Takes every token away that the functions' users had before. Only after the functions have the new ones. */
export async function dropOldTokens({ file: { answers, redis } }: SetupRun): Promise<void> {
  const { UPSTASH_REDIS_REST_URL: url = '', [TOKEN]: token = '' } = answers;
  const ask = asker(url);
  for (const [fn, password] of Object.entries(redis?.tokens ?? {}))
    await ask(token, 'ACL', 'SETUSER', roleOf(fn), 'resetpass', `>${password}`);
}

/** Throws if the token opens too little or too much. */
async function tryToken(ask: AskRedis, token: string, keys: readonly string[]): Promise<void> {
  for (const key of [LIMITS, SALT, POLICIES, 'content:*', 'used-code:*']) {
    const opens = await ask(token, 'EXISTS', key.replace('*', 'vendor-setup')).then(
      () => true,
      (error: Error) => {
        if (/NOPERM/i.test(error.message)) return false;
        throw error;
      },
    );
    if (opens !== keys.includes(key))
      throw new Refusal(`a token opens ${opens ? 'more' : 'less'} than it should`);
  }
}

function unparted({ file }: SetupRun, { message }: Error): string {
  const common = `Redis makes no users for its REST address (${message}): every function has the same token`;
  return isNone(file.answers.SALT_REDIS_REST_URL)
    ? `${common}, and whoever has it can read the day's salt. To part the salt, make a second Redis and run npm run setup with ` +
        'SALT_REDIS_REST_URL and SALT_REDIS_REST_TOKEN.'
    : `${common}. The salt is in the second Redis, which only track and ingest reach.`;
}

/** The client has no command for ACL. */
const asker =
  (url: string): AskRedis =>
  async (token, ...command) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(command),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { result, error } = (await response.json()) as { result?: unknown; error?: string };
    if (error !== undefined) throw new Refusal(error);
    return result;
  };
