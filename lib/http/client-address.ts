import { toBase64Url } from '../bytes.ts';
import { createMac } from '../mac.ts';

const MAX_ADDRESS_LENGTH = 45;

/** The client's address as the edge saw it, or undefined. Only the function that reads the address may see it. */
export function clientAddress(headers: Headers): string | undefined {
  const address = headers.get('cf-connecting-ip')?.trim();
  return address === undefined || address === '' || address.length > MAX_ADDRESS_LENGTH ? undefined : address;
}

/**
 * The part of an address that limiters count by: the whole IPv4 address, or the /64 of an IPv6 address, which one subscriber owns.
 * `::ffff:192.0.2.1` counts as IPv4. Any other text is returned unchanged.
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

/** Makes a limiter key from an address and a scope (a site), hashed with a secret so that Redis never holds an address. */
export type AddressKey = (address: string | undefined, scope: string) => Promise<string>;

/** `secret` is the variable ADDRESS_KEY. Made once per isolate, because it remembers the imported key. */
export function addressKeys(secret: string): AddressKey {
  const mac = createMac(secret);
  return async (address, scope) => {
    const subject = address === undefined ? 'unknown' : subscriberOf(address);
    return toBase64Url((await mac(`${subject}\n${scope}`)).subarray(0, 16));
  };
}
