/** Schemas of sites. Each schema validates, defines the type and appears in the OpenAPI document. */
import * as v from 'valibot';
import { ChangesUnknown } from '../analytics/answers/schemas.ts';
import { Count, described, Id, Instant, Name } from '../fields.ts';
import { isCountry } from '../privacy/countries.ts';
import { ConsentMode, PreConsentTier } from '../privacy/policy.ts';
import { PERIODS } from '../visits/periods.ts';
import { Alias } from './alias.ts';
import { normaliseDomain } from './domain.ts';
import { isTimeZone } from './time-zone.ts';

const HINTS: Readonly<Record<string, string>> = {
  UK: 'must be an assigned ISO 3166-1 alpha-2 code; the United Kingdom is GB',
  EL: 'must be an assigned ISO 3166-1 alpha-2 code; Greece is GR',
};

/** The country in which the site's owner is established. Unassigned codes are refused. */
export const Jurisdiction = v.pipe(
  v.string(),
  v.description('The country of the site’s owner: an assigned ISO 3166-1 alpha-2 code in upper case.'),
  v.length(2),
  v.regex(/^[A-Z]{2}$/, 'must be two capital letters'),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed || isCountry(dataset.value)) return;
    addIssue({ message: HINTS[dataset.value] ?? 'must be an assigned ISO 3166-1 alpha-2 code' });
  }),
);

export const Domain = v.pipe(
  v.string(),
  v.description(
    'Host name without scheme, port or path; `localhost` and IPv4 addresses too. Stored in lower-case ASCII form.',
  ),
  v.minLength(1),
  v.maxLength(253),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const domain = normaliseDomain(dataset.value);
    if (domain !== undefined) return domain;
    addIssue({ message: 'must be a host name alone, without scheme, port, path or user-info' });
    return NEVER;
  }),
);

const MAX_DOMAINS = 20;

/** Further domains, each once. */
export const Domains = v.pipe(
  v.array(Domain),
  v.description(
    `Further domains whose pages are the site’s, at most ${MAX_DOMAINS}, in the form of \`domain\`. What repeats another one is left out.`,
  ),
  v.maxLength(MAX_DOMAINS),
  v.transform((domains) => [...new Set(domains)]),
);

const MAX_ALIASES = 20;

export const Aliases = v.pipe(
  v.array(Alias),
  v.description(
    `Names by which snippets of other tools call the site, at most ${MAX_ALIASES}: what \`data-domain\` and \`data-website-id\` say. No other site has them.`,
  ),
  v.maxLength(MAX_ALIASES),
  v.transform((aliases) => [...new Set(aliases)]),
);

export const TimeZone = v.pipe(
  v.string(),
  v.description('IANA name of the site’s time zone, in which its days begin and end.'),
  v.minLength(1),
  v.maxLength(64),
  v.check(isTimeZone, 'must be the IANA name of a time zone'),
);

/** Input of verbs that need only a site's id. */
export const OneSite = v.strictObject({ siteId: Id });
export type OneSite = v.InferOutput<typeof OneSite>;

export const ListSites = v.strictObject({
  period: v.optional(
    v.pipe(
      v.picklist(PERIODS),
      v.description('Adds the summary of this period to each site: the last 24 whole hours, or whole days.'),
    ),
  ),
});
export type ListSites = v.InferOutput<typeof ListSites>;

export const CreateSite = v.strictObject({
  domain: Domain,
  domains: v.optional(Domains, []),
  name: Name,
  jurisdiction: v.optional(Jurisdiction),
  /** Default: the oldest project that the caller owns. */
  projectId: v.optional(Id),
  timezone: v.optional(TimeZone, 'UTC'),
});
export type CreateSite = v.InferOutput<typeof CreateSite>;

