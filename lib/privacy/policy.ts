import * as v from 'valibot';

/** Who must be asked: everybody, or visitors in the territories where the law requires it. */
export const ConsentMode = v.picklist(['required', 'regional']);
export type ConsentMode = v.InferOutput<typeof ConsentMode>;

/** What is collected of visitors who must be asked and haven't agreed: nothing, tier 1 or tier 2. */
export const PreConsentTier = v.picklist(['off', 'counts', 'sessions']);
export type PreConsentTier = v.InferOutput<typeof PreConsentTier>;

/** What the visitor told the page. */
export const Consent = v.picklist(['granted', 'denied']);
export type Consent = v.InferOutput<typeof Consent>;

/** A site as collection needs it: its domain, and its privacy policy or null while none was saved. */
export const SitePolicy = v.object({
  siteId: v.pipe(v.string(), v.uuid()),
  /** Host name, lower case, ASCII form. */
  domain: v.pipe(v.string(), v.nonEmpty(), v.maxLength(253)),
  privacy: v.nullable(v.object({ consentMode: ConsentMode, preConsentTier: PreConsentTier })),
});
export type SitePolicy = v.InferOutput<typeof SitePolicy>;
