import { fromBase64Url, toBase64Url } from '../bytes.ts';
import { createMac } from '../mac.ts';

const SECRET_BYTES = 32;

/** Makes the last part of a share's link: 256 bits in 43 url-safe characters. */
export interface ShareSecrets {
  /** Always the same for a share, so that its link can be shown again. Only a hash of it is stored. */
  secretOf(shareId: string): Promise<string>;
}

/** `key`: the variable SHARE_KEY. Made once per isolate, because it remembers the imported key. */
export function createShareSecrets(key: string): ShareSecrets {
  const mac = createMac(key);
  return { secretOf: async (shareId) => toBase64Url(await mac(`share ${shareId}`)) };
}

/** Whether the text has the form of a secret; other texts are refused without a query to the database. */
export const isShareSecret = (text: string): boolean => fromBase64Url(text)?.byteLength === SECRET_BYTES;
