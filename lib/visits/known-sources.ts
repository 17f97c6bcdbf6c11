import { AI_ASSISTANTS } from './lists/ai-assistants.ts';
import * as other from './lists/other-sources.ts';
import { SEARCH_COUNTRY_BRANDS, SEARCH_ENGINES } from './lists/search-engines.ts';
import { SOCIAL_COUNTRY_BRANDS, SOCIAL_NETWORKS } from './lists/social-networks.ts';

/** What a source is; `site` is any other with a name. Channels are told by it. */
export type SourceKind = 'search' | 'ai' | 'social' | 'video' | 'shopping' | 'email' | 'display' | 'site';

export interface KnownSource {
  /** As people say it. */
  name: string;
  kind: SourceKind;
}

/** A host below a listed one bears its name too (`l.facebook.com`), the longest listed one first (`mail.google.com` is Gmail). */
const LISTS: readonly [SourceKind, Readonly<Record<string, string>>][] = [
  ['search', SEARCH_ENGINES],
  ['ai', AI_ASSISTANTS],
  ['social', SOCIAL_NETWORKS],
  ['video', other.VIDEO_PLATFORMS],
  ['shopping', other.SHOPS],
  ['email', other.MAIL_SERVICES],
  ['display', other.AD_NETWORKS],
  ['site', other.SITES],
];

const COUNTRY_BRANDS = { ...SEARCH_COUNTRY_BRANDS, ...SOCIAL_COUNTRY_BRANDS, ...other.SHOP_COUNTRY_BRANDS };
const COUNTRY_HOST = /(?:^|\.)([a-z]+)\.(?:com?\.)?[a-z]{2}$/;

/** What people write into `utm_source` and `ref` for a source that has a name. */
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

const byHost = new Map<string, KnownSource>();
const byName = new Map<string, KnownSource>();
for (const [kind, list] of LISTS) {
  for (const [name, hosts] of Object.entries(list)) {
    const source = { name, kind };
    byName.set(name.toLowerCase(), source);
    for (const host of hosts.split(' ')) byHost.set(host, source);
  }
}

const sourceOfName = (name: string | undefined): KnownSource | undefined =>
  name === undefined ? undefined : byName.get(name.toLowerCase());

const ownEntry = (record: Readonly<Record<string, string>>, key: string | undefined): string | undefined =>
  key !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;

/** The source that a host or an Android package belongs to, if it is a known one. */
export function sourceOfHost(host: string): KnownSource | undefined {
  for (let rest = host; rest.includes('.'); rest = rest.slice(rest.indexOf('.') + 1)) {
    const source = byHost.get(rest);
    if (source !== undefined) return source;
  }
  return sourceOfName(ownEntry(COUNTRY_BRANDS, COUNTRY_HOST.exec(host)?.[1]));
}

/** The source that a campaign parameter means: a name, a nickname or a host. */
export function sourceOfLabel(label: string): KnownSource | undefined {
  const plain = label.toLowerCase();
  return sourceOfName(ownEntry(ALIASES, plain) ?? plain) ?? sourceOfHost(plain);
}
