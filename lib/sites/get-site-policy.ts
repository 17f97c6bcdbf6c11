import type { Ports } from '../context.ts';
import { reach } from '../db.ts';
import { notFound } from '../errors.ts';
import type { PrivacyPolicy } from './schemas.ts';
import { type PolicyColumns, toPrivacy } from './site.ts';

export interface SitePolicyAnswer {
  siteId: string;
  domain: string;
  privacy: PrivacyPolicy | null;
}

/** What collection needs of a site. For functions of ours alone, so nobody's membership is asked. One row by primary key. */
export async function getSitePolicy(ctx: Pick<Ports, 'sql'>, siteId: string): Promise<SitePolicyAnswer> {
  const rows = await reach(ctx.sql`
    select id, domain, jurisdiction, consent_mode, pre_consent_tier, retention_months
    from sites
    where id = ${siteId}
  `);
  const [row] = rows as ({ id: string; domain: string } & PolicyColumns)[];
  if (row === undefined) throw notFound('site');
  return { siteId: row.id, domain: row.domain, privacy: toPrivacy(row) };
}
