import type { Channel } from './channels.ts';
import { clickOf } from './click-ids.ts';
import type { Arrival } from './find-arrival.ts';
import type { SourceKind } from './known-sources.ts';
import type { Campaign } from './page-address.ts';

const PAID: Partial<Record<SourceKind, Channel>> = {
  search: 'Paid search',
  social: 'Paid social',
  video: 'Paid video',
  shopping: 'Paid shopping',
};
const UNPAID: Partial<Record<SourceKind, Channel>> = {
  search: 'Organic search',
  social: 'Organic social',
  video: 'Organic video',
  shopping: 'Organic shopping',
  email: 'Email',
};

/** Words of `utm_medium`, or else of `utm_source`: those of GA4 and of mail systems. */
const WORDS: readonly [RegExp, Channel][] = [
  [/^(?:e[-_ ]?)?mail(?:ing)?$|^newsletter$/, 'Email'],
  [/^affiliates?$/, 'Affiliates'],
  [/^(?:audio|podcast)$/, 'Audio'],
  [/^sms$/, 'SMS'],
  [/push$|notification|^firebase$/, 'Push'],
];
const MEDIA: readonly [RegExp, Channel][] = [
  ...WORDS,
  [/^social(?:[-_ ]?(?:network|media))?$|^sm$/, 'Organic social'],
  [/video/, 'Organic video'],
];
const PAID_MEDIUM = /(?:^|[^a-z])cp[aceilmpv](?:$|[^a-z])|^(?:ppc|retargeting|remarketing|paid.*)$/;
const DISPLAY_MEDIUM = /^(?:display|banner|expandable|interstitial|cpm)$/;
const AI_MEDIUM = /^ai(?:[-_ ]?assistants?)?$/;
/** GA4's pattern, which doesn't match `workshop`. */
const SHOPPING_CAMPAIGN = /(?:[^a-df-z]|^)shop|shopping/;

/**
 * The channel of an arrival (docs/counting.md#channels): GA4's default channel grouping
 * (https://support.google.com/analytics/answer/9756891), with AI assistants as a channel and click ids as proof of payment. What the
 * link says comes before what is known of the source. Absent for a step within the site.
 */
export function channelOf(arrival: Arrival, campaign: Campaign): Channel | undefined {
  const { utmSource, utmMedium, utmCampaign, source, ref } = campaign;
  const isTagged = [utmSource, utmMedium, utmCampaign].some((value) => value !== undefined);
  if (arrival.internal && !isTagged && (source ?? ref) === undefined) return undefined;
  const click = arrival.internal ? {} : clickOf(campaign.clickId);
  const medium = utmMedium?.toLowerCase() ?? '';
  const kind = arrival.kind ?? kindOfMedium(medium) ?? click.paidFor?.[0];

  if (kind === 'ai' || AI_MEDIUM.test(medium)) return 'AI assistants';
  const isPaid = PAID_MEDIUM.test(medium) || (kind !== undefined && click.paidFor?.includes(kind) === true);
  const isShopping = isShop(kind, utmCampaign);
  const paid = isShopping ? 'Paid shopping' : kind && PAID[kind];
  if (isPaid && paid !== undefined) return paid;
  if (DISPLAY_MEDIUM.test(medium) || kind === 'display') return 'Display';
  if (isPaid) return 'Campaign';
  return (
    matchRule(MEDIA, medium) ??
    matchRule(WORDS, (utmSource ?? source ?? ref)?.toLowerCase()) ??
    click.channel ??
    (isShopping ? 'Organic shopping' : kind && UNPAID[kind]) ??
    (medium === 'organic' ? 'Organic search' : channelWithoutRule(arrival, medium, isTagged))
  );
}

/** `paid_social` names the kind, for a source whose kind isn't known. */
function kindOfMedium(medium: string): SourceKind | undefined {
  const what = /^paid[-_ ]?(search|social|video|shopping)/.exec(medium)?.[1];
  return what as SourceKind | undefined;
}

const isShop = (kind: SourceKind | undefined, campaign: string | undefined): boolean =>
  kind === 'shopping' ||
  ((kind === undefined || kind === 'search') && SHOPPING_CAMPAIGN.test(campaign?.toLowerCase() ?? ''));

const matchRule = (rules: readonly [RegExp, Channel][], word: string | undefined): Channel | undefined =>
  word === undefined ? undefined : rules.find(([rule]) => rule.test(word))?.[1];

function channelWithoutRule({ source, kind }: Arrival, medium: string, isTagged: boolean): Channel {
  if (/^(?:referral|app|link)$/.test(medium) || (kind !== undefined && medium === '')) return 'Referral';
  if (isTagged) return 'Campaign';
  return source === undefined ? 'Direct' : 'Referral';
}
