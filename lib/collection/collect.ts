import { unavailable } from '../errors.ts';
import type { SitePolicy } from '../privacy/policy.ts';
import type { TierAnswer } from '../privacy/tier.ts';
import { buildMessage } from './build-message.ts';
import type { EdgePlace } from './describe-place.ts';
import { findRefusal } from './find-refusal.ts';
import { type IdentityPorts, identify } from './identify-visitor.ts';
import type { Agent } from './read-agent.ts';
import type { TrackMessage } from './track-message.ts';
import type { TrackRequest } from './track-request.ts';

export interface CollectPorts extends IdentityPorts {
  /** Hands a message to whoever folds it; settled means durable. */
  deliver: (message: TrackMessage) => Promise<unknown>;
  /** The present instant, epoch milliseconds. */
  now: () => number;
  /** What a request's user agent and client hints tell. */
  readAgent: (headers: Headers) => Agent;
  /** Numbers of networks that count as people's although servers are rented out there. */
  networkExceptions: ReadonlySet<number>;
}

export interface Reception {
  request: TrackRequest;
  site: SitePolicy;
  answer: TierAnswer;
  headers: Headers;
  /** Empty when the edge doesn't tell. */
  address: string;
  place: EdgePlace;
  /** The number of the network (AS) that the request came from, as the edge names it. */
  network: number | undefined;
}

/** How many of a request's events were kept and refused; an id that came twice is counted once. */
export interface Receipt {
  accepted: number;
  dropped: number;
}

/**
 * Takes a tracking request in: identity and device are made here, and nothing that leaves it holds the address or the user
 * agent. Throws `UNAVAILABLE` when it can be neither folded nor queued: sent again, nothing counts twice.
 */
export async function collect(ports: CollectPorts, reception: Reception): Promise<Receipt> {
  const { request, site, answer, headers, address, place, network } = reception;
  const receivedAt = ports.now();
  const userAgent = headers.get('User-Agent') ?? '';
  const { robot, device } = ports.readAgent(headers);
  const refusal = findRefusal({ robot, headers, network, request }, ports.networkExceptions);
  const claim = { siteId: site.siteId, visitorId: request.visitorId, address, userAgent, receivedAt };
  const identity = await identify(ports, { ...claim, maxTier: refusal === undefined ? answer.maxTier : 0 });
  const message = buildMessage({
    request,
    domain: site.domain,
    ...identity,
    refusal,
    receivedAt,
    device,
    place,
  });
  await ports.deliver(message).catch((cause: unknown) => Promise.reject(unavailable(cause)));
  const dropped = message.events.filter((event) => event.type === 'dropped').length;
  return { accepted: message.events.length - dropped, dropped };
}
