/** What the doctor can reach: the service of `npm run dev`, or a deployment by what setup keeps and the environment. */

import { readFile } from 'node:fs/promises';
import { connectDatabase } from '../../lib/db.ts';
import { connectRedis } from '../../lib/redis.ts';
import { DEV_FILE, readRunning } from '../../tooling/local-folder.ts';
import { type Neon, startNeon } from '../../tooling/neon/start-neon.ts';
import { openAccount } from '../../tooling/provider/open-account.ts';
import { type SetupFile, withAnswers } from '../../tooling/setup-file.ts';
import { directUrl } from '../setup/direct-url.ts';
import { roleOf, urlFor } from '../setup/function-secrets.ts';
import type { Patient } from './check.ts';

const REDIS_MS = 10_000;
const PATIENCE_MS = 30_000;

export interface PatientChoice {
  /** The address of the service; undefined: that of a deployment by setup, otherwise of `npm run dev`. */
  address: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
  file: SetupFile;
}

export interface OpenPatient extends Patient {
  close(): Promise<void>;
}

/** Throws a sentence for the operator. */
export async function findPatient(choice: PatientChoice): Promise<OpenPatient> {
  const wanted = choice.address?.replace(/\/+$/, '');
  const local = await readLocal();
  if (
    local !== undefined &&
    (wanted === local.url || (wanted === undefined && choice.file.addresses === undefined))
  )
    return local;
  return findDeployment(wanted, choice);
}

async function readLocal(): Promise<OpenPatient | undefined> {
  const running = await readRunning();
  if (running === undefined) return undefined;
  const { baseUrl, contentBaseUrl } = JSON.parse(await readFile(DEV_FILE, 'utf8')) as {
    baseUrl: string;
    contentBaseUrl: string;
  };
  return {
    ...{
      url: baseUrl,
      contentUrl: contentBaseUrl,
      fetch,
      now: Date.now,
      provider: undefined,
      roles: new Map(),
    },
    patienceMs: PATIENCE_MS,
    sql: connectDatabase(running),
    redis: connectRedis(running.redis, REDIS_MS),
    close: async () => {},
  };
}

async function findDeployment(
  wanted: string | undefined,
  { env: own, file }: PatientChoice,
): Promise<OpenPatient> {
  // Answers of another deployment would be asked about this address.
  const isOurs = wanted === undefined || wanted === file.addresses?.PUBLIC_URL;
  const kept = isOurs ? file : { ...file, answers: {}, addresses: undefined, passwords: {} };
  const env = withAnswers(own, kept);
  const url = wanted ?? env.PUBLIC_URL ?? (env.VENDOR_HOST && `https://${env.VENDOR_HOST}`);
  if (url === undefined || !URL.canParse(url))
    throw new Error(
      'Which service? Start npm run dev, deploy one by npm run setup, or name its address: npm run doctor -- https://stats.example.org',
    );
  const { DATABASE_URL: database, UPSTASH_REDIS_REST_URL: redisUrl, UPSTASH_REDIS_REST_TOKEN: token } = env;
  const { neon, databaseFault } = database === undefined ? {} : await openNeon(database);
  const provider = await openAccount({ env, accountId: kept.accountId }).catch(() => undefined);
  return {
    ...{ url, contentUrl: env.CONTENT_URL ?? (env.CONTENT_HOST && `https://${env.CONTENT_HOST}`) },
    ...{ fetch, now: Date.now, provider, databaseFault, patienceMs: PATIENCE_MS },
    sql: neon && connectDatabase({ url: neon.url, endpoint: neon.endpoint }),
    redis: redisUrl && token ? connectRedis({ url: redisUrl, token }, REDIS_MS) : undefined,
    roles: rolesOf(kept),
    close: async () => neon?.close(),
  };
}

/** A database that is out of reach must not keep the other checks from running. */
async function openNeon(url: string): Promise<{ neon?: Neon; databaseFault?: string }> {
  try {
    return { neon: await startNeon({ database: { url: directUrl(url) } }) };
  } catch (error) {
    return { databaseFault: (error as Error).message };
  }
}

function rolesOf(file: Pick<SetupFile, 'answers' | 'keys' | 'passwords'>): Map<string, string> {
  return new Map(
    Object.keys(file.passwords).flatMap((role): [string, string][] => {
      const url = urlFor(role.slice(roleOf('').length), file);
      return url === undefined ? [] : [[role, directUrl(url)]];
    }),
  );
}
