/** Takes a deployment away: Workers, queues and DNS records. What is stored stays. */
import { readDeployment } from '../../tooling/deployment.ts';
import { readSetupFile, writeSetupFile } from '../../tooling/setup-file.ts';
import { orderByBindings } from '../deploy/deploy-plan.ts';
import { openOwnAccount, type SetupContext } from './run-setup.ts';
import type { SetupOptions } from './setup-options.ts';

/** What must be typed, so that nobody destroys by habit. */
const NAME = 'vendor-account';

/** Throws a sentence that says what to do next. May be stopped and repeated. */
export async function runDestroy(ctx: SetupContext, options: SetupOptions): Promise<void> {
  const { tell } = ctx;
  const file = await readSetupFile(options.stateFile);
  // Whoever calls others goes first, so that nobody calls what is gone.
  const functions = orderByBindings(readDeployment()).toReversed();
  const queues = [
    ...new Set(
      functions.flatMap(({ consumers }) =>
        consumers.flatMap(({ queue, deadLetterQueue }) => [
          queue,
          ...(deadLetterQueue ? [deadLetterQueue] : []),
        ]),
      ),
    ),
  ];
  const hosts = Object.entries(file.dnsRecords);
  tell('This takes away, in this order:');
  tell(`  Workers, with their secrets and routes: ${functions.map(({ name }) => name).join(', ')}`);
  tell(`  queues, with the events that wait in them: ${queues.join(', ')}`);
  if (hosts.length > 0) tell(`  DNS records that setup made: ${hosts.map(([host]) => host).join(', ')}`);
  tell(
    'It leaves the database, Redis and the file with the keys. AUTH_KEY opens second factors: keep the file while you keep the database.',
  );
  if (options.dryRun) return tell('Nothing was taken away (--dry-run).');
  await askTwice(ctx, options);

  const provider = await openOwnAccount(ctx, file);
  const present = new Set(await provider.workers());
  for (const { fn, name } of functions) {
    if (present.has(name)) {
      await provider.deleteWorker(name);
      tell(`${name} is gone`);
    }
    delete file.deployed[fn];
    await writeSetupFile(file, options.stateFile);
  }
  const known = await provider.queues();
  for (const queue of queues) {
    const id = known.get(queue);
    if (id === undefined) continue;
    await provider.deleteQueue(id);
    tell(`${queue} is gone`);
  }
  for (const [host, { zone, record }] of hosts) {
    await provider.deleteDnsRecord(zone, record);
    delete file.dnsRecords[host];
    await writeSetupFile(file, options.stateFile);
    tell(`the DNS record of ${host} is gone`);
  }
  tell(
    `\nThe Workers are gone. What is left: the database and Redis, which you delete where you made them, the roles vendor_* of the database’s server, and ${options.stateFile}.`,
  );
}

async function askTwice({ ask }: SetupContext, { yes, destroyName }: SetupOptions): Promise<void> {
  if (yes && destroyName === NAME) return;
  if (ask === undefined)
    throw new Error(
      `There is no terminal to ask at. To take the deployment away without asking, give --yes --destroy-name ${NAME}.`,
    );
  const stopped = new Error('Nothing was taken away.');
  if (
    !/^y(es)?$/i.test(
      await ask('Nobody will be counted any more, and queued events are lost. Go on? [yes/no]'),
    )
  )
    throw stopped;
  if ((await ask(`Type ${NAME} to take it away`)) !== NAME) throw stopped;
}
