import { toHex } from '../bytes.ts';
import { untagged } from '../mailbox.ts';
import type { ChannelKind } from './message-schemas.ts';

/** Hosts where each address belongs to somebody else, so that they count by address. */
const SHARED_HOSTS = new Set(['hooks.slack.com', 'discord.com', 'discordapp.com']);

/**
 * What messages to an address count as, over all projects, in hex: the mailbox without a tag; otherwise the host, so that nobody reaches a
 * host more often by many paths, or at a host of many people the address.
 */
export async function countedAs(kind: ChannelKind, address: string): Promise<string> {
  const subject = kind === 'mail' ? `mail ${untagged(address)}` : `host ${hostOrAddress(address)}`;
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(subject))));
}

function hostOrAddress(address: string): string {
  const { hostname, origin, pathname } = new URL(address);
  return SHARED_HOSTS.has(hostname) ? origin + pathname : hostname;
}
