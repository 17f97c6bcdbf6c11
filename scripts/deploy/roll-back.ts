/** `npm run deploy -- --rollback`: the functions of the newest release go back to what ran before it. */
import type { Deployment, Provider } from '../../tooling/provider/connect-provider.ts';
import { ProviderError } from '../../tooling/provider/provider-error.ts';

const MESSAGE = 'workers/message';

export interface RollbackOptions {
  provider: Pick<Provider, 'deployments' | 'annotationsOf' | 'deployVersion'>;
  /** In the order of the bindings. */
  workers: readonly string[];
  /** Also where a secret has changed since the older version. */
  force: boolean;
  dryRun: boolean;
  tell(line: string): void;
}

interface Current {
  worker: string;
  /** The newest first, one for each version. */
  deployments: { version: string; at: string; label: string | undefined }[];
}

/**
 * Goes back by one release. A deployment that stopped halfway has Workers of two releases: only those of the newer one go back. Throws a
 * sentence that says what to do next.
 */
export async function rollBack({ provider, workers, force, dryRun, tell }: RollbackOptions): Promise<void> {
  const found = await Promise.all(workers.map((worker) => readDeployments(provider, worker)));
  const current = found.filter((one) => one.deployments.length > 0);
  const newest = current.toSorted((a, b) => timeOf(b).localeCompare(timeOf(a)))[0]?.deployments[0];
  if (newest === undefined)
    throw new Error('None of these Workers is deployed: there is nothing to roll back.');
  const { label } = newest;
  if (label === undefined)
    throw new Error(
      'The newest version doesn’t say which release it is of, so it wasn’t deployed by this command. Roll each Worker back by hand: ' +
        'npx wrangler rollback --name WORKER.',
    );
  const moves = current
    // Whoever calls others goes back first: the older callee understands the older caller.
    .toReversed()
    .filter(({ deployments: [now] }) => now?.label === label)
    .map(({ worker, deployments }) => ({
      worker,
      target: deployments.find((deployment) => deployment.label !== label),
    }));
  tell(`The newest release is ${label}: ${moves.length} of ${workers.length} Workers run it.`);
  const without = moves.filter(({ target }) => target === undefined).map(({ worker }) => worker);
  if (without.length > 0)
    throw new Error(
      `${without.join(', ')}: the provider knows no release before ${label} (it remembers ten deployments). Check the older release out and run npm run deploy there.`,
    );
  for (const [index, { worker, target }] of moves.entries()) {
    if (target === undefined) continue;
    const progress = `${index + 1}/${moves.length} ${worker}: ${target.label ?? target.version}`;
    if (dryRun) tell(`${progress} (not done: --dry-run)`);
    else {
      await provider
        .deployVersion(worker, target.version, target.label ?? `rolled back from ${label}`, force)
        .catch(explain(worker, force));
      tell(`${progress} runs again`);
    }
  }
}

const timeOf = ({ deployments }: Current): string => deployments[0]?.at ?? '';

async function readDeployments(provider: RollbackOptions['provider'], worker: string): Promise<Current> {
  const all = (await provider.deployments(worker)) ?? [];
  const whole = all.flatMap((deployment: Deployment) => {
    const [version] = deployment.versions.toSorted((a, b) => b.percentage - a.percentage);
    return version === undefined ? [] : [{ deployment, version: version.version_id }];
  });
  const firsts = whole.filter(
    ({ version }, i) => whole.findIndex((other) => other.version === version) === i,
  );
  return {
    worker,
    deployments: await Promise.all(
      firsts.map(async ({ deployment, version }) => ({
        version,
        at: deployment.created_on,
        label:
          labelIn((await provider.annotationsOf(worker, version)) ?? {}) ?? labelIn(deployment.annotations),
      })),
    ),
  };
}

/** Other tools write messages too: only ours name a release. */
function labelIn(annotations: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const message = annotations?.[MESSAGE];
  return typeof message === 'string' && message.startsWith('vendor ') ? message : undefined;
}

const explain =
  (worker: string, force: boolean) =>
  (error: unknown): never => {
    const isRefused = error instanceof ProviderError && !error.passing;
    throw new Error(
      `${worker} was not rolled back; the Workers above are. ${(error as Error).message}${
        isRefused && !force
          ? ' If a secret has changed since that version, add --force: the older code then gets the secrets that it had.'
          : ''
      }`,
      { cause: error },
    );
  };
