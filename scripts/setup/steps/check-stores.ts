/** The database, Redis and mails: each is used once as the service will use it, before anything is made. */
import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { connectDatabase } from '../../../lib/db.ts';
import { connectMail } from '../../../lib/mail.ts';
import { connectRedis } from '../../../lib/redis.ts';
import { directUrl } from '../direct-url.ts';
import { isNone } from '../questions.ts';
import type { SetupRun, Step } from '../step.ts';

const CONNECT_MS = 15_000;
const REDIS_MS = 10_000;
const OLDEST_SERVER = 15_00_00;

export const checkStores: Step = {
  title: 'Check the database, Redis and mail',
  plan: ({ answers }) => [
    'Database: connects as its owner, asks for its version, and makes and drops a schema. Asks it the way the functions will, over HTTP.',
    'Redis: writes, reads and deletes a key that lives for a minute.',
    isNone(answers.SALT_REDIS_REST_URL)
      ? 'No second Redis: the day’s salt is in the first one.'
      : 'The second Redis: the same. It must not be the first one.',
    isNone(answers.MAIL_URL)
      ? 'No mail: mails go nowhere.'
      : `Mail: sends one to ${answers.ACCOUNT_EMAIL ?? 'ACCOUNT_EMAIL'}, once.`,
  ],
  async run(run) {
    await checkDatabase(run);
    await checkRedis(run);
    await checkMail(run);
  },
};

async function checkDatabase({ file: { answers }, tell }: SetupRun): Promise<void> {
  const url = answers.DATABASE_URL as string;
  const client = new pg.Client({
    connectionString: directUrl(url),
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
  });
  client.on('error', () => {});
  let version: string;
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version: string; server_version_num: string }>(
      "select current_setting('server_version') as server_version, current_setting('server_version_num') as server_version_num",
    );
    version = rows[0]?.server_version ?? '';
    if (Number(rows[0]?.server_version_num) < OLDEST_SERVER)
      throw new Error(`it is PostgreSQL ${version}, and the service needs 15 or later`);
    await client.query('begin');
    await client.query('create schema vendor_setup_check');
    await client.query('rollback');
  } catch (error) {
    throw new Error(
      `The database can't be used (${(error as Error).message}). Give the address of its owner with --database-url, for Neon from ` +
        '“Connect” with “Connection pooling” off, and run setup again.',
      { cause: error },
    );
  } finally {
    await client.end().catch(() => {});
  }
  const endpoint = answers.DATABASE_HTTP_ENDPOINT;
  try {
    await connectDatabase({ url, ...(!isNone(endpoint) && { endpoint }), deadlineMs: CONNECT_MS })`select 1`;
  } catch (error) {
    throw new Error(
      `The database answers directly, but not over HTTP, as the functions ask it (${(error as Error).message}). It must be at Neon, or ` +
        '--database-http-endpoint must say where Neon’s HTTP protocol is spoken for it.',
      { cause: error },
    );
  }
  tell(`database: PostgreSQL ${version}, directly and over HTTP`);
}

async function checkRedis({ file: { answers }, tell }: SetupRun): Promise<void> {
  const key = `vendor:setup:${randomUUID()}`;
  const connect = (prefix: string) => {
    const { [`${prefix}_REDIS_REST_URL`]: url = '', [`${prefix}_REDIS_REST_TOKEN`]: token = '' } = answers;
    return connectRedis({ url, token }, REDIS_MS);
  };
  const refused = (prefix: string, error: unknown) =>
    new Error(
      `The Redis of ${prefix}_REDIS_REST_URL can't be used (${String((error as Error).message).split(', command was:')[0]}). Copy both of ` +
        'its REST values again, not the read-only token, and run setup again.',
      { cause: error },
    );
  const first = connect('UPSTASH');
  try {
    await first.set(key, 'here', { ex: 60 });
    if ((await first.get(key)) !== 'here') throw new Error('it forgot what was written');
  } catch (error) {
    throw refused('UPSTASH', error);
  }
  tell('Redis: written, read and deleted');
  if (!isNone(answers.SALT_REDIS_REST_URL)) {
    let found: unknown;
    try {
      const second = connect('SALT');
      found = await second.get(key);
      await second.set(`${key}:salt`, 'here', { ex: 60 });
      await second.del(`${key}:salt`);
    } catch (error) {
      throw refused('SALT', error);
    }
    if (found !== null) {
      await first.del(key);
      throw new Error(
        'Both Redis are the same one, so the salt is not parted. Make a second database and give its values, or --salt-redis-rest-url none.',
      );
    }
    tell('the second Redis: the same, and it isn’t the first one');
  }
  await first.del(key);
}

async function checkMail({ file, save, tell, notes }: SetupRun): Promise<void> {
  const {
    MAIL_URL: url,
    MAIL_TOKEN: token = '',
    MAIL_FROM: from = '',
    ACCOUNT_EMAIL: to = '',
  } = file.answers;
  if (url === undefined || isNone(url)) {
    notes.push(
      'Mails go nowhere: nobody can sign up or reset a password. npm run account makes accounts; npm run setup with MAIL_URL, MAIL_TOKEN ' +
        'and MAIL_FROM switches mails on.',
    );
    return;
  }
  const mark = `mail ${createHash('sha256').update([url, token, from, to].join('\n')).digest('hex')}`;
  if (file.checked.includes(mark)) return tell('mail: sent by an earlier run');
  try {
    await connectMail({ url, token, from })({
      to,
      subject: 'Vendor can send mails',
      text: 'npm run setup sent this mail to see whether mails arrive. There is nothing to do.\n',
    });
  } catch (error) {
    const { cause } = error as Error;
    throw new Error(
      `The mail service took no mail (${cause instanceof Error ? cause.message : error}). Check MAIL_URL, MAIL_TOKEN, and that it may send ` +
        'from MAIL_FROM; or run setup with --mail-url none.',
      { cause: error },
    );
  }
  file.checked.push(mark);
  await save();
  tell(`mail: sent one to ${to}; look whether it came`);
}
