import { maybeStored } from '../errors.ts';
import type { SitePolicy } from '../privacy/policy.ts';
import type { TierAnswer } from '../privacy/tier.ts';
import type { Agent } from '../user-agents/read-agent.ts';
import { buildMessage } from './build-message.ts';
import type { EdgePlace } from './describe-place.ts';
import { findRefusal } from './find-refusal.ts';
import { type IdentityPorts, identify } from './identify-visitor.ts';
import { digestPages } from './page-digests.ts';
import { type Receipt, receiptOf } from './receipt.ts';
import { domainsOf } from './site-host.ts';
import type { TrackMessage } from './track-message.ts';
import type { TrackRequest } from './track-request.ts';

export interface CollectPorts extends IdentityPorts {
  /** Folds a message or puts it on the queue. When the promise resolves, it is durable. */
  deliver: (message: TrackMessage) => Promise<unknown>;
  /** The present instant, epoch milliseconds. */
  now: () => number;
  /** Reads user agent and client hints of a request. */
  readAgent: (headers: Headers) => Agent;
  /** Numbers of networks that count as people's although servers are rented out there. */
  networkExceptions: ReadonlySet<number>;
}

export interface Reception {
  request: TrackRequest;
  /** Ids of further events that break a rule. */
  invalid: readonly string[];
  site: SitePolicy;
  answer: TierAnswer;
  headers: Headers;
  /** Empty if the edge doesn't give one. */
  address: string;
  place: EdgePlace;
  /** The number of the network (AS) that the request came from, as the edge names it. */
  network: number | undefined;
}

/**
 * Accepts a tracking request. Identity and device are computed here; the address and the user agent go no further. Throws
 * `UNAVAILABLE` if the message can be neither folded nor queued; sending it again counts nothing twice.
 */
export async function collect(ports: CollectPorts, reception: Reception): Promise<Receipt> {
  const { request, invalid, site, answer, headers, address, place, network } = reception;
  const receivedAt = ports.now();
  const userAgent = headers.get('User-Agent') ?? '';
  const { robot, device } = ports.readAgent(headers);
  const refusal = findRefusal({ robot, headers, network, request }, ports.networkExceptions);
  const claim = { siteId: site.siteId, visitorId: request.visitorId, address, userAgent, receivedAt };
  const identity = await identify(ports, { ...claim, maxTier: refusal === undefined ? answer.maxTier : 0 });
  const message = buildMessage({
    // An alias may have called the site.
    request: { ...request, site: site.siteId },
    invalid,
    domains: domainsOf(site),
    ...identity,
    ...(identity.tier === 1 && { pageDigests: await digestPages(request.events) }),
    refusal,
    receivedAt,
    device,
    place,
  });
  await ports.deliver(message).catch((cause: unknown) => Promise.reject(maybeStored(cause)));
  return receiptOf(message.events);
}
