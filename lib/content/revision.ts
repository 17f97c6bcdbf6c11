import { toHex } from '../bytes.ts';

/** 16 hex digits that change with the value, which must be JSON. Used for records, indexes and the catalogue. */
export async function revisionOf(value: unknown): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(value)));
  return toHex(new Uint8Array(digest).subarray(0, 8));
}
