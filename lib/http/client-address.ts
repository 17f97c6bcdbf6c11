import { toBase64Url } from '../bytes.ts';

const MAX_ADDRESS_LENGTH = 45;

/** The client's address as the edge saw it, or undefined. It goes no further than the function that reads it. */
export function clientAddress(headers: Headers): string | undefined {
  const address = headers.get('cf-connecting-ip')?.trim();
  return address === undefined || address === '' || address.length > MAX_ADDRESS_LENGTH ? undefined : address;
}

/**
 * What a limiter counts a client by: IPv4 addresses one by one, IPv6 by the /64 that one subscriber owns whole.
 * `::ffff:192.0.2.1` is IPv4. Anything else is returned as it came.
 */
export function subscriberOf(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1] !== undefined) return mapped[1];
  const [head = '', tail] = address.toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...new Array<string>(zeros).fill('0'), ...right].slice(0, 4);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}

/** Makes limiter keys from an address and a scope (a site) under a secret, so that no address is ever in Redis. */
export type AddressKey = (address: string | undefined, scope: string) => Promise<string>;

/** `secret` is the variable ADDRESS_KEY. Made once an isolate: it remembers the imported key. */
export function addressKeys(secret: string): AddressKey {
  const encoder = new TextEncoder();
  let key: CryptoKey | undefined;
  return async (address, scope) => {
    key ??= await crypto.subtle.importKey(
      'raw',
      encoder.encode(secret),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['sign'],
    );
    const subject = address === undefined ? 'unknown' : subscriberOf(address);
    const mac = await crypto.subtle.sign('HMAC', key, encoder.encode(`${subject}\n${scope}`));
    return toBase64Url(new Uint8Array(mac).subarray(0, 16));
  };
}
