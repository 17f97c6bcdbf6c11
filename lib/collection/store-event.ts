import type { Tier } from '../privacy/tier.ts';
import type { FieldOf } from '../visits/dimensions.ts';
import { minuteOf, momentOf } from './event-moment.ts';
import { findArrival } from './find-arrival.ts';
import { channelOf } from './find-channel.ts';
import { cleanUrl, type PageAddress } from './page-address.ts';
import { refuseEvent } from './refuse-event.ts';
import { isSiteHost } from './site-host.ts';
import { tidyText } from './tidy-text.ts';
import type { Described, DropReason, StoredEvent } from './track-message.ts';
import type { TrackEvent } from './track-request.ts';

const MAX_TITLE_LENGTH = 256;

/** The lowest tier that may hold each type (docs/tracker-protocol.md#events). */
const LOWEST_TIER: Record<TrackEvent['type'], Tier> = {
  pageview: 1,
  event: 1,
  engagement: 3,
  vitals: 3,
  association: 3,
  consent: 3,
};

export interface Reception {
  /** All domains of the site. */
  domains: readonly string[];
  tier: Tier;
  /** Why the whole request is refused, if it is. */
  refusal: DropReason | undefined;
  /** Epoch milliseconds. */
  receivedAt: number;
  /** The event's index in its request. */
  index: number;
  /** Of a custom event at tier 1: what stands for its page (page-digests.ts). */
  pageDigest?: string | undefined;
}

type OnPage = Extract<TrackEvent, { url: string }>;
type Follower = Exclude<TrackEvent, OnPage>;

/** Cuts an event to what the tier may hold, or makes it a `dropped` event with the reason. */
export function storeEvent(input: TrackEvent, reception: Reception): StoredEvent {
  if (reception.refusal !== undefined) return drop(input, reception, reception.refusal);
  return 'url' in input ? storeOnPage(input, reception) : storeFollower(input, reception);
}

function storeOnPage(input: OnPage, reception: Reception): StoredEvent {
  const page = cleanUrl(input.url);
  if (page === undefined || !isSiteHost(page.hostname, reception.domains))
    return drop(input, reception, 'hostname');
  if (reception.tier < LOWEST_TIER[input.type]) return drop(input, reception, 'tier');
  return keepOnPage(input, page, reception);
}

function keepOnPage(
  input: OnPage,
  page: PageAddress,
  { domains, tier, receivedAt, index, pageDigest }: Reception,
): StoredEvent {
  const { hostname, path } = page;
  if (input.type === 'consent') {
    const { url: _, ...consent } = input;
    return {
      ...consent,
      hostname,
      path,
      at: momentOf(receivedAt, index),
      pageId: input.pageId.toLowerCase(),
    };
  }
  if (input.type === 'vitals') {
    const { url: _, ...vitals } = input;
    return { ...vitals, hostname, path, at: momentOf(receivedAt, index), pageId: input.pageId.toLowerCase() };
  }
  const common = {
    id: input.id,
    at: tier === 1 ? minuteOf(receivedAt) : momentOf(receivedAt, index),
    hostname,
    path,
    pageId: tier === 1 ? undefined : input.pageId?.toLowerCase(),
    props: input.props,
  };
  if (input.type === 'event') {
    const { name, revenue, interactive } = input;
    const pageId = tier === 1 ? pageDigest : common.pageId;
    return { type: 'event', ...common, pageId, name, revenue, ...(interactive === false && { interactive }) };
  }
  const title = tier === 1 ? undefined : tidyText(input.title, MAX_TITLE_LENGTH);
  return { type: 'pageview', ...common, ...originOf(input.referrer, page, domains), title };
}

type PageView = Extract<StoredEvent, { type: 'pageview' }>;
/** Every field that says where a page view came from. The host is part of its address. */
type Origin = Pick<Described<PageView>, Exclude<FieldOf<'origin'>, 'hostname'>> & Pick<PageView, 'entry'>;

function originOf(
  referrer: string | undefined,
  { campaign }: PageAddress,
  domains: readonly string[],
): Origin {
  const { utmSource, utmMedium, utmCampaign, utmTerm, utmContent } = campaign;
  const arrival = findArrival(referrer, campaign, domains);
  const channel = channelOf(arrival, campaign);
  const { source, internal } = arrival;
  return { source, channel, utmSource, utmMedium, utmCampaign, utmTerm, utmContent, entry: !internal };
}

function storeFollower(input: Follower, reception: Reception): StoredEvent {
  if (reception.tier < LOWEST_TIER[input.type]) return drop(input, reception, 'tier');
  return {
    ...input,
    pageId: input.pageId.toLowerCase(),
    at: momentOf(reception.receivedAt, reception.index),
  };
}

const drop = ({ id }: TrackEvent, { receivedAt }: Reception, reason: DropReason): StoredEvent =>
  refuseEvent({ id, reason, at: receivedAt });
