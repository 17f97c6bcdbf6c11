import type { MemberContext } from '../context.ts';
import { DomainError, notFound } from '../errors.ts';
import type { PrivacyPolicy, Site } from './schemas.ts';

export interface SitesContext extends MemberContext {
  /** Where browsers reach the service, without a final slash. */
  publicUrl: string;
}

export type Role = 'owner' | 'admin' | 'viewer';

export interface SiteRow {
  id: string;
  project_id: string;
  domain: string;
  name: string;
  timezone: string;
  jurisdiction: PrivacyPolicy['jurisdiction'] | null;
  consent_mode: PrivacyPolicy['consentMode'] | null;
  pre_consent_tier: PrivacyPolicy['preConsentTier'] | null;
  retention_months: number | null;
  created_at: Date;
  updated_at: Date;
}

/** A site's policy columns, which are all set or all null. */
export type PolicyColumns = Pick<
  SiteRow,
  'jurisdiction' | 'consent_mode' | 'pre_consent_tier' | 'retention_months'
>;

export function toPrivacy(row: PolicyColumns): PrivacyPolicy | null {
  const { jurisdiction, consent_mode, pre_consent_tier, retention_months } = row;
  if (
    jurisdiction === null ||
    consent_mode === null ||
    pre_consent_tier === null ||
    retention_months === null
  ) {
    return null;
  }
  return {
    jurisdiction,
    consentMode: consent_mode,
    preConsentTier: pre_consent_tier,
    retentionMonths: retention_months,
  };
}

export function toSite(ctx: SitesContext, row: SiteRow): Site {
  return {
    id: row.id,
    domain: row.domain,
    name: row.name,
    jurisdiction: row.jurisdiction,
    projectId: row.project_id,
    timezone: row.timezone,
    privacy: toPrivacy(row),
    snippet: `<script defer src="${ctx.publicUrl}/tracker.js" data-site="${row.id}"></script>`,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** What a writing statement answers: the caller's role, and the site if that role let it be written. */
export type WrittenRow = { role: Role } & (SiteRow | { id: null });

export const viewersOnlyRead = (): DomainError =>
  new DomainError('FORBIDDEN', 'You are a viewer of this project, and viewers only read.');

/** No row: the site is nobody's or somebody else's (`NOT_FOUND`). A role, but nothing written: `FORBIDDEN`. */
export function toWrittenSite(ctx: SitesContext, rows: readonly WrittenRow[]): Site {
  const [row] = rows;
  if (row === undefined) throw notFound('site');
  if (row.id === null) throw viewersOnlyRead();
  return toSite(ctx, row);
}
