/** Every function with its secrets, in the order of the bindings. */
import { createHash, randomBytes } from 'node:crypto';
import { buildStep, deployFunction } from '../../deploy/deploy-function.ts';
import type { DeployStep } from '../../deploy/deploy-plan.ts';
import { hashFunction } from '../../deploy/hash-function.ts';
import { readReleaseLabel } from '../../deploy/release-label.ts';
import { keysOf, secretsOf } from '../function-secrets.ts';
import { FURTHER, QUESTIONS } from '../questions.ts';
import type { SetupRun, Step } from '../step.ts';
import { renewPassword } from './make-roles.ts';

export const deployFunctions: Step = {
  title: 'Deploy the functions with their secrets',
  plan: ({ deployment: { steps } }) => [
    'Draws each key that isn’t drawn yet, and keeps it. A key that the provider has and that isn’t kept here stays as it is.',
    ...steps.map(({ worker, secrets, optional, address }, index) =>
      [
        `${String(index + 1).padStart(2)}. wrangler deploy ${worker}`,
        `      answers at: ${address}`,
        `      secrets:    ${[...secrets, ...optional.filter(isAnswer).map((name) => `${name} (if given)`)].join(', ') || 'none'}`,
      ].join('\n'),
    ),
  ],
  async run(run) {
    const { deployment, tell } = run;
    const label = await readReleaseLabel();
    await drawKeys(run);
    for (const [index, step] of deployment.steps.entries()) {
      const progress = `${String(index + 1).padStart(2)}/${deployment.steps.length} ${step.worker}`;
      const since = performance.now();
      const isNew = await deployOne(run, step, label);
      tell(
        isNew
          ? `${progress} deployed, ${((performance.now() - since) / 1000).toFixed(1)} s`
          : `${progress} is deployed already`,
      );
    }
  },
};

const isAnswer = (name: string): boolean =>
  [...QUESTIONS, ...FURTHER].some((question) => question.name === name);

/** Keys are kept before anybody gets them. What the provider has already isn't drawn anew: it could not be read back. */
async function drawKeys({ deployment, provider, file, save, notes }: SetupRun): Promise<void> {
  for (const { fn, worker, secrets } of deployment.steps) {
    const missing = keysOf({ fn, names: secrets }).filter((key) => file.keys[key] === undefined);
    if (missing.length === 0) continue;
    const present = (await provider.secrets(worker)) ?? [];
    for (const key of missing) {
      const name = key.slice(key.indexOf('.') + 1);
      if (present.includes(name))
        notes.push(`${worker} keeps the ${name} that it had: this checkout doesn't know it.`);
      else file.keys[key] = randomBytes(32).toString('hex');
    }
  }
  await save();
}

/** Returns false if the same code with the same secrets is what runs already. */
async function deployOne(run: SetupRun, step: DeployStep, label: string): Promise<boolean> {
  const { provider, file, save } = run;
  // A source that changes meanwhile is deployed by the next run.
  const code = await hashFunction(step.fn);
  const isRenewed = step.secrets.includes('DATABASE_URL') && run.options.rotate.includes('DATABASE_URL');
  const known = file.deployed[step.fn];
  const current = async (): Promise<string | undefined> =>
    (await provider.deployments(step.worker))?.[0]?.versions[0]?.version_id;
  if (!isRenewed && known?.hash === wantedOf(run, step, code).hash && (await current()) === known.version)
    return false;
  const built = await buildStep(step);
  // As late as possible: from here to the end of the upload the function can't reach the database.
  if (isRenewed) await renewPassword(run, step.fn);
  const { secrets, hash } = wantedOf(run, step, code);
  await deployFunction(built, {
    ...{ label, secrets },
    env: { ...run.env, CLOUDFLARE_ACCOUNT_ID: provider.accountId },
    timeoutMs: run.wranglerMs,
  });
  const version = await current();
  if (version !== undefined) file.deployed[step.fn] = { hash, version };
  await save();
  return true;
}

/** A function's secrets, and a hash of all that it is deployed with. */
function wantedOf(
  { file }: SetupRun,
  { fn, config, secrets: required, optional }: DeployStep,
  code: string,
): { secrets: Record<string, string>; hash: string } {
  const secrets = secretsOf({ fn, names: [...required, ...optional], file });
  const hash = createHash('sha256')
    .update(JSON.stringify([config, secrets, code]))
    .digest('hex');
  return { secrets, hash };
}
