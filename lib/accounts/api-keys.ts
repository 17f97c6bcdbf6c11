/** API tokens as their own person makes, reads and revokes them; `npm run account` has its own way, by e-mail address. */
import type { SessionContext } from '../context.ts';
import { reach } from '../db.ts';
import { DomainError, notFound } from '../errors.ts';
import { createToken, hashToken } from '../tokens.ts';
import type { ApiKey, CreatedApiKey, NewApiKey } from './schemas.ts';

const MAX_KEYS_A_PERSON = 100;

interface ApiKeyRow {
  id: string;
  name: string;
  created_at: Date;
  last_used_at: Date | null;
}

const toApiKey = ({ id, name, created_at, last_used_at }: ApiKeyRow): ApiKey => ({
  id,
  name,
  createdAt: created_at.toISOString(),
  lastUsedAt: last_used_at?.toISOString() ?? null,
});

/** The caller's API tokens that aren't revoked, oldest first; never the tokens themselves. By the index `api_tokens_user`. */
export async function listApiKeys(ctx: SessionContext): Promise<ApiKey[]> {
  const rows = await reach(ctx.sql`
    select id, name, created_at, last_used_at from api_tokens
    where user_id = ${ctx.actor.userId} and revoked_at is null order by created_at, id`);
  return (rows as ApiKeyRow[]).map(toApiKey);
}

/** Makes an API token that may what the caller may. Throws `CONFLICT` for who has as many as there may be. */
export async function createApiKey(ctx: SessionContext, { name }: NewApiKey): Promise<CreatedApiKey> {
  const { userId } = ctx.actor;
  const token = createToken('vapi', (bytes) => crypto.getRandomValues(bytes));
  const rows = await reach(ctx.sql`
    insert into api_tokens (user_id, name, hash)
    select ${userId}::uuid, ${name}, decode(${await hashToken(token)}, 'hex')
    where (select count(*) from api_tokens where user_id = ${userId} and revoked_at is null) < ${MAX_KEYS_A_PERSON}
    returning id, name, created_at, last_used_at`);
  const [row] = rows as ApiKeyRow[];
  if (row === undefined)
    throw new DomainError('CONFLICT', `A person has at most ${MAX_KEYS_A_PERSON} API keys. Revoke one.`);
  return { ...toApiKey(row), token };
}

/** Revokes one of the caller's API tokens: refused everywhere within 60 s. Throws `NOT_FOUND`. By the primary key. */
export async function revokeApiKey(ctx: SessionContext, keyId: string): Promise<void> {
  const rows = await reach(ctx.sql`
    update api_tokens set revoked_at = now()
    where id = ${keyId} and user_id = ${ctx.actor.userId} and revoked_at is null returning id`);
  if (rows.length === 0) throw notFound('API key');
}
