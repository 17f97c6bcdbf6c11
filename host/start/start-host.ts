/** The process that keeps queue, crons and stores. Alone it serves too. */
import { join } from 'node:path';
import { Cron } from 'croner';
import { connectRedis } from '../../lib/redis.ts';
import { publishGuides } from '../../tooling/content/publish-guides.ts';
import { readGuides } from '../../tooling/content/read-guides.ts';
import { ROOT, readDeployment } from '../../tooling/deployment.ts';
import { openNeon } from '../../tooling/neon/start-neon.ts';
import { startCluster } from '../../tooling/postgres/cluster.ts';
import { applySchema } from '../../tooling/schema/apply-schema.ts';
import { openEmbedded } from '../../tooling/upstash/embedded/embedded-redis.ts';
import { openReal } from '../../tooling/upstash/real-redis.ts';
import { answerUpstash } from '../../tooling/upstash/start-upstash.ts';
import { BUILT_FOLDER } from '../build.ts';
import { keepSecrets, openDataFolder } from '../data-folder.ts';
import { openOrigins } from '../edge/origins.ts';
import { createCounter } from '../metrics/counts.ts';
import { serveMetrics } from '../metrics/serve-metrics.ts';
import { startProcesses } from '../processes.ts';
import { consumeQueues } from '../queue/consume-queues.ts';
import { openQueue } from '../queue/open-queue.ts';
import { serve } from '../serve.ts';
import { openService, type RedisName } from '../service.ts';
import { COUNTRY_DATABASE, type Settings } from '../settings.ts';
import { fileMails, smtpMails } from '../stores/mail.ts';
import { serveOutbound } from '../stores/outbound.ts';
import { openSaltFile } from '../stores/salt-file.ts';
import { fillDemo } from './fill-demo.ts';
import { FINISH_MS, finishOnSignal, log } from './finish.ts';
import { offerFirstOwner } from './offer-first-owner.ts';
import type { Question, ServingConfig } from './serve-for-host.ts';
import { readStartOptions } from './start-options.ts';

/** Connections of all processes together; PostgreSQL's default is 100 in all. */
const CONNECTIONS = 60;
const MAX_CONNECTIONS = 20;

export async function startHost(settings: Settings, args: string[]): Promise<void> {
  const { demo } = readStartOptions(args);
  const begun = performance.now();
  const folder = openDataFolder(settings.DATA_FOLDER);
  const secrets = keepSecrets(folder.file('secrets.json'), settings);
  const cluster = settings.DATABASE_URL === undefined ? await startCluster(folder.path) : undefined;
  const databaseUrl = settings.DATABASE_URL ?? cluster?.url ?? '';
  const functions = readDeployment();
  const neon = await openNeon({ database: { url: databaseUrl }, connections: 1 });
  await neon.withClient((client) => applySchema(client, { report: log }));
  await neon.close();
  const redis = {
    redis: settings.REDIS_URL === undefined ? openEmbedded() : await openReal({ url: settings.REDIS_URL }),
    salt:
      settings.REDIS_URL === undefined
        ? openSaltFile(folder.file('salts.json'))
        : await openReal({ url: settings.REDIS_URL, keyPrefix: 'private:' }),
  };
  const askRedis = (name: RedisName, path: string, body: string, encoding: string | undefined) =>
    answerUpstash(redis[name], path, body, encoding);
  const queue = openQueue(folder.file('queue.sqlite'), (error) => {
    log(`the queue's file: ${error instanceof Error ? error.message : error}`);
    process.exit(1);
  });
  const mailFolder = folder.file('mails');
  const takeMail =
    settings.SMTP_URL === undefined ? fileMails(mailFolder, log) : smtpMails(settings.SMTP_URL);
  const counter = createCounter();
  const isAlone = settings.PROCESSES === 1;
  const connections = Math.max(
    4,
    Math.min(MAX_CONNECTIONS, Math.floor(CONNECTIONS / (settings.PROCESSES + (isAlone ? 0 : 1)))),
  );
  const config: ServingConfig = {
    secrets,
    functions,
    built: BUILT_FOLDER,
    database: { url: databaseUrl, connections },
  };
  const service = await openService({
    ...config,
    settings,
    askRedis,
    takeMail,
    send: queue.send,
    onAnswer: counter.count,
  });
  await publishContent(askRedis);
  const consuming = consumeQueues({
    functions,
    queue,
    deliver: service.deliver,
    onError: (error) => log(`queue: ${error instanceof Error ? error.message : error}`),
  });
  const stopCrons = startCrons(functions, service.scheduled);
  const answer = async (question: Question): Promise<unknown> => {
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
  const serving = isAlone
    ? await serve(settings, service, await openOrigins(settings.COUNTRY_DATABASE ?? COUNTRY_DATABASE), log)
    : await startProcesses(settings.PROCESSES, config, answer, log);
  const metrics =
    settings.METRICS_LISTEN &&
    (await serveMetrics(settings.METRICS_LISTEN, { service, queue, readCounts: counter.read }, (error) =>
      log(`metrics: ${error}`),
    ));
  let stopDemo = async (): Promise<void> => {};
  finishOnSignal(async () => {
    await stopDemo();
    await metrics?.close(0);
    stopCrons();
    await serving.close(FINISH_MS);
    await consuming.stop();
    await service.close();
    await queue.close();
    await Promise.all([redis.redis.close(), redis.salt.close()]);
    await cluster?.close();
    folder.release();
    log('stopped');
  });
  log(`ready in ${((performance.now() - begun) / 1000).toFixed(1)} s: ${settings.PUBLIC_URL}`);
  if (settings.SMTP_URL === undefined) log(`without SMTP_URL no mail is sent: mails lie in ${mailFolder}`);
  const { PUBLIC_URL: publicUrl } = settings;
  const offer = () => offerFirstOwner(service.neon, { authKey: secrets.AUTH_KEY, publicUrl }, log);
  if (!demo) return offer();
  log('filling a demo site with two months of made-up traffic');
  const env = { DEMO_DATABASE_URL: databaseUrl, DEMO_PUBLIC_URL: publicUrl };
  stopDemo = fillDemo({ log, env, onEnd: () => void offer().catch((error) => log(String(error))) });
}

/** Runs every cron once now, since the service may have been off for days, and then at its times (UTC). */
function startCrons(
  functions: ReturnType<typeof readDeployment>,
  run: (fn: string, cron: string, at: Date) => Promise<void>,
): () => void {
  const jobs = functions.flatMap(({ fn, crons }) =>
    crons.map(
      (cron) =>
        new Cron(
          cron,
          { timezone: 'UTC', protect: true, catch: (error) => log(`${fn}: cron failed: ${error}`) },
          () => run(fn, cron, new Date()),
        ),
    ),
  );
  for (const job of jobs) void job.trigger();
  return () => {
    for (const job of jobs) job.stop();
  };
}

/** Does the same as `npm run content:publish`. */
async function publishContent(
  ask: (
    name: RedisName,
    path: string,
    body: string,
    encoding: string | undefined,
  ) => Promise<{ status: number; body: string }>,
): Promise<void> {
  const origin = 'http://publishing.invalid';
  const end = serveOutbound(origin, async ({ path, headers, body }) => {
    const answer = await ask('redis', path, body, headers['upstash-encoding']);
    return new Response(answer.body, { status: answer.status });
  });
  const redis = connectRedis({ url: origin, token: 'own' }, 15_000);
  await publishGuides(redis, await readGuides(join(ROOT, 'content')), { now: Date.now(), allowEmpty: false });
  end();
}
