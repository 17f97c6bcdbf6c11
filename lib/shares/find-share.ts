import type { Ports } from '../context.ts';
import { reachToRead } from '../db.ts';
import type { SharedReport } from './schemas.ts';

/** A share, as the routes for its readers need it. */
export interface FoundShare {
  shareId: string;
  siteId: string;
  name: string;
  /** The stored password hash; null: no password is needed. */
  password: string | null;
  reports: readonly SharedReport[];
  embedOrigins: readonly string[];
  expiresAt: Date | null;
  site: { name: string; domain: string; timezone: string };
}

type FoundRow = Pick<FoundShare, 'name' | 'password' | 'reports'> & {
  id: string;
  site_id: string;
  expires_at: Date | null;
  embed_origins: string[];
  site_name: string;
  domain: string;
  timezone: string;
};

/**
 * The share whose secret has this hash (hex SHA-256), even if it has ended; undefined if there is none. Uses the unique index on `hash`.
 */
export async function findShare(ctx: Pick<Ports, 'sql'>, hash: string): Promise<FoundShare | undefined> {
  const rows = await reachToRead(ctx.sql`
    select share.id, share.site_id, share.name, share.password, share.reports, share.embed_origins, share.expires_at,
      site.name as site_name, site.domain, site.timezone
    from site_shares share
    join sites site on site.id = share.site_id
    where share.hash = decode(${hash}, 'hex')
  `);
  const [row] = rows as FoundRow[];
  return (
    row && {
      shareId: row.id,
      siteId: row.site_id,
      name: row.name,
      password: row.password,
      reports: row.reports,
      embedOrigins: row.embed_origins,
      expiresAt: row.expires_at,
      site: { name: row.site_name, domain: row.domain, timezone: row.timezone },
    }
  );
}
