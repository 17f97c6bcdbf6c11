import type { SitePolicy } from '../privacy/policy.ts';
import { decideTier } from '../privacy/tier.ts';
import { minuteOf, momentOf } from './event-moment.ts';
import { firstOfEach } from './first-of-each.ts';
import { cleanUrl } from './page-address.ts';
import { refuseEvent } from './refuse-event.ts';
import type { ServerEvent } from './server-request.ts';
import { domainsOf, isSiteHost } from './site-host.ts';
import type { DropReason, StoredEvent, TrackMessage } from './track-message.ts';

export interface ServerReception {
  site: SitePolicy;
  /** Epoch milliseconds. A later event counts as of this moment. */
  receivedAt: number;
}

/** An event as it is stored, with its visitor if it has one. */
interface Kept {
  tier: 0 | 1 | 3;
  visitorId?: string;
  event: StoredEvent;
}

/**
 * Builds the messages of a server's events: one for each visitor, and one for all events without a visitor. They have no browser,
 * place or network, since those of the request are the server's own. Of two events with the same id the first counts.
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
  const { id, name, url, occurredAt, props, revenue, interactive } = input;
  const at =
    occurredAt === undefined ? momentOf(receivedAt, index) : Math.min(Date.parse(occurredAt), receivedAt);
  const drop = (reason: DropReason): Kept => ({
    tier: 0,
    event: refuseEvent({ id, reason, at }),
  });
  const page = url === undefined ? undefined : cleanUrl(url);
  if (url !== undefined && (page === undefined || !isSiteHost(page.hostname, domainsOf(site))))
    return drop('hostname');
  const { tier, visitorId } = identify(input, site.privacy);
  if (tier === 0) return drop('tier');
  const location = page && { hostname: page.hostname, path: page.path };
  const brought = {
    ...(props && { props }),
    ...(revenue && { revenue }),
    ...(interactive === false && { interactive }),
  };
  return {
    tier,
    ...(visitorId !== undefined && { visitorId }),
    event: {
      type: 'event',
      id,
      at: tier === 1 ? minuteOf(at) : at,
      ...location,
      entry: false,
      name,
      ...brought,
    },
  };
}

/**
 * The tier by the tracker's rules (docs/events.md#whom-it-is-about). The country is unknown, so `regional` asks everybody. Tier 2
 * needs the visitor's address, so an event below tier 3 has no visitor and is stored at tier 1.
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
