import { type Account, connectProvider, listAccounts, type Provider } from './connect-provider.ts';
import { findAccess } from './find-access.ts';

export interface OpenAccountOptions {
  env: Readonly<Record<string, string | undefined>>;
  /** The account's id. Default: CLOUDFLARE_ACCOUNT_ID, otherwise the only one that the access reaches. */
  accountId?: string | undefined;
  /** How long one request may take. */
  timeoutMs?: number | undefined;
}

/** The account that wrangler's access reaches. Throws a sentence for the operator. */
export async function openAccount({ env, accountId, timeoutMs }: OpenAccountOptions): Promise<Provider> {
  const access = { ...(await findAccess(env)), timeoutMs };
  const chosen = accountId ?? (env.CLOUDFLARE_ACCOUNT_ID || undefined);
  return connectProvider(access, chosen ?? onlyOne(await listAccounts(access)));
}

function onlyOne(accounts: Account[]): string {
  const [account, ...others] = accounts;
  if (account === undefined)
    throw new Error('The access to Cloudflare reaches no account. Give its id as CLOUDFLARE_ACCOUNT_ID.');
  if (others.length > 0)
    throw new Error(
      `The access reaches several accounts. Choose one by CLOUDFLARE_ACCOUNT_ID:\n${accounts
        .map(({ id, name }) => `  ${id}  ${name}`)
        .join('\n')}`,
    );
  return account.id;
}
