import { fromBase64Url, toBase64Url } from '../bytes.ts';

const SECRET_BYTES = 32;

/** What a share's link ends with: 256 random bits in 43 url-safe characters. `random` fills the array that it is given. */
export const createShareSecret = (
  random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>,
): string => toBase64Url(random(new Uint8Array(SECRET_BYTES)));

/** Whether a share could have this secret; others are refused before the database is asked. */
export const isShareSecret = (text: string): boolean => fromBase64Url(text)?.byteLength === SECRET_BYTES;
