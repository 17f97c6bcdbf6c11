/** The commands of `npm run account`. */
import * as v from 'valibot';
import { deleteTenant, getTenantDeletion } from '../../lib/accounts/account-deletion.ts';
import {
  createApiToken,
  listApiTokens,
  type OperatorContext,
  revokeApiToken,
} from '../../lib/accounts/api-keys.ts';
import type { AuthKeys } from '../../lib/accounts/auth/auth-keys.ts';
import { createPasswordReset } from '../../lib/accounts/auth/password-reset.ts';
import { removeSecondFactor, renewSecondFactors } from '../../lib/accounts/auth/second-factors.ts';
import { createAccount } from '../../lib/accounts/create-account.ts';
import { CreateAccount } from '../../lib/accounts/schemas.ts';
import { DomainError, notFound } from '../../lib/errors.ts';
import { UsageError } from '../../tooling/run-command.ts';

export const USAGE = `npm run account -- create EMAIL [NAME]    a person, a project, a first API token and a link to choose a password
npm run account -- password EMAIL         another such link; a later password ends sessions, API tokens and query tokens
npm run account -- token EMAIL NAME       a further API token
npm run account -- tokens EMAIL           the person's API tokens
npm run account -- revoke TOKEN_ID        refuses the token from now on
npm run account -- remove-second-factor EMAIL   for somebody who can't give a code any more
npm run account -- delete EMAIL           what deleting the person deletes too; with --yes deletes it all, for good
npm run account -- encrypt-anew           encrypts second factors with AUTH_KEY that AUTH_KEY_OLD encrypted`;

export interface AccountOptions {
  ctx: OperatorContext;
  args: readonly string[];
  /** Undefined: the keys aren't known here. */
  authKeys?: AuthKeys | undefined;
  /** The service's address, with which links begin. Empty: links begin with their path. */
  publicUrl: string;
}

/** Runs a command and returns what it tells the operator; undefined for an unknown command. Throws the errors of the verbs. */
export async function runAccount({
  ctx,
  args,
  authKeys,
  publicUrl,
}: AccountOptions): Promise<string | undefined> {
  const [command, subject, name] = args;
  if (command === 'encrypt-anew') return encryptAnew(ctx, authKeys);
  if (subject === undefined) return undefined;
  if (command === 'create') {
    const account = v.safeParse(CreateAccount, {
      email: subject,
      name: name ?? subject,
      emailConfirmed: true,
    });
    if (!account.success)
      throw new DomainError(
        'VALIDATION_ERROR',
        'EMAIL must be an e-mail address, NAME at most 100 characters.',
      );
    const { projectId } = await createAccount(ctx, account.output);
    const { token } = await createApiToken(ctx, { email: subject, name: 'first' });
    const link = await linkTo(ctx, subject, publicUrl);
    return `project ${projectId}\nAPI token, shown this once: ${token}\n${link}`;
  }
  if (command === 'remove-second-factor')
    return (await removeSecondFactor(ctx, { email: subject }))
      ? 'Taken away. The password alone signs in now.'
      : 'Nobody with this address has a second factor.';
  if (command === 'delete') return deletePerson(ctx, subject, name === '--yes');
  if (command === 'password') return linkTo(ctx, subject, publicUrl);
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
  return undefined;
}

async function deletePerson(ctx: OperatorContext, email: string, yes: boolean): Promise<string> {
  const { projects } = await getTenantDeletion(ctx, { email });
  const listed = projects.map(({ id, name, members, sites }) =>
    [`project ${id}`, `${sites} sites`, `${members} members`, name].join('  '),
  );
  const what = [
    `${email}, and the projects that nobody else owns:`,
    ...(projects.length > 0 ? listed : ['none']),
  ];
  if (!yes)
    return [...what, 'Nothing was deleted. To delete it for good, repeat this with --yes.'].join('\n');
  await deleteTenant(ctx, { email });
  return [...what, 'Deleted. Crons delete what the sites and environments collected, within the hour.'].join(
    '\n',
  );
}

async function encryptAnew(ctx: OperatorContext, keys: AuthKeys | undefined): Promise<string> {
  if (keys?.previous === undefined)
    throw new UsageError('Set AUTH_KEY, and AUTH_KEY_OLD to the key before it.');
  const { renewed, current, lost } = await renewSecondFactors(ctx, keys);
  const summary = `${renewed} second factors encrypted anew, ${current} had the new key already`;
  return lost === 0 ? summary : `${summary}; ${lost} are opened by neither key`;
}

/** With a link the person chooses a password, also where the service sends no mail. */
async function linkTo(ctx: OperatorContext, email: string, publicUrl: string): Promise<string> {
  const token = await createPasswordReset(ctx, { email });
  if (token === undefined) throw notFound('account');
  return `link to choose a password, for an hour: ${publicUrl.replace(/\/+$/, '')}/reset-password#${token}`;
}
