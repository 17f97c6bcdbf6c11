import { existsSync } from 'node:fs';
import { DATABASE_FOLDER, lockLocalFolder, writeRunning } from '../tooling/local-folder.ts';
import { awaitAnswers, isOfStart } from './await-answers.ts';
import { type DemoAccount, ensureDemoAccount } from './demo-account.ts';
import { MAIL_FOLDER, readAuthKey, readDevFile, writeDevFile } from './dev-file.ts';
import type { DevOptions } from './dev-options.ts';
import { type Stack, startStack } from './stack.ts';

const FIRST_START =
  'The first start makes a database in .local/, with its schema and a demo account: half a minute, later ones take seconds.';

export interface Started {
  stack: Stack;
  account: DemoAccount;
  close(): Promise<void>;
}

/** Starts a developer's stack: kept database, demo account, `.local/dev.json`. Prints the steps and the functions' logs. */
export async function startWithAccount(
  options: DevOptions & { appOrigin?: string },
  log: (line: string) => void,
): Promise<Started> {
  const release = lockLocalFolder();
  try {
    let account: DemoAccount | undefined;
    if (options.database === 'local' && !existsSync(DATABASE_FOLDER)) log(FIRST_START);
    const stack = await startStack({
      port: options.port,
      contentPort: options.contentPort,
      database: options.database === 'local' ? { dir: DATABASE_FOLDER } : options.database,
      redis: options.redis,
      appOrigin: options.appOrigin,
      mailFolder: MAIL_FOLDER,
      // Receivers on this machine, to try webhooks.
      vars: { AUTH_KEY: await readAuthKey(), LOOPBACK_RECEIVERS: 'allowed' },
      log: (line) => {
        if (!isOfStart(line)) log(line);
      },
      onStep: (step, ms) => log(`${step.padEnd(30)} ${(ms / 1000).toFixed(1)} s`),
      seed: async (sql) => {
        account = await ensureDemoAccount(sql, await readDevFile());
        return { demoSiteId: account.siteId };
      },
    });
    await awaitAnswers(stack);
    if (account === undefined) throw new Error('the service started without its demo account');
    await writeDevFile({ baseUrl: stack.baseUrl, contentBaseUrl: stack.contentUrl, ...account });
    const { neon, upstash } = stack;
    const forget = await writeRunning({
      url: neon.url,
      endpoint: neon.endpoint,
      redis: { url: upstash.url, token: upstash.token },
    });
    const close = async (): Promise<void> => {
      await forget();
      await stack.close();
      release();
    };
    return { stack, account, close };
  } catch (error) {
    release();
    throw error;
  }
}
