import { openNeon } from '../../tooling/neon/start-neon.ts';
import { startCluster } from '../../tooling/postgres/cluster.ts';
import { applySchema } from '../../tooling/schema/apply-schema.ts';
import { openEmbedded } from '../../tooling/upstash/embedded/embedded-redis.ts';
import { openReal } from '../../tooling/upstash/real-redis.ts';
import { answerUpstash } from '../../tooling/upstash/start-upstash.ts';
import type { DataFolder } from '../data-folder.ts';
import { openQueue, type Queue } from '../queue/open-queue.ts';
import type { AskRedis } from '../service.ts';
import type { Settings } from '../settings.ts';
import { fileMails, smtpMails, type TakeMail } from './mail.ts';
import { openSaltFile } from './salt-file.ts';

/** What the keeping process keeps for all. */
export interface Stores {
  databaseUrl: string;
  askRedis: AskRedis;
  takeMail: TakeMail;
  queue: Queue;
  close(): Promise<void>;
}

/**
 * Opens database, Redis, the day's salts, mail and the queue: those of the settings, otherwise own ones in the data folder. The database
 * has the present schema then. `onQueueEnd` is called if the queue's file can't be written any more.
 */
export async function openStores(
  { DATABASE_URL, REDIS_URL, SMTP_URL }: Pick<Settings, 'DATABASE_URL' | 'REDIS_URL' | 'SMTP_URL'>,
  folder: DataFolder,
  { log, onQueueEnd }: { log: (line: string) => void; onQueueEnd: (error: unknown) => void },
): Promise<Stores> {
  const own = DATABASE_URL === undefined ? await startCluster(folder.path) : undefined;
  const databaseUrl = DATABASE_URL ?? own?.url ?? '';
  const neon = await openNeon({ database: { url: databaseUrl }, connections: 1 });
  await neon.withClient((client) => applySchema(client, { report: log }));
  await neon.close();
  const redis = {
    redis: REDIS_URL === undefined ? openEmbedded() : await openReal({ url: REDIS_URL }),
    salt:
      REDIS_URL === undefined
        ? openSaltFile(folder.file('salts.json'))
        : await openReal({ url: REDIS_URL, keyPrefix: 'private:' }),
  };
  const queue = openQueue(folder.file('queue.sqlite'), onQueueEnd);
  return {
    databaseUrl,
    queue,
    askRedis: (name, path, body, encoding) => answerUpstash(redis[name], path, body, encoding),
    takeMail: SMTP_URL === undefined ? fileMails(folder.file('mails'), log) : smtpMails(SMTP_URL),
    close: async () => {
      await queue.close();
      await Promise.all([redis.redis.close(), redis.salt.close()]);
      await own?.close();
    },
  };
}
