import { fromBase64Url, toBase64Url } from '../bytes.ts';

const SECRET_BYTES = 32;

/** The last part of a share's link: 256 random bits in 43 url-safe characters. `random` fills the given array. */
export const createShareSecret = (
  random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>,
): string => toBase64Url(random(new Uint8Array(SECRET_BYTES)));

/** Makes the secrets of links. The same share always has the same one, so that its link can be shown again; only a hash of it is stored. */
export interface ShareSecrets {
  secretOf(shareId: string): Promise<string>;
}

/** `key`: the variable SHARE_KEY. Made once per isolate, because it remembers the imported key. */
export function createShareSecrets(key: string): ShareSecrets {
  const encoder = new TextEncoder();
  let imported: CryptoKey | undefined;
  return {
    async secretOf(shareId) {
      imported ??= await crypto.subtle.importKey(
        'raw',
        encoder.encode(key),
        { name: 'HMAC', hash: 'SHA-256' },
        false,
        ['sign'],
      );
      const mac = await crypto.subtle.sign('HMAC', imported, encoder.encode(`share ${shareId}`));
      return toBase64Url(new Uint8Array(mac));
    },
  };
}

/** Whether the text has the form of a secret; other texts are refused without a query to the database. */
export const isShareSecret = (text: string): boolean => fromBase64Url(text)?.byteLength === SECRET_BYTES;
