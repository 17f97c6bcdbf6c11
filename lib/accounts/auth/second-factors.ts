/** Second factors under another AUTH_KEY (docs/operations.md#auth_key). */
import type { Ports } from '../../context.ts';
import { reach } from '../../db.ts';
import { type AuthKeys, renewSealed } from './auth-keys.ts';

export interface SealedFactor {
  id: string;
  secret: string;
  backupCodes: string;
}

type Context = Pick<Ports, 'sql'>;

/**
 * Encrypts a second factor with the key in use, if it isn’t yet. `lost`: no key opens it. A change at the same time wins: it is
 * encrypted with the key in use already. Uses the primary key.
 */
export async function renewSecondFactor(
  { sql }: Context,
  { keys, factor: { id, secret, backupCodes } }: { keys: AuthKeys; factor: SealedFactor },
): Promise<'renewed' | 'current' | 'lost'> {
  const [newSecret, newCodes] = await Promise.all([
    renewSealed(keys, secret),
    renewSealed(keys, backupCodes),
  ]);
  if (newSecret === undefined || newCodes === undefined) return 'lost';
  if (newSecret === secret && newCodes === backupCodes) return 'current';
  await reach(sql`
    update user_second_factors set secret = ${newSecret}, backup_codes = ${newCodes}
    where id = ${id} and secret = ${secret} and backup_codes = ${backupCodes}`);
  return 'renewed';
}

/** Takes a person's second factor away, for the operator. Returns false if nobody with this address has one. Uses unique indexes. */
export async function removeSecondFactor({ sql }: Context, { email }: { email: string }): Promise<boolean> {
  const rows = await reach(sql`
    with gone as (
      delete from user_second_factors using users
      where users.id = user_id and lower(users.email) = lower(${email}) returning user_id
    )
    update users set second_factor = false, updated_at = now() from gone where users.id = gone.user_id returning users.id`);
  return rows.length > 0;
}

const BATCH_SIZE = 500;

/** How many second factors were encrypted anew, had the key in use already, and can't be opened by either key. */
export interface RenewedFactors {
  renewed: number;
  current: number;
  lost: number;
}

/** Encrypts all second factors with the key in use, page by page along the primary key. May be stopped and repeated. */
export async function renewSecondFactors(ctx: Context, keys: AuthKeys): Promise<RenewedFactors> {
  const counts: RenewedFactors = { renewed: 0, current: 0, lost: 0 };
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const factors = await reach(ctx.sql`
      select id, secret, backup_codes as "backupCodes" from user_second_factors
      where id > ${after}::uuid order by id limit ${BATCH_SIZE}`);
    for (const factor of factors as SealedFactor[])
      counts[await renewSecondFactor(ctx, { keys, factor })] += 1;
    const last = factors.at(-1);
    if (last === undefined || factors.length < BATCH_SIZE) return counts;
    after = last.id;
  }
}
