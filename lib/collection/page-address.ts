import { CLICK_IDS, type ClickId, findClickId } from './click-ids.ts';
import { webHost } from './site-host.ts';
import { tidyText } from './tidy-text.ts';

const MAX_PATH_LENGTH = 1024;
const MAX_CAMPAIGN_LENGTH = 128;

/** The campaign parameters of a URL's query. Everything else in a query is cut. */
export interface Campaign {
  utmSource?: string;
  utmMedium?: string;
  utmCampaign?: string;
  utmTerm?: string;
  utmContent?: string;
  ref?: string;
  source?: string;
  /** The name of the first click id of the list. Its value identifies a click, so only its presence is read. */
  clickId?: ClickId;
}

export interface PageAddress {
  /** Lower-case ASCII form, without port. */
  hostname: string;
  /** Percent-encoded as URLs are, at most 1024 characters; a hash route is appended as `#/route`. */
  path: string;
  campaign: Campaign;
}

const CAMPAIGN_FIELDS = {
  utm_source: 'utmSource',
  utm_medium: 'utmMedium',
  utm_campaign: 'utmCampaign',
  utm_term: 'utmTerm',
  utm_content: 'utmContent',
  ref: 'ref',
  source: 'source',
} as const;

/** Whether something is kept of a parameter of a URL's query. */
export const isCampaignField = (parameter: string): boolean =>
  Object.hasOwn(CAMPAIGN_FIELDS, parameter) || Object.hasOwn(CLICK_IDS, parameter);

/**
 * Cuts a page's URL to what may be stored (docs/tracker-protocol.md#urls): user-info, port, the fragment and all query values except
 * the campaign's are removed. A fragment stays if it is a route of a hash-routed app (`#/…`, `#!/…`), up to its first parameter.
 * Absent for anything else than an http(s) URL. Never throws.
 */
export function cleanUrl(raw: string): PageAddress | undefined {
  const url = URL.parse(raw);
  const hostname = url === null ? undefined : webHost(url);
  if (url === null || hostname === undefined) return undefined;
  const path = cutEncoded(url.pathname + hashRoute(url.hash), MAX_PATH_LENGTH);
  return { hostname, path, campaign: readCampaign(url.searchParams) };
}

const hashRoute = (hash: string): string => /^#!?\/[^?#&=;]*/.exec(hash)?.[0] ?? '';

/** Cuts percent-encoded text, never within an escape. */
function cutEncoded(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, max).replace(/%[\dA-Fa-f]?$/, '');
}

function readCampaign(query: URLSearchParams): Campaign {
  const campaign: Campaign = {};
  for (const [parameter, field] of Object.entries(CAMPAIGN_FIELDS)) {
    const value = tidyText(query.get(parameter), MAX_CAMPAIGN_LENGTH);
    if (value !== undefined) campaign[field] = value;
  }
  const clickId = findClickId(query);
  if (clickId !== undefined) campaign.clickId = clickId;
  return campaign;
}
