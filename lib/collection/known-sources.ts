import { AI_ASSISTANTS } from './lists/ai-assistants.ts';
import * as other from './lists/other-sources.ts';
import { PUBLIC_LISTS } from './lists/public.generated.ts';
import type { PublicLists } from './lists/public-lists.ts';
import { SEARCH_COUNTRY_BRANDS, SEARCH_ENGINES } from './lists/search-engines.ts';
import { SOCIAL_COUNTRY_BRANDS, SOCIAL_NETWORKS } from './lists/social-networks.ts';

/** The kind of a source, which decides its channel. `site`: any other source that has a name. */
export type SourceKind = 'search' | 'ai' | 'social' | 'video' | 'shopping' | 'email' | 'display' | 'site';

export interface KnownSource {
  /** The name that reports show. */
  name: string;
  kind: SourceKind;
}

const OUR_LISTS: readonly [SourceKind, Readonly<Record<string, string>>][] = [
  ['search', SEARCH_ENGINES],
  ['ai', AI_ASSISTANTS],
  ['social', SOCIAL_NETWORKS],
  ['video', other.VIDEO_PLATFORMS],
  ['shopping', other.SHOPS],
  ['email', other.MAIL_SERVICES],
  ['display', other.AD_NETWORKS],
  ['site', other.SITES],
];

const OUR_COUNTRY_BRANDS = {
  ...SEARCH_COUNTRY_BRANDS,
  ...SOCIAL_COUNTRY_BRANDS,
  ...other.SHOP_COUNTRY_BRANDS,
};
const COUNTRY_HOST = /(?:^|\.)([a-z]+)\.(?:com?\.)?[a-z]{2}$/;

/** Nicknames of sources, as people write them into `utm_source` and `ref`. */
const ALIASES: Readonly<Record<string, string>> = {
  adwords: 'Google',
  'google-ads': 'Google',
  google_ads: 'Google',
  googleads: 'Google',
  msn: 'MSN',
  fb: 'Facebook',
  meta: 'Facebook',
  ig: 'Instagram',
  insta: 'Instagram',
  twitter: 'X',
  tw: 'X',
  li: 'LinkedIn',
  yt: 'YouTube',
  hn: 'Hacker News',
  hackernews: 'Hacker News',
  'hacker-news': 'Hacker News',
  producthunt: 'Product Hunt',
  'product-hunt': 'Product Hunt',
  openai: 'ChatGPT',
  copilot: 'Microsoft Copilot',
  anthropic: 'Claude',
  wa: 'WhatsApp',
  tg: 'Telegram',
  bsky: 'Bluesky',
};

/** Sources by their names and hosts. A map for each list of hosts, so that a look-up costs the same whatever their number. */
export interface Naming {
  /** The source that a host or an Android package belongs to, if it is a known one. */
  ofHost(host: string): KnownSource | undefined;
  /** The source that a campaign parameter means: a name, a nickname or a host. */
  ofLabel(label: string): KnownSource | undefined;
}

/**
 * Names sources by our lists, then by public ones. A host below a listed one has its name too (`l.facebook.com`); the longest listed
 * host wins (`mail.google.com` is Gmail). If both lists have a host or a name, ours decides.
 */
export function createNaming(lists?: PublicLists): Naming {
  const byName = new Map<string, KnownSource>();
  const ours = new Map<string, KnownSource>();
  const others = new Map<string, KnownSource>();
  for (const [kind, list] of OUR_LISTS) addHosts(ours, byName, kind, list);
  for (const kind of ['search', 'social', 'ai'] as const) addHosts(others, byName, kind, lists?.[kind] ?? {});
  const ofName = (name: string | undefined) =>
    name === undefined ? undefined : byName.get(name.toLowerCase());
  for (const name of Object.values(lists?.countryBrands ?? {})) {
    const key = name.toLowerCase();
    if (!byName.has(key)) byName.set(key, { name, kind: 'search' });
  }

  const ofHost = (host: string): KnownSource | undefined => {
    const brand = COUNTRY_HOST.exec(host)?.[1];
    return (
      findAbove(ours, host) ??
      ofName(ownEntry(OUR_COUNTRY_BRANDS, brand)) ??
      findAbove(others, host) ??
      ofName(ownEntry(lists?.countryBrands ?? {}, brand))
    );
  };
  const ofLabel = (label: string): KnownSource | undefined => {
    const plain = label.toLowerCase();
    return ofName(ownEntry(ALIASES, plain) ?? plain) ?? ofHost(plain);
  };
  return { ofHost, ofLabel };
}

/** Adds a list to the map of hosts. A name keeps the kind with which it came first. */
function addHosts(
  byHost: Map<string, KnownSource>,
  byName: Map<string, KnownSource>,
  kind: SourceKind,
  list: Readonly<Record<string, string>>,
): void {
  for (const [name, hosts] of Object.entries(list)) {
    const source = byName.get(name.toLowerCase()) ?? { name, kind };
    byName.set(name.toLowerCase(), source);
    for (const host of hosts.split(' ')) byHost.set(host, source);
  }
}

/** The entry of a host, or of the nearest host above it that has one. */
function findAbove(byHost: ReadonlyMap<string, KnownSource>, host: string): KnownSource | undefined {
  for (let rest = host; rest.includes('.'); rest = rest.slice(rest.indexOf('.') + 1)) {
    const source = byHost.get(rest);
    if (source !== undefined) return source;
  }
  return undefined;
}

const ownEntry = (record: Readonly<Record<string, string>>, key: string | undefined): string | undefined =>
  key !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;

export const { ofHost: sourceOfHost, ofLabel: sourceOfLabel } = createNaming(PUBLIC_LISTS);
