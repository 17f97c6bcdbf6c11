import { clickOf } from './click-ids.ts';
import { type KnownSource, type SourceKind, sourceOfHost, sourceOfLabel } from './known-sources.ts';
import type { Campaign } from './page-address.ts';
import { isSiteHost, webHost, withoutWww } from './site-host.ts';
import { tidyText } from './tidy-text.ts';

const MAX_SOURCE_LENGTH = 128;

export interface Arrival {
  /** The name to show; absent is direct traffic or a step within the site. */
  source?: string;
  /** Absent if the source isn't in the lists. */
  kind?: SourceKind;
  /** The referrer is the site itself, on any of its domains. */
  internal: boolean;
}

/**
 * Where a page view came from: first what the link says (`utm_source`, `source`, `ref`), then the referrer, then a click id. Hosts
 * without a known name are shown as they are, without `www.`. The kind is that of the first of the three that is known.
 */
export function findArrival(
  referrer: string | undefined,
  campaign: Campaign,
  domains: readonly string[],
): Arrival {
  const host = referrerHost(referrer);
  const internal = host !== undefined && isSiteHost(host, domains);
  const label = campaign.utmSource ?? campaign.source ?? campaign.ref;
  const labelled = label === undefined ? undefined : labelSource(label);
  const linked = host === undefined || internal ? undefined : hostSource(host);
  const clicked = internal ? undefined : sourceOfLabel(clickOf(campaign.clickId).source ?? '');
  const [source, kind] = [
    labelled?.name ?? linked?.name ?? clicked?.name,
    labelled?.kind ?? linked?.kind ?? clicked?.kind,
  ];
  return { internal, ...(source !== undefined && { source }), ...(kind !== undefined && { kind }) };
}

/** The host of a web page, or the package of an Android app. */
export function referrerHost(referrer: string | undefined): string | undefined {
  const url = referrer === undefined ? null : URL.parse(referrer);
  if (url === null) return undefined;
  return url.protocol === 'android-app:' ? url.hostname || undefined : webHost(url);
}

const labelSource = (label: string): Partial<KnownSource> => sourceOfLabel(label) ?? { name: label };

function hostSource(host: string): Partial<KnownSource> {
  const name = tidyText(withoutWww(host), MAX_SOURCE_LENGTH);
  return sourceOfHost(host) ?? (name === undefined ? {} : { name });
}
