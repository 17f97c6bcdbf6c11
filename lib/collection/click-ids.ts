import type { Channel } from './channels.ts';
import type { SourceKind } from './known-sources.ts';

export interface Click {
  /** The name of the source that sets it. */
  source?: string;
  /** Kinds of source for which the click id proves a paid click; the first is the default. */
  paidFor?: readonly SourceKind[];
  /** The channel of a link that has it. */
  channel?: Channel;
}

const GOOGLE_ADS: Click = { source: 'Google', paidFor: ['search', 'shopping', 'video', 'display'] };
const MAILING: Click = { channel: 'Email' };
const AFFILIATE: Click = { channel: 'Affiliates' };

/**
 * Parameters that advertisers, mail systems and affiliate networks put into links; only their presence is read. Paid ones come
 * first, since the first that a URL has decides. `fbclid`, `igshid` and `epik` are on unpaid links too.
 */
export const CLICK_IDS = {
  gclid: GOOGLE_ADS,
  gbraid: GOOGLE_ADS,
  wbraid: GOOGLE_ADS,
  gad_source: GOOGLE_ADS,
  gad_campaignid: GOOGLE_ADS,
  dclid: { source: 'Google', channel: 'Display' },
  msclkid: { source: 'Bing', paidFor: ['search', 'shopping', 'display'] },
  yclid: { source: 'Yandex', paidFor: ['search', 'display'] },
  ttclid: { source: 'TikTok', paidFor: ['social'] },
  twclid: { source: 'X', paidFor: ['social'] },
  li_fat_id: { source: 'LinkedIn', paidFor: ['social'] },
  rdt_cid: { source: 'Reddit', paidFor: ['social'] },
  ScCid: { source: 'Snapchat', paidFor: ['social'] },
  qclid: { source: 'Quora', paidFor: ['social'] },
  tblci: { source: 'Taboola', channel: 'Display' },
  dicbo: { source: 'Outbrain', channel: 'Display' },
  irclickid: AFFILIATE,
  cjevent: AFFILIATE,
  awc: AFFILIATE,
  sscid: AFFILIATE,
  mc_cid: MAILING,
  mc_eid: MAILING,
  mkt_tok: MAILING,
  _hsenc: MAILING,
  _kx: MAILING,
  srsltid: { source: 'Google', channel: 'Organic shopping' },
  fbclid: { source: 'Facebook' },
  igshid: { source: 'Instagram' },
  igsh: { source: 'Instagram' },
  epik: { source: 'Pinterest' },
} as const satisfies Readonly<Record<string, Click>>;

export type ClickId = keyof typeof CLICK_IDS;

const RANK = new Map<string, number>(Object.keys(CLICK_IDS).map((id, rank) => [id, rank]));
const NAMES = Object.keys(CLICK_IDS) as ClickId[];

/** The first click id of the list that a query has. Values aren't read. */
export function findClickId(query: URLSearchParams): ClickId | undefined {
  let best = NAMES.length;
  for (const name of query.keys()) best = Math.min(best, RANK.get(name) ?? best);
  return NAMES[best];
}

export const clickOf = (id: ClickId | undefined): Click => (id === undefined ? {} : CLICK_IDS[id]);
