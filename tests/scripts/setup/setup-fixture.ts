/** What a run of setup needs, on this machine: a provider, a PostgreSQL that asks for passwords, two Redis, and a mail service. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runSetup, type SetupContext } from '../../../scripts/setup/run-setup.ts';
import type { SetupOptions } from '../../../scripts/setup/setup-options.ts';
import { startMail } from '../../../tooling/mail/start-mail.ts';
import { type Neon, startNeon } from '../../../tooling/neon/start-neon.ts';
import { readSetupFile } from '../../../tooling/setup-file.ts';
import { startUpstash } from '../../../tooling/upstash/start-upstash.ts';
import { startPostgres } from '../../provider/start-postgres.ts';
import { type StandIn, startProvider } from '../../provider/start-provider.ts';

export async function startSetupFixture() {
  const folder = await mkdtemp(join(tmpdir(), 'vendor-setup-'));
  const [provider, postgres, redis, saltRedis, mail] = await Promise.all([
    startProvider(),
    startPostgres(),
    startUpstash({ redis: 'memory' }),
    startUpstash({ redis: 'memory' }),
    startMail({}),
  ]);
  const neon: Neon = await startNeon({ database: { url: postgres.url }, passwords: 'server' });
  const stateFile = join(folder, 'setup.json');
  const given: Record<string, string> = {
    DATABASE_URL: postgres.url,
    DATABASE_HTTP_ENDPOINT: neon.endpoint,
    UPSTASH_REDIS_REST_URL: redis.url,
    UPSTASH_REDIS_REST_TOKEN: redis.token,
    SALT_REDIS_REST_URL: saltRedis.url,
    SALT_REDIS_REST_TOKEN: saltRedis.token,
    MAIL_URL: mail.url,
    MAIL_TOKEN: mail.token,
    MAIL_FROM: 'Vendor <no-reply@example.org>',
    VENDOR_HOST: 'none',
    CONTENT_HOST: 'none',
    ACCOUNT_EMAIL: 'ada@example.org',
  };
  return {
    ...{ provider, postgres, neon, redis, saltRedis, mail, stateFile, given },
    env: environmentOf(provider),
    /** Runs setup without a terminal. Returns its output. */
    run: async ({
      answers = {},
      options = {},
      ...ctx
    }: Partial<SetupContext> & {
      answers?: Record<string, string>;
      options?: Partial<SetupOptions>;
    } = {}): Promise<string> => {
      const output: string[] = [];
      await runSetup(
        {
          env: environmentOf(provider),
          ask: undefined,
          tell: (line) => output.push(line),
          fetch: () => Promise.reject(new Error('there is no such address')),
          ...ctx,
        },
        optionsOf({ stateFile, given: { ...given, ...answers }, ...options }),
      ).catch((error: unknown) => {
        throw Object.assign(error as Error, { output });
      });
      return output.join('\n');
    },
    readState: () => readSetupFile(stateFile),
    close: async () => {
      await neon.close();
      await Promise.all([provider.close(), postgres.close(), redis.close(), saltRedis.close(), mail.close()]);
      await rm(folder, { recursive: true });
    },
  };
}
export type SetupFixture = Awaited<ReturnType<typeof startSetupFixture>>;

const environmentOf = ({ baseUrl, token }: StandIn): Record<string, string> => ({
  CLOUDFLARE_API_BASE_URL: baseUrl,
  CLOUDFLARE_API_TOKEN: token,
});

export const optionsOf = (options: Partial<SetupOptions>): SetupOptions => ({
  ...{ dryRun: false, destroy: false, destroyName: undefined, yes: false, newPasswords: false, help: false },
  ...{ rotate: [], endRotation: false },
  ...{ stateFile: '', given: {} },
  ...options,
});
