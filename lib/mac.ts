const encoder = new TextEncoder();

/** The HMAC-SHA-256 of a text, 32 bytes. */
export type Mac = (text: string) => Promise<Uint8Array<ArrayBuffer>>;

/** `secret`: a key of the service, from its variables. Make it once per isolate, because it remembers the imported key. */
export function createMac(secret: string): Mac {
  let key: CryptoKey | undefined;
  return async (text) => {
    key ??= await crypto.subtle.importKey(
      'raw',
      encoder.encode(secret),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['sign'],
    );
    return new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)));
  };
}
