import { toBase64Url, toHex } from './bytes.ts';

/**
 * Tokens: `<prefix>_<43 url-safe random characters><6-character checksum>` (docs/api.md#tokens). The checksum finds mistyped and invented
 * tokens without a query to the database. It isn't secret.
 */

/** `vapi`: API token, `ving`: ingest key, `vqry`: query token. */
export type TokenPrefix = 'vapi' | 'ving' | 'vqry';

const RANDOM_BYTES = 32;
const SHAPE = /^(vapi|ving|vqry)_([A-Za-z0-9_-]{43})([0-9A-Za-z]{6})$/;

/** A new token of 256 random bits. `random` fills the given array, as `crypto.getRandomValues` does. */
export function createToken(
  prefix: TokenPrefix,
  random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>,
): string {
  const secret = toBase64Url(random(new Uint8Array(RANDOM_BYTES)));
  const body = `${prefix}_${secret}`;
  return body + checksum(body);
}

/** Whether `token` has this prefix, the right shape and a correct checksum. */
export function isToken(prefix: TokenPrefix, token: string): boolean {
  const match = SHAPE.exec(token);
  return match !== null && match[1] === prefix && checksum(token.slice(0, -6)) === match[3];
}

/** SHA-256 of the whole token in lower-case hex. The database stores and looks up this hash. */
export async function hashToken(token: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return toHex(new Uint8Array(digest));
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** CRC-32 (IEEE 802.3) of the text in six base-62 digits. */
function checksum(text: string): string {
  let crc = 0xffffffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  let rest = (crc ^ 0xffffffff) >>> 0;
  let digits = '';
  for (let index = 0; index < 6; index++) {
    digits = (BASE62[rest % 62] ?? '') + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
