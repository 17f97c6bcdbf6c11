import type { SitePolicy } from '../privacy/policy.ts';
import { decideTier } from '../privacy/tier.ts';
import { minuteOf, momentOf } from './event-moment.ts';
import { firstOfEach } from './first-of-each.ts';
import { cleanUrl } from './page-address.ts';
import type { ServerEvent } from './server-request.ts';
import { isSiteHost } from './site-host.ts';
import type { DropReason, StoredEvent, TrackMessage } from './track-message.ts';

export interface ServerReception {
  site: SitePolicy;
  /** Epoch milliseconds; no event is taken for later. */
  receivedAt: number;
}

/** An event as it is kept, and of whom: of nobody without a visitor. */
interface Kept {
  tier: 0 | 1 | 3;
  visitorId?: string;
  event: StoredEvent;
}

/**
 * Builds what is queued of a server's events: a message for each visitor, and one for all that is nobody's. They say nothing of a
 * browser, a place or a network: those of the request are the server's own. An id that comes twice counts once, as it came
 * first.
 */
export function buildServerMessages(
  events: readonly ServerEvent[],
  reception: ServerReception,
): TrackMessage[] {
  const kept = firstOfEach(events).map((event, index) => keep(event, index, reception));
  return [...Map.groupBy(kept, ({ visitorId }) => visitorId)].map(([visitorId, ofVisitor]) => ({
    version: 1,
    siteId: reception.site.siteId,
    tier: ofVisitor.find(({ tier }) => tier > 0)?.tier ?? 0,
    ...(visitorId !== undefined && { visitorId }),
    continued: false,
    events: ofVisitor.map(({ event }) => event),
  }));
}

function keep(input: ServerEvent, index: number, { site, receivedAt }: ServerReception): Kept {
  const { id, name, url, occurredAt, props, revenue } = input;
  const at =
    occurredAt === undefined ? momentOf(receivedAt, index) : Math.min(Date.parse(occurredAt), receivedAt);
  const drop = (reason: DropReason): Kept => ({
    tier: 0,
    event: { type: 'dropped', id, at: minuteOf(at), reason },
  });
  const page = url === undefined ? undefined : cleanUrl(url);
  if (url !== undefined && (page === undefined || !isSiteHost(page.hostname, site.domain)))
    return drop('hostname');
  const { tier, visitorId } = identify(input, site.privacy);
  if (tier === 0) return drop('tier');
  const place = page && { hostname: page.hostname, path: page.path };
  const brought = { ...(props && { props }), ...(revenue && { revenue }) };
  return {
    tier,
    ...(visitorId !== undefined && { visitorId }),
    event: {
      type: 'event',
      id,
      at: tier === 1 ? minuteOf(at) : at,
      ...place,
      entry: false,
      name,
      ...brought,
    },
  };
}

/**
 * The tier by the tracker's own rules (docs/events.md#whom-it-is-about), with what a server can't show left unknown: a visitor of no country is
 * asked wherever anybody is. Tier 2 needs the visitor's address, so below 3 an event is nobody's, at tier 1.
 */
function identify(
  { consent, visitorId }: ServerEvent,
  policy: SitePolicy['privacy'],
): Pick<Kept, 'tier' | 'visitorId'> {
  const { maxTier } = decideTier({ policy, consent, gpc: false, dnt: false, country: undefined });
  if (maxTier === 0) return { tier: 0 };
  if (maxTier < 3 || visitorId === undefined) return { tier: 1 };
  return { tier: 3, visitorId: visitorId.toLowerCase() };
}
