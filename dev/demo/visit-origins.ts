/** Where the visits of the demo site come from: links and referrers, parsed as `track` parses them. */
import { findArrival } from '../../lib/collection/find-arrival.ts';
import { channelOf } from '../../lib/collection/find-channel.ts';
import { cleanUrl } from '../../lib/collection/page-address.ts';
import type { Described, StoredEvent } from '../../lib/collection/track-message.ts';
import type { FieldOf } from '../../lib/visits/dimensions.ts';

type Weighted<T> = readonly (readonly [T, number])[];

export type Origin = Pick<Extract<StoredEvent, { type: 'pageview' }>, Exclude<FieldOf<'origin'>, 'hostname'>>;

/** The stored arrival for a `referrer` and a link with `query`. */
function from(referrer: string, query = ''): Origin {
  const { campaign = {} } = cleanUrl(`http://localhost/demo?${query}`) ?? {};
  const arrival = findArrival(referrer, campaign, ['localhost']);
  const { utmSource, utmMedium, utmCampaign, utmTerm, utmContent } = campaign;
  const channel = channelOf(arrival, campaign);
  const origin: Described<Origin> = {
    ...{ source: arrival.source, channel, utmSource, utmMedium, utmCampaign, utmTerm, utmContent },
  };
  return Object.fromEntries(Object.entries(origin).filter(([, value]) => value !== undefined));
}

const ADVERTISEMENT = 'utm_source=google&utm_medium=cpc&utm_campaign=strings-autumn&gclid=1';

export const ORIGINS: Weighted<Origin> = [
  [from(''), 30],
  [from('https://www.google.com/'), 28],
  [from('https://www.google.com/', `${ADVERTISEMENT}&utm_term=guitar+strings&utm_content=blue`), 4],
  [from('https://www.google.com/', `${ADVERTISEMENT}&utm_term=nylon+strings&utm_content=red`), 3],
  [from('https://www.reddit.com/'), 6],
  [from('https://www.youtube.com/'), 5],
  [from('https://chatgpt.com/', 'utm_source=chatgpt.com'), 4],
  [from('https://claude.ai/'), 2],
  [from('https://www.perplexity.ai/'), 2],
  [from('https://www.bing.com/'), 4],
  [from('https://duckduckgo.com/'), 4],
  [from('https://l.instagram.com/', 'igsh=1'), 2],
  [from('', 'utm_source=instagram&utm_medium=paid_social&utm_campaign=strings-autumn&utm_content=reel'), 2],
  [from('https://en.wikipedia.org/'), 2],
  [from('https://luthiers-forum.example/'), 2],
  [from('', 'utm_source=chordbook&utm_medium=affiliate&utm_campaign=partners'), 1],
];

/** The newsletter goes out on Tuesdays. */
export const NEWSLETTER = from('', 'utm_source=newsletter&utm_medium=email&utm_campaign=string-theory');

/** Everybody comes from one source on this day, once a month. */
export const BURST = from('https://news.ycombinator.com/');
