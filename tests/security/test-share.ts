/** Creates shares of a site for tests. */
import type { Sql } from '../../lib/db.ts';
import { hashPassword } from '../../lib/shares/password.ts';
import { SHARED_REPORTS, type SharedReport } from '../../lib/shares/schemas.ts';
import { createShareSecret } from '../../lib/shares/secret.ts';
import { hashToken } from '../../lib/tokens.ts';

export const PASSWORD = 'salt and brine';

const random = (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes);
const stored = hashPassword(PASSWORD, random);

export interface ShareOptions {
  /** True if the share has the password `PASSWORD`. */
  locked?: boolean;
  reports?: SharedReport[];
  expiresAt?: string;
}

export interface TestShare {
  shareId: string;
  secret: string;
}

export async function addShare(sql: Sql, siteId: string, options: ShareOptions = {}): Promise<TestShare> {
  const { locked = false, reports = [...SHARED_REPORTS], expiresAt = null } = options;
  const secret = createShareSecret(random);
  const [row] = await sql`
    insert into site_shares (site_id, name, hash, password, reports, expires_at)
    values (${siteId}, 'For the board', decode(${await hashToken(secret)}, 'hex'), ${locked ? await stored : null},
      ${reports}, ${expiresAt})
    returning id`;
  return { shareId: row?.id, secret };
}
