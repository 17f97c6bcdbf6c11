/** The first account, with a link to choose its password and an API token. */
import { connectDatabase } from '../../../lib/db.ts';
import { DomainError } from '../../../lib/errors.ts';
import { startNeon } from '../../../tooling/neon/start-neon.ts';
import { asOperator } from '../../../tooling/operator.ts';
import { readAuthKeys } from '../../account/read-auth-keys.ts';
import { runAccount } from '../../account/run-account.ts';
import { directUrl } from '../direct-url.ts';
import type { SetupRun, Step } from '../step.ts';

export const makeAccount: Step = {
  title: 'Make the first account',
  plan: ({ answers }) => [
    `npm run account -- create ${answers.ACCOUNT_EMAIL ?? 'ACCOUNT_EMAIL'}: a person, a project, an API token, and a link to choose a password.`,
    'An account that exists stays as it is.',
  ],
  async run(run) {
    const { file, save, tell } = run;
    const email = file.answers.ACCOUNT_EMAIL as string;
    if (file.account === email) return tell(`${email} has an account`);
    const output = await asOwner(run, (account) =>
      account(['create', email]).catch((error: unknown) => {
        if (!(error instanceof DomainError) || error.code !== 'CONFLICT') throw error;
        return `${email} has an account already. npm run account -- password ${email} makes a link to choose a password.`;
      }),
    );
    for (const line of (output ?? '').split('\n')) tell(line);
    file.account = email;
    await save();
  },
};

/** Runs commands of `npm run account` on the deployment's database. */
export async function asOwner<T>(
  { file, publicUrl }: SetupRun,
  use: (account: (args: string[]) => Promise<string | undefined>) => Promise<T>,
): Promise<T> {
  const neon = await startNeon({ database: { url: directUrl(file.answers.DATABASE_URL as string) } });
  try {
    const ctx = asOperator(connectDatabase({ url: neon.url, endpoint: neon.endpoint }), {
      tool: 'npm run setup',
    });
    return await use((args) => runAccount({ ctx, args, publicUrl, authKeys: readAuthKeys({}, file) }));
  } finally {
    await neon.close();
  }
}
