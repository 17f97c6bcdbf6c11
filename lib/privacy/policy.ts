import * as v from 'valibot';

/** Who must be asked: everybody, or visitors in the territories where the law requires it. */
export const ConsentMode = v.picklist(['required', 'regional']);
export type ConsentMode = v.InferOutput<typeof ConsentMode>;

/** What is collected of visitors who must be asked and haven't agreed: nothing, tier 1 or tier 2. */
export const PreConsentTier = v.picklist(['off', 'counts', 'sessions']);
export type PreConsentTier = v.InferOutput<typeof PreConsentTier>;

/** The visitor's choice, as the page reports it. */
export const Consent = v.picklist(['granted', 'denied']);
export type Consent = v.InferOutput<typeof Consent>;

const DomainText = v.pipe(v.string(), v.nonEmpty(), v.maxLength(253));

/** The part of a site that collection needs: the domains, and the privacy policy or null if none was saved. */
export const SitePolicy = v.object({
  siteId: v.pipe(v.string(), v.uuid()),
  /** Host name in lower-case ASCII. */
  domain: DomainText,
  /** Further ones. `sites` of 0.1.0 sends none. */
  domains: v.optional(v.array(DomainText), []),
  privacy: v.nullable(v.object({ consentMode: ConsentMode, preConsentTier: PreConsentTier })),
});
export type SitePolicy = v.InferOutput<typeof SitePolicy>;