export const ChangeSite = v.pipe(
  v.strictObject({
    siteId: Id,
    name: v.optional(Name),
    domain: v.optional(Domain),
    domains: v.optional(Domains),
    aliases: v.optional(Aliases),
    timezone: v.optional(TimeZone),
  }),
  v.description('At least one field; new `domains` and `aliases` replace the old ones.'),
  v.check(
    ({ siteId: _, ...change }) => Object.values(change).some((value) => value !== undefined),
    'must have at least one of `name`, `domain`, `domains`, `aliases` and `timezone`',
  ),
);
export type ChangeSite = v.InferOutput<typeof ChangeSite>;

/** docs/sites.md#privacy-policy */
export const PrivacyPolicy = v.strictObject({
  jurisdiction: Jurisdiction,
  consentMode: ConsentMode,
  preConsentTier: PreConsentTier,
  retentionMonths: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(25)),
});
export type PrivacyPolicy = v.InferOutput<typeof PrivacyPolicy>;

export const ReplacePrivacy = v.strictObject({ siteId: Id, ...PrivacyPolicy.entries });
export type ReplacePrivacy = v.InferOutput<typeof ReplacePrivacy>;

/** How a site does in a period, in the words of the reports `overview`, `timeseries` and `live`. */
export const SiteSummary = v.object({
  visitors: described(Count, 'Tiers 2 and 3 only.'),
  visits: Count,
  pageviews: Count,
  visitorsChange: described(
    v.nullable(v.number()),
    'Percent against as much time of the same length just before; from 0 to n is 100. Null: not known.',
  ),
  changesUnknown: v.optional(
    v.pipe(ChangesUnknown, v.description('Why `visitorsChange` is null. Absent: it is known.')),
  ),
  live: described(Count, 'Visitors of the last 5 minutes.'),
  spark: described(v.array(Count), 'Visits by hour in `24h`, otherwise by day, oldest first.'),
});
export type SiteSummary = v.InferOutput<typeof SiteSummary>;

/** A change of the time zone that goes on (docs/sites.md#change-the-time-zone). */
export const Resumming = v.object({
  timezone: described(
    v.string(),
    'The new time zone. While it isn’t the site’s `timezone`, reports use the earlier one.',
  ),
  done: described(Count, 'Days that are summed in the new time zone.'),
  of: described(Count, 'Days to sum.'),
});
export type Resumming = v.InferOutput<typeof Resumming>;

/** A site as its members see it. */
export const Site = v.object({
  id: Id,
  domain: v.string(),
  domains: described(v.array(v.string()), 'Further domains whose pages are the site’s.'),
  aliases: described(v.array(v.string()), 'Names by which snippets of other tools call the site.'),
  name: v.string(),
  jurisdiction: v.nullable(v.string()),
  projectId: Id,
  timezone: v.string(),
  resumming: v.optional(
    v.pipe(
      Resumming,
      v.description(
        'Only in answers with one site, while its days are summed again after a change of the time zone.',
      ),
    ),
  ),
  privacy: v.nullable(PrivacyPolicy),
  snippet: v.pipe(v.string(), v.description('The script tag to paste into every page.')),
  createdAt: Instant,
  updatedAt: Instant,
  summary: v.optional(
    v.pipe(
      v.nullable(SiteSummary),
      v.description('Only in lists with a `period`. Null: the caller sees more sites than have a summary.'),
    ),
  ),
});
export type Site = v.InferOutput<typeof Site>;

/** A deleted site and the progress of its deletion. */
export const SiteDeletion = v.object({
  siteId: Id,
  projectId: Id,
  domain: v.string(),
  name: v.string(),
  visits: v.pipe(v.number(), v.description('The site’s visits before the deletion, by the hourly totals.')),
  deletedVisits: v.number(),
  deletedRows: v.pipe(v.number(), v.description('Deleted rows of all tables, visits included.')),
  requestedAt: Instant,
  finishedAt: v.pipe(v.nullable(Instant), v.description('Null: some rows aren’t deleted yet.')),
});
export type SiteDeletion = v.InferOutput<typeof SiteDeletion>;
