import type { Ports } from '../context.ts';
import { reach } from '../db.ts';
import { notFound } from '../errors.ts';
import { createToken, hashToken } from '../tokens.ts';

export interface NewApiToken {
  id: string;
  /** Shown this once; only its hash is kept. */
  token: string;
}

/** Makes an API token for the person with this address. Throws `NOT_FOUND` without one. */
export async function createApiToken(
  ctx: Pick<Ports, 'sql'>,
  { email, name }: { email: string; name: string },
): Promise<NewApiToken> {
  const token = createToken('vapi', (bytes) => crypto.getRandomValues(bytes));
  const [made] = await reach(ctx.sql`
    insert into api_tokens (user_id, name, hash)
    select id, ${name}, decode(${await hashToken(token)}, 'hex') from users where lower(email) = lower(${email})
    returning id`);
  if (made === undefined) throw notFound('account');
  return { id: made.id, token };
}
