/**
 * The visitors of the site for the reports benchmark, their origins and their pages. The first entry of each list is the most frequent;
 * rank r has about 1/r of its frequency (`bench.rank`).
 */

/** Number of paths `/articles/<rank>`. */
export const PAGES = 3000;
/** Shares of visits, and so of their page views and custom events. All others are at tier 3. */
export const TIER_1 = 0.4;
export const TIER_2 = 0.25;
/** Page views of a visit, all numbers equally likely: 3 on average. */
export const PAGES_A_VISIT = [1, 1, 2, 2, 2, 3, 3, 4, 5, 7];
/** Share of visits that end with a custom event: 3 per 100 page views. */
export const ACTS = 0.09;
export const EVENTS_A_VISIT = PAGES_A_VISIT.reduce((sum, pages) => sum + pages) / PAGES_A_VISIT.length + ACTS;
/** Share of visits by visitors who may have visited on the same day or in the `MAX_GAP_DAYS` before, more likely recently. */
export const RETURNS = 0.6;
export const MAX_GAP_DAYS = 90;
/** Share of visits at tier 3 that continue a visit from before consent. */
export const CONTINUED = 0.03;
/** Share of visits to `shop.<domain>`. */
export const SHOP = 0.1;
/** Refused events, such as those of bots, per day and million stored events. */
export const REFUSED = { bot: 900, datacenter: 120, spam: 30 };

const machine = (device: string, browser: string, os: string, screen: string) => ({
  device,
  browser,
  os,
  screen,
});
export const MACHINES = [
  machine('mobile', 'Safari', 'iOS', '390x844'),
  machine('desktop', 'Chrome', 'Windows', '1920x1080'),
  machine('mobile', 'Chrome', 'Android', '412x915'),
  machine('desktop', 'Safari', 'macOS', '1440x900'),
  machine('desktop', 'Edge', 'Windows', '1536x864'),
  machine('mobile', 'Samsung Internet', 'Android', '360x780'),
  machine('desktop', 'Chrome', 'macOS', '1728x1117'),
  machine('tablet', 'Safari', 'iOS', '820x1180'),
  machine('desktop', 'Firefox', 'Windows', '1920x1080'),
  machine('desktop', 'Firefox', 'Linux', '1920x1080'),
  machine('mobile', 'Firefox', 'Android', '412x892'),
  machine('tv', 'Chrome', 'Android', '1920x1080'),
];

/** Countries with a language each. A country has `REGIONS_A_COUNTRY` regions with as many cities each. */
export const REGIONS_A_COUNTRY = 3;
export const COUNTRIES = [
  ...[
    'US en-US',
    'DE de-DE',
    'GB en-GB',
    'FR fr-FR',
    'ES es-ES',
    'PT pt-PT',
    'BR pt-BR',
    'NL nl-NL',
    'IN en-IN',
  ],
  ...[
    'IT it-IT',
    'PL pl-PL',
    'CA en-CA',
    'AU en-AU',
    'JP ja-JP',
    'SE sv-SE',
    'CH de-CH',
    'AT de-AT',
    'BE fr-BE',
  ],
  ...[
    'DK da-DK',
    'NO nb-NO',
    'FI fi-FI',
    'IE en-IE',
    'CZ cs-CZ',
    'MX es-MX',
    'AR es-AR',
    'KR ko-KR',
    'TR tr-TR',
  ],
  ...['GR el-GR', 'RO ro-RO', 'ZA en-ZA'],
].map((pair) => {
  const [country = '', language = ''] = pair.split(' ');
  return { country, language };
});

interface Origin {
  source?: string;
  channel?: string;
  utmSource?: string;
  utmMedium?: string;
  utmCampaign?: string;
}

const search = (source: string): Origin => ({ source, channel: 'Organic search' });
const social = (source: string): Origin => ({ source, channel: 'Organic social' });
const assistant = (source: string): Origin => ({ source, channel: 'AI assistants' });
const referral = (source: string): Origin => ({ source, channel: 'Referral' });
const campaign = (source: string, channel: string, utmMedium: string, utmCampaign: string): Origin => ({
  source,
  channel,
  utmSource: source.toLowerCase(),
  utmMedium,
  utmCampaign,
});
/** Origins of visits; the first is direct. */
export const ORIGINS: readonly Origin[] = [
  {},
  search('Google'),
  campaign('Google', 'Paid search', 'cpc', 'autumn'),
  search('Bing'),
  social('Reddit'),
  assistant('ChatGPT'),
  social('Facebook'),
  campaign('Newsletter', 'Email', 'email', 'weekly'),
  search('DuckDuckGo'),
  referral('Hacker News'),
  { source: 'YouTube', channel: 'Organic video' },
  campaign('Facebook', 'Paid social', 'paid', 'winter'),
  social('LinkedIn'),
  referral('GitHub'),
  social('Instagram'),
  assistant('Perplexity'),
  search('Yahoo!'),
  campaign('Newsletter', 'Email', 'email', 'launch'),
  search('Ecosia'),
  referral('Wikipedia'),
  assistant('Claude'),
  social('Mastodon'),
  search('Yandex'),
  campaign('LinkedIn', 'Paid social', 'paid', 'jobs'),
  social('Pinterest'),
  search('Baidu'),
  ...Array.from({ length: 8 }, (_, n) => referral(`blog-${n + 1}.example`)),
];

interface Act {
  name: string;
  /** The number of values of a property. */
  prop?: string;
  kinds?: number;
  paid?: true;
}
/** Custom events. */
export const ACTS_BY_RANK: readonly Act[] = [
  { name: 'signup' },
  { name: 'outbound', prop: 'url', kinds: 40 },
  { name: 'purchase', prop: 'plan', kinds: 3, paid: true },
  { name: 'download', prop: 'file', kinds: 12 },
  { name: 'contact' },
  { name: 'share', prop: 'network', kinds: 5 },
  { name: 'upgrade', prop: 'plan', kinds: 3, paid: true },
  { name: 'video' },
];
