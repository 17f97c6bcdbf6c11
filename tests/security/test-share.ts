/** Creates shares of a site for tests. */
import { toBase64Url } from '../../lib/bytes.ts';
import type { Sql } from '../../lib/db.ts';
import { hashPassword } from '../../lib/shares/password.ts';
import { SHARED_REPORTS, type SharedReport } from '../../lib/shares/schemas.ts';
import { hashToken } from '../../lib/tokens.ts';

export const PASSWORD = 'salt and brine';

const random = (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes);
const stored = hashPassword(PASSWORD, random);

/** In the form of a share's secret, and of no share. */
export const newShareSecret = (): string => toBase64Url(random(new Uint8Array(32)));

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
  const secret = newShareSecret();
  const [row] = await sql`
    insert into site_shares (site_id, name, hash, password, reports, expires_at)
    values (${siteId}, 'For the board', decode(${await hashToken(secret)}, 'hex'), ${locked ? await stored : null},
      ${reports}, ${expiresAt})
    returning id`;
  return { shareId: row?.id, secret };
}
