/** `DATABASE_URL=postgres://... npm run account -- COMMAND`: manages accounts and API tokens. */

import * as v from 'valibot';
import {
  createApiToken,
  listApiTokens,
  type OperatorContext,
  revokeApiToken,
} from '../lib/accounts/api-keys.ts';
import { createAccount } from '../lib/accounts/create-account.ts';
import { CreateAccount } from '../lib/accounts/schemas.ts';
import { connectDatabase } from '../lib/db.ts';
import { DomainError } from '../lib/errors.ts';
import { startNeon } from '../tooling/neon/start-neon.ts';
import { asOperator } from '../tooling/operator.ts';

const USAGE = `npm run account -- create EMAIL [NAME]    a person, a project and a first API token
npm run account -- token EMAIL NAME       a further API token
npm run account -- tokens EMAIL           the person's API tokens
npm run account -- revoke TOKEN_ID        refuses the token from now on`;

async function run(ctx: OperatorContext, [command, subject, name]: string[]): Promise<string> {
  if (subject === undefined) return usage();
  if (command === 'create') {
    const account = v.safeParse(CreateAccount, { email: subject, name: name ?? subject });
    if (!account.success)
      throw new DomainError(
        'VALIDATION_ERROR',
        'EMAIL must be an e-mail address, NAME at most 100 characters.',
      );
    const { projectId } = await createAccount(ctx, account.output);
    const { token } = await createApiToken(ctx, { email: subject, name: 'first' });
    return `project ${projectId}\nAPI token, shown this once: ${token}`;
  }
  if (command === 'token' && name !== undefined) {
    const { id, token } = await createApiToken(ctx, { email: subject, name });
    return `token ${id}, shown this once: ${token}`;
  }
  if (command === 'tokens') {
    const tokens = await listApiTokens(ctx, { email: subject });
    const state = (revokedAt: Date | null, lastUsedAt: Date | null) =>
      revokedAt ? 'revoked' : (lastUsedAt?.toISOString() ?? 'never used');
    return tokens.map((t) => `${t.id}  ${state(t.revokedAt, t.lastUsedAt)}  ${t.name}`).join('\n') || 'none';
  }
  if (command === 'revoke') {
    await revokeApiToken(ctx, { id: subject });
    return 'Revoked. Running Workers refuse it within 60 s.';
  }
  return usage();
}

function usage(): string {
  process.exitCode = 1;
  return USAGE;
}

const url = process.env.DATABASE_URL;
if (!url) {
  console.error(`Set DATABASE_URL to the deployment's database.\n${USAGE}`);
  process.exit(1);
}
try {
  const neon = await startNeon({ database: { url } });
  try {
    console.log(
      await run(
        asOperator(connectDatabase({ url: neon.url, endpoint: neon.endpoint })),
        process.argv.slice(2),
      ),
    );
  } finally {
    await neon.close();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
