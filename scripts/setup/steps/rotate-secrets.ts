/** Other secrets instead of those that setup drew (docs/operations.md#rotate-secrets). Both steps do nothing unless they are asked. */
import { randomBytes } from 'node:crypto';
import { keysOf } from '../function-secrets.ts';
import type { SetupRun, Step } from '../step.ts';
import { asOwner } from './make-account.ts';
import { dropOldTokens } from './part-redis.ts';

const AUTH_KEY = 'account.AUTH_KEY';
const AUTH_KEY_OLD = 'account.AUTH_KEY_OLD';
const TOKEN = 'UPSTASH_REDIS_REST_TOKEN';

/** Before anything is deployed: what the functions get. */
export const drawAnew: Step = {
  title: 'Draw the secrets of --rotate anew',
  plan: () => [
    'Nothing, unless --rotate names some. Keys and tokens are drawn here; a database role gets its password just before its function is uploaded.',
    'The old AUTH_KEY stays beside the new one, as AUTH_KEY_OLD, until --end-rotation.',
  ],
  async run(run) {
    const { deployment, file, options, save, provider, tell } = run;
    if (options.endRotation) {
      if (file.keys[AUTH_KEY_OLD] === undefined) throw new Error('There is no old AUTH_KEY to take away.');
      tell(await encryptAnew(run));
      await provider.deleteSecret('vendor-account', 'AUTH_KEY_OLD');
      delete file.keys[AUTH_KEY_OLD];
    }
    for (const { fn, secrets } of deployment.steps)
      for (const key of keysOf({ fn, names: secrets }).filter((key) => isNamed(run, key))) {
        if (key === AUTH_KEY) keepOldKey(run);
        file.keys[key] = randomBytes(32).toString('hex');
      }
    // `partRedis` draws those that are missing; the users keep the old ones until the end.
    if (options.rotate.includes(TOKEN) && file.redis) file.redis.tokens = {};
    await save();
    tell(options.rotate.length === 0 ? 'nothing' : options.rotate.join(', '));
  },
};

const isNamed = ({ options }: SetupRun, key: string): boolean =>
  options.rotate.some((name) => key.endsWith(`.${name}`));

function keepOldKey({ file }: SetupRun): void {
  if (file.keys[AUTH_KEY_OLD] !== undefined)
    throw new Error(
      'A rotation of AUTH_KEY lasts already. Run setup without --rotate to go on, and later with --end-rotation.',
    );
  const old = file.keys[AUTH_KEY];
  if (old === undefined)
    throw new Error(
      'This checkout doesn’t know the AUTH_KEY that vendor-account has, and without it second factors are lost. Take it from the copy of the file.',
    );
  file.keys[AUTH_KEY_OLD] = old;
}

/** After the functions have the new secrets: what still uses the old ones. */
export const leaveOld: Step = {
  title: 'Leave the old secrets',
  plan: () => [
    'Nothing, unless secrets are rotated: encrypts second factors with the new AUTH_KEY, and takes old tokens of Redis away.',
  ],
  async run(run) {
    const { file, options, notes, tell } = run;
    if (options.rotate.includes(TOKEN)) {
      await dropOldTokens(run);
      tell('the old tokens of Redis open nothing any more');
    }
    if (file.keys[AUTH_KEY_OLD] === undefined) return;
    tell(await encryptAnew(run));
    notes.push(
      'The old AUTH_KEY is beside the new one. After 14 days no session needs it: then run npm run setup -- --end-rotation. If the old key ' +
        'leaked, do it now: everybody signs in again, and second factors stay.',
    );
  },
};

const encryptAnew = async (run: SetupRun): Promise<string> =>
  (await asOwner(run, (account) => account(['encrypt-anew']))) ?? '';
