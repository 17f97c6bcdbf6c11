import { sourceOfHost, sourceOfLabel } from './known-sources.ts';
import { isSiteHost, webHost, withoutWww } from './site-host.ts';
import { tidyText } from './text.ts';
import type { Campaign, ClickId } from './url.ts';

const MAX_SOURCE_LENGTH = 128;

/** Who sets which click id. */
const CLICK_ID_SOURCES: Readonly<Record<ClickId, string>> = {
  gclid: 'Google',
  gbraid: 'Google',
  wbraid: 'Google',
  dclid: 'Google',
  fbclid: 'Facebook',
  msclkid: 'Bing',
  ttclid: 'TikTok',
  twclid: 'X',
  li_fat_id: 'LinkedIn',
  igshid: 'Instagram',
  epik: 'Pinterest',
  rdt_cid: 'Reddit',
  ScCid: 'Snapchat',
  yclid: 'Yandex',
};

export interface Arrival {
  /** The name to show; absent is direct traffic or a step within the site. */
  source?: string;
  /** The referrer is the site itself. */
  internal: boolean;
}

/**
 * Where a page view came from. What the link says of itself (`utm_source`, `source`, `ref`) comes first, then the
 * referrer, then a click id. Hosts without a known name are shown as they are, without `www.`.
 */
export function findArrival(referrer: string | undefined, campaign: Campaign, domain: string): Arrival {
  const host = referrerHost(referrer);
  const internal = host !== undefined && isSiteHost(host, domain);
  const source =
    labelSource(campaign.utmSource ?? campaign.source ?? campaign.ref) ??
    (host === undefined || internal ? undefined : hostSource(host)) ??
    (campaign.clickId === undefined || internal ? undefined : CLICK_ID_SOURCES[campaign.clickId]);
  return source === undefined ? { internal } : { source, internal };
}

/** The host of a web page, or the package of an Android app. */
function referrerHost(referrer: string | undefined): string | undefined {
  const url = referrer === undefined ? null : URL.parse(referrer);
  if (url === null) return undefined;
  return url.protocol === 'android-app:' ? url.hostname || undefined : webHost(url);
}

const labelSource = (label: string | undefined): string | undefined =>
  label === undefined ? undefined : (sourceOfLabel(label) ?? label);

const hostSource = (host: string): string | undefined =>
  sourceOfHost(host) ?? tidyText(withoutWww(host), MAX_SOURCE_LENGTH);
