import type { Tier } from '../privacy/tier.ts';
import type { Device } from '../user-agents/device.ts';
import type { FieldOf } from '../visits/dimensions.ts';
import { describePlace, type EdgePlace } from './describe-place.ts';
import { firstOfEach } from './first-of-each.ts';
import { languageTag } from './language-tag.ts';
import { refuseEvent } from './refuse-event.ts';
import { storeEvent } from './store-event.ts';
import type { Described, DropReason, TrackMessage } from './track-message.ts';
import type { TrackEvent, TrackRequest } from './track-request.ts';

export interface Collected {
  request: TrackRequest;
  /** Ids of further events that break a rule. */
  invalid?: readonly string[];
  /** All domains of the site. */
  domains: readonly string[];
  /** What the server decided, not what the request says. */
  tier: Tier;
  /** Why the whole request is refused, if it is. */
  refusal?: DropReason | undefined;
  /** The moment of receipt, epoch milliseconds. */
  receivedAt: number;
  device: Device;
  /** Tier 1: what `digestPages` gives. */
  pageDigests?: ReadonlyMap<string, string>;
  /** Tier 2: the day's hash. Tier 3: the tracker's own id. Absent below. */
  visitorId?: string | undefined;
  place?: EdgePlace;
}

/**
 * Builds the message of a request, cut to what its tier may hold (docs/privacy.md#what-is-stored-at-each-tier). Refused events
 * stay as `dropped` with their reason, for the owner's count. Of two events with the same id the first counts.
 */
export function buildMessage(collected: Collected): TrackMessage {
  const { request, invalid = [], domains, tier, refusal, receivedAt, pageDigests } = collected;
  const events = [
    ...consentFirst(firstOfEach(request.events)).map((event, index) =>
      storeEvent(event, {
        domains,
        tier,
        refusal,
        receivedAt,
        index,
        pageDigest: pageDigests?.get(event.id),
      }),
    ),
    ...invalid.map((id) => refuseEvent({ id, reason: refusal ?? 'invalid', at: receivedAt })),
  ];
  const nothingKept = events.every((event) => event.type === 'dropped');
  return {
    version: 1,
    siteId: request.site,
    tier: nothingKept ? 0 : tier,
    continued: tier === 3 && !nothingKept && request.continued === true,
    ...(nothingKept ? {} : describeVisitor(collected)),
    events,
  };
}

/** The tracker knows of consent after the page did, and what the page did then may stand before it. */
const consentFirst = (events: readonly TrackEvent[]): TrackEvent[] =>
  events.toSorted((a, b) => Number(b.type === 'consent') - Number(a.type === 'consent'));

/** The visitor's part of a message: country, device and browser at tier 1, more from tier 2 on. */
function describeVisitor(collected: Collected): Partial<TrackMessage> {
  const { tier, visitorId, place = {}, device, request } = collected;
  const page = request.events.find((event) => event.type === 'pageview');
  // Has every field, so that a new dimension doesn't compile until it is here.
  const profile: Pick<Described, FieldOf<'profile'>> = {
    device: device.device,
    browser: device.browser,
    language: tier >= 2 ? languageTag(page?.language) : undefined,
    os: tier === 3 ? device.os : undefined,
  };
  const description = { ...describePlace(place, tier), ...profile };
  return tier < 2
    ? description
    : { ...description, visitorId: visitorId?.toLowerCase(), screen: page?.screen };
}
