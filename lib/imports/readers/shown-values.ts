/** Converts values of other tools to the values of our reports, so that imported and own values are equal. Undefined: no value. */
import type { Channel } from '../../collection/channels.ts';
import { channelOf } from '../../collection/find-channel.ts';
import { sourceOfHost, sourceOfLabel } from '../../collection/known-sources.ts';
import type { Campaign } from '../../collection/page-address.ts';

const DIRECT = /^(?:direct|none|direct \/ none|\(direct\)|\(none\)|\(direct\) \/ \(none\))$/i;

export const shownSource = (label: string | undefined): string | undefined =>
  label === undefined || DIRECT.test(label) ? undefined : (sourceOfLabel(label)?.name ?? label);

interface KnownArrival {
  source: string | undefined;
  /** The referrer's host, or an address without a scheme. */
  referrer?: string | undefined;
  utmSource?: string | undefined;
  utmMedium?: string | undefined;
  utmCampaign?: string | undefined;
}

/** The channel, by the rules of docs/counting.md. */
export function channelOfSource({ source, referrer, ...utm }: KnownArrival): Channel {
  const campaign = Object.fromEntries(
    Object.entries(utm).filter(([, value]) => value !== undefined),
  ) as Campaign;
  const known = sourceOfLabel(source ?? '') ?? sourceOfHost(referrer?.split('/')[0]?.toLowerCase() ?? '');
  const arrival = {
    internal: false,
    ...(source !== undefined && { source }),
    ...(known !== undefined && { kind: known.kind }),
  };
  return channelOf(arrival, campaign) ?? 'Direct';
}

const DEVICES: Readonly<Record<string, string>> = {
  desktop: 'desktop',
  laptop: 'desktop',
  ultrawide: 'desktop',
  mobile: 'mobile',
  tablet: 'tablet',
  tv: 'tv',
  'smart tv': 'tv',
  smarttv: 'tv',
};

/** A device as in `TrackMessage.device`. */
export const shownDevice = (label: string | undefined): string =>
  label === undefined || isUnset(label) ? 'Unknown' : (own(DEVICES, label.toLowerCase()) ?? 'other');

/** By the names of Plausible, GA4, and Umami's `detect-browser`; other names stay unchanged. */
const BROWSERS: Readonly<Record<string, string>> = {
  chrome: 'Chrome',
  crios: 'Chrome',
  'chrome mobile': 'Chrome',
  'chromium-webview': 'Chrome',
  'android webview': 'Chrome',
  firefox: 'Firefox',
  fxios: 'Firefox',
  'mobile firefox': 'Firefox',
  safari: 'Safari',
  'mobile safari': 'Safari',
  ios: 'Safari',
  'ios-webview': 'Safari',
  'safari (in-app)': 'Safari',
  edge: 'Edge',
  'microsoft edge': 'Edge',
  'edge-chromium': 'Edge',
  'edge-ios': 'Edge',
  samsung: 'Samsung Internet',
  'samsung browser': 'Samsung Internet',
  'samsung internet': 'Samsung Internet',
  opera: 'Opera',
  'opera mobile': 'Opera',
  'opera-mini': 'Opera Mini',
  'opera mini': 'Opera Mini',
  yandexbrowser: 'Yandex',
  'yandex browser': 'Yandex',
  yabrowser: 'Yandex',
  'uc browser': 'UC',
  'duckduckgo privacy browser': 'DuckDuckGo',
  silk: 'Amazon Silk',
  'amazon silk': 'Amazon Silk',
  miui: 'Miui',
  ie: 'Internet Explorer',
  'internet explorer': 'Internet Explorer',
  brave: 'Brave',
  vivaldi: 'Vivaldi',
};

export const shownBrowser = (label: string | undefined): string =>
  label === undefined || isUnset(label) ? 'Unknown' : (own(BROWSERS, label.toLowerCase()) ?? label);

/** ISO 3166-2, also from the part after the country alone. A region's name isn't accepted. */
export function shownRegion(label: string | undefined, country: string | undefined): string | undefined {
  if (label === undefined || country === undefined) return undefined;
  const region = /^[A-Z\d]{1,3}$/.test(label) ? `${country}-${label}` : label;
  return /^[A-Z]{2}-[A-Z\d]{1,3}$/.test(region) && region.startsWith(`${country}-`) ? region : undefined;
}

/** Texts by which tools mark unknown values. */
export const isUnset = (label: string): boolean =>
  /^(?:\(not set\)|\(not provided\)|\(other\)|unknown)$/i.test(label);

const own = (record: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;
