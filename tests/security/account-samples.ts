/** Creates what the documented examples of accounts need, for a tenant. */
import { createHash, randomBytes } from 'node:crypto';
import { hashPassword, symmetricEncrypt } from 'better-auth/crypto';
import type { Sql } from '../../lib/db.ts';
import { hashToken } from '../../lib/tokens.ts';
import { addIngestKey, addQueryToken, createConfirmation, createCookie, TEST_AUTH_KEY } from './session.ts';
import { addMember, createTenant, type Tenant } from './tenant.ts';
import { totp } from './totp.ts';

export const PASSWORD = 'seventy lamps and a ladder';

const stored = hashPassword(PASSWORD);

/** Gives a person the password `PASSWORD`. */
export async function addPassword(sql: Sql, userId: string): Promise<void> {
  await sql`
    insert into user_credentials (user_id, provider, account, password)
    values (${userId}, 'credential', ${userId}, ${await stored})`;
}

export async function addAccount(sql: Sql, { userId, email, projectId, token }: Tenant) {
  await addPassword(sql, userId);
  const member = await addMember(sql, projectId, 'viewer');
  const { key: ingestKey, ingestKeyId, environmentId } = await addIngestKey(sql, projectId);
  const { queryTokenId, token: queryToken } = await addQueryToken(sql, userId);
  await sql`insert into environments (project_id, name) values (${projectId}, 'preview')`;
  const session = await createCookie();
  const [signedIn] = await sql`
    insert into user_sessions (user_id, hash, browser, expires_at)
    values (${userId}, decode(${session.hash}, 'hex'), 'Firefox', now() + interval '1 hour') returning id`;
  const [viewGrant] = await sql`
    insert into view_grants (session_id, query_token_id, tab, expires_at, seen_at)
    select ${signedIn?.id}, ${(await addQueryToken(sql, userId)).queryTokenId}, gen_random_uuid(), now() + interval '5 minutes', now()
    returning id`;
  const [apiKey] = await sql`select id from api_tokens where hash = decode(${await hashToken(token)}, 'hex')`;
  const [invitation] = await sql`
    insert into project_invitations (project_id, role, hash, created_by, expires_at)
    values (${projectId}, 'viewer', sha256(gen_random_uuid()::text::bytea), ${userId}, now() + interval '1 hour')
    returning id`;
  const [channel] = await sql`
    insert into message_channels (project_id, kind, name, address, events, language, created_at, confirmed_at, secret_salt, counted_as)
    values (${projectId}, 'webhook', 'Incidents', 'https://hooks.example.com/vendor', '{}', 'en', now(), now(), gen_random_uuid(),
      sha256('host hooks.example.com'))
    returning id`;
  const [delivery] = await sql`
    with message as (
      insert into outbox (project_id, channel_id, event, payload, dedupe, decided_at, due_at, state)
      values (${projectId}, ${channel?.id}, 'channel.test', '{}', 'sample', now(), null, 'sent') returning id
    )
    insert into message_deliveries (project_id, outbox_id, channel_id, at, attempt, status, duration_ms, answer)
    select ${projectId}, id, ${channel?.id}, now(), 1, 200, 84, 'ok' from message
    returning id`;
  return {
    channelId: channel?.id,
    deliveryId: delivery?.id,
    password: PASSWORD,
    userId: member.userId,
    ingestKey,
    ingestKeyId,
    environmentId,
    queryTokenId,
    queryToken,
    apiKeyId: apiKey?.id,
    sessionId: signedIn?.id,
    viewGrantId: viewGrant?.id,
    invitationId: invitation?.id,
    invitationSecret: await addInvitation(sql),
    confirmationToken: createConfirmation(email),
    resetToken: await addReset(sql, userId),
    ...(await addSecondFactor(sql, userId)),
  };
}

/** Gives a person a second factor that isn't confirmed yet. Returns a current code and a backup code. */
async function addSecondFactor(sql: Sql, userId: string): Promise<{ totpCode: string; backupCode: string }> {
  const secret = randomBytes(16).toString('hex');
  const backupCode = `${randomBytes(3).toString('hex').slice(1)}-${randomBytes(3).toString('hex').slice(1)}`;
  const [sealed, codes] = await Promise.all(
    [secret, JSON.stringify([backupCode])].map((data) => symmetricEncrypt({ key: TEST_AUTH_KEY, data })),
  );
  await sql`
    insert into user_second_factors (user_id, secret, backup_codes, verified)
    values (${userId}, ${sealed}, ${codes}, false)`;
  return { totpCode: totp(Buffer.from(secret)), backupCode };
}

/** Creates an open invitation to another person's project. Returns its secret. */
async function addInvitation(sql: Sql): Promise<string> {
  const { projectId, userId } = await createTenant(sql);
  const secret = randomBytes(32).toString('base64url');
  await sql`
    insert into project_invitations (project_id, role, hash, created_by, expires_at)
    values (${projectId}, 'viewer', decode(${await hashToken(secret)}, 'hex'), ${userId}, now() + interval '1 hour')`;
  return secret;
}

/** Begins to reset a person's password. Returns the token at the end of the mailed link. */
async function addReset(sql: Sql, userId: string): Promise<string> {
  const token = randomBytes(12).toString('hex');
  const identifier = createHash('sha256').update(`reset-password:${token}`).digest('base64url');
  await sql`
    insert into user_verifications (identifier, value, expires_at)
    values (${identifier}, ${userId}, now() + interval '1 hour')`;
  return token;
}
