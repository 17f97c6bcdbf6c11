import { isLoadedAhead } from '../user-agents/bot.ts';
import { referrerHost } from './find-arrival.ts';
import { HOSTING_NETWORKS } from './lists/hosting-networks.ts';
import { PUBLIC_LISTS } from './lists/public.generated.ts';
import { createSpammers } from './spammers.ts';
import type { DropReason } from './track-message.ts';
import type { TrackRequest } from './track-request.ts';

export interface Suspect {
  /** By the user agent or the client hints. */
  robot: boolean;
  headers: Headers;
  /** The number of the network (AS) that the request came from, as the edge names it. */
  network: number | undefined;
  request: TrackRequest;
}

const hosting = new Set(Object.values(HOSTING_NETWORKS).flat());
const isSpammer = createSpammers(PUBLIC_LISTS);
/** Amazon's browser, which fetches pages for people through Amazon's servers. */
const CLOUD_BROWSER = /\bSilk\//;

/**
 * Why a whole request is refused, if it is: it comes from a robot, a page loaded ahead, a rented server, or its referrer is a
 * spammer's. `exceptions` are networks that count as people's.
 */
export function findRefusal(suspect: Suspect, exceptions: ReadonlySet<number>): DropReason | undefined {
  const { robot, headers, network, request } = suspect;
  if (robot || isLoadedAhead(headers)) return 'bot';
  if (network !== undefined && !exceptions.has(network) && isHosting(network, headers)) return 'datacenter';
  return request.events.some((event) => 'referrer' in event && isSpam(event.referrer)) ? 'spam' : undefined;
}

const isHosting = (network: number, headers: Headers): boolean =>
  hosting.has(network) && !CLOUD_BROWSER.test(headers.get('User-Agent') ?? '');

const isSpam = (referrer: string | undefined): boolean =>
  referrer !== undefined && referrer !== '' && isSpammer(referrerHost(referrer) ?? '');
