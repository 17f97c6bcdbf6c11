/** The process that keeps queue, crons and stores. Alone it serves too. */
import { readDeployment } from '../../tooling/deployment.ts';
import { BUILT_FOLDER } from '../build.ts';
import { keepSecrets, openDataFolder } from '../data-folder.ts';
import { openOrigins } from '../edge/origins.ts';
import { type Counter, createCounter } from '../metrics/counts.ts';
import { serveMetrics } from '../metrics/serve-metrics.ts';
import { startProcesses } from '../processes.ts';
import { consumeQueues } from '../queue/consume-queues.ts';
import { serve } from '../serve.ts';
import { openService } from '../service.ts';
import { COUNTRY_DATABASE, type Settings } from '../settings.ts';
import { openStores, type Stores } from '../stores/open-stores.ts';
import { fillDemo } from './fill-demo.ts';
import { FINISH_MS, finishOnSignal, log } from './finish.ts';
import { offerFirstOwner } from './offer-first-owner.ts';
import { keepContentPublished } from './publish-content.ts';
import type { Question, ServingConfig } from './serve-for-host.ts';
import { startCrons } from './start-crons.ts';
import { readStartOptions } from './start-options.ts';

/** Connections of all processes together; PostgreSQL's default is 100 in all. */
const CONNECTIONS = 60;
const MIN_CONNECTIONS = 4;
const MAX_CONNECTIONS = 20;

export async function startHost(settings: Settings, args: string[]): Promise<void> {
  const { demo } = readStartOptions(args);
  const begun = performance.now();
  const { PROCESSES, METRICS_LISTEN, PUBLIC_URL: publicUrl } = settings;
  const folder = openDataFolder(settings.DATA_FOLDER);
  const secrets = keepSecrets(folder.file('secrets.json'), settings);
  const stores = await openStores(settings, folder, {
    log,
    onQueueEnd: (error) => {
      log(`the queue's file: ${error instanceof Error ? error.message : error}`);
      process.exit(1);
    },
  });
  const { queue, databaseUrl } = stores;
  const functions = readDeployment();
  const config: ServingConfig = {
    secrets,
    functions,
    built: BUILT_FOLDER,
    database: { url: databaseUrl, connections: connectionsOf(PROCESSES) },
  };
  const counter = createCounter();
  const service = await openService({
    ...{ ...config, settings, send: queue.send, onAnswer: counter.count },
    ...{ askRedis: stores.askRedis, takeMail: stores.takeMail },
  });
  const stopPublishing = await keepContentPublished(stores.askRedis, (error) => log(`guides: ${error}`));
  const consuming = consumeQueues({
    ...{ functions, queue, deliver: service.deliver },
    onError: (error) => log(`queue: ${error instanceof Error ? error.message : error}`),
  });
  const stopCrons = startCrons(functions, service.scheduled);
  const serving =
    PROCESSES === 1
      ? await serve(settings, service, await openOrigins(settings.COUNTRY_DATABASE ?? COUNTRY_DATABASE), log)
      : await startProcesses(PROCESSES, config, answerWith(stores, counter), log);
  const metrics =
    METRICS_LISTEN &&
    (await serveMetrics(METRICS_LISTEN, { service, queue, readCounts: counter.read }, (error) =>
      log(`metrics: ${error}`),
    ));
  let stopDemo = async (): Promise<void> => {};
  finishOnSignal(async () => {
    await stopDemo();
    await metrics?.close(0);
    stopCrons();
    await serving.close(FINISH_MS);
    await consuming.stop();
    await stopPublishing();
    await service.close();
    await stores.close();
    folder.release();
    log('stopped');
  });
  log(`ready in ${((performance.now() - begun) / 1000).toFixed(1)} s: ${publicUrl}`);
  if (settings.SMTP_URL === undefined)
    log(`without SMTP_URL no mail is sent: mails lie in ${folder.file('mails')}`);
  const offer = () => offerFirstOwner(service.neon, { authKey: secrets.AUTH_KEY, publicUrl }, log);
  if (!demo) return offer();
  log('filling a demo site with two months of made-up traffic');
  const env = {
    ...{ DEMO_DATABASE_URL: databaseUrl, DEMO_PUBLIC_URL: publicUrl },
    DEMO_SHARE_KEY: secrets.SHARE_KEY,
  };
  stopDemo = fillDemo({ log, env, onEnd: () => void offer().catch((error) => log(String(error))) });
}

/** For each process. Where several serve, the keeping one has its own too. */
function connectionsOf(processes: number): number {
  const all = processes === 1 ? 1 : processes + 1;
  return Math.max(MIN_CONNECTIONS, Math.min(MAX_CONNECTIONS, Math.floor(CONNECTIONS / all)));
}

/** Answers what serving processes ask. */
function answerWith({ askRedis, queue, takeMail }: Stores, counter: Counter) {
  return async (question: Question): Promise<unknown> => {
    switch (question.kind) {
      case 'redis':
        return askRedis(question.name, question.path, question.body, question.encoding);
      case 'queue':
        return queue.send(question.queue, question.bodies);
      case 'mail':
        return takeMail(question.mail);
      case 'counts':
        return counter.add(question.counts);
    }
  };
}
