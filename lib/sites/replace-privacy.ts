import { reach } from '../db.ts';
import { DomainError } from '../errors.ts';
import { mayBeRegional } from '../privacy/territories.ts';
import { memberSite } from './member-site.ts';
import type { PrivacyPolicy, Site } from './schemas.ts';
import { type SiteRow, type SitesContext, toSite, viewersOnlyRead } from './site.ts';
import { requireWritten, type Written } from './written.ts';

/**
 * Replaces a site's whole privacy policy; collection follows within 5 minutes. Throws `REGIONAL_NOT_ALLOWED` where the
 * owner's country forbids it, `NOT_FOUND`, or `FORBIDDEN` for viewers. Constant cost, by primary keys.
 */
export async function replacePrivacy(
  ctx: SitesContext,
  siteId: string,
  policy: PrivacyPolicy,
): Promise<Site> {
  if (policy.consentMode === 'regional' && !mayBeRegional(policy.jurisdiction)) throw regionalNotAllowed();
  const rows = await reach(ctx.sql`
    with target as (${memberSite(ctx, siteId)}), changed as (
      update sites
      set
        jurisdiction = ${policy.jurisdiction},
        consent_mode = ${policy.consentMode},
        pre_consent_tier = ${policy.preConsentTier},
        retention_months = ${policy.retentionMonths}::smallint,
        updated_at = now()
      from target
      where sites.id = target.id and target.role in ('owner', 'admin')
      returning sites.*
    )
    select target.role, changed.* from target left join changed on true
  `);
  return toSite(ctx, requireWritten(rows as Written<SiteRow>[], viewersOnlyRead));
}

const regionalNotAllowed = (): DomainError =>
  new DomainError(
    'REGIONAL_NOT_ALLOWED',
    'Owners established in the EEA, the UK, Gibraltar, the Channel Islands, the Isle of Man or Switzerland ' +
      'must require consent of every visitor: set `consentMode` to `required`.',
  );
