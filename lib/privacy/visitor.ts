import { toHex } from '../bytes.ts';
import type { DaySalt } from './salt.ts';

export interface Visitor {
  siteId: string;
  /** The client's address as the edge saw it. */
  address: string;
  userAgent: string;
}

const encoder = new TextEncoder();
const HASH_BYTES = 16;

/**
 * The id of an anonymous visitor for one UTC day and one site (docs/tracker-protocol.md#visitors-and-sessions): the first 128 bits of an
 * HMAC-SHA256, in uuid form. JSON keeps the parts apart, so that different visitors always have different texts.
 */
export async function hashVisitor(salt: DaySalt, { siteId, address, userAgent }: Visitor): Promise<string> {
  const message = encoder.encode(JSON.stringify([siteId.toLowerCase(), address, userAgent]));
  const hash = await crypto.subtle.sign('HMAC', salt, message);
  return toUuid(hash);
}

/** The first 128 bits of a hash, in uuid form. */
export function toUuid(hash: ArrayBuffer): string {
  const hex = toHex(new Uint8Array(hash, 0, HASH_BYTES));
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
