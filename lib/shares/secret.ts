import { fromBase64Url, toBase64Url } from '../bytes.ts';

const SECRET_BYTES = 32;

/** The last part of a share's link: 256 random bits in 43 url-safe characters. `random` fills the given array. */
export const createShareSecret = (
  random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>,
): string => toBase64Url(random(new Uint8Array(SECRET_BYTES)));

/** Whether the text has the form of a secret; other texts are refused without a query to the database. */
export const isShareSecret = (text: string): boolean => fromBase64Url(text)?.byteLength === SECRET_BYTES;
