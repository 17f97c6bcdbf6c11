/**
 * A cookie that says that somebody signed in to an account with this browser before. It opens nothing: wrong passwords from known browsers
 * are counted apart, so that strangers can't lock the owner out (OWASP, "Slow Down Online Guessing Attacks with Device Cookies").
 */
import { fromBase64Url, toBase64Url } from '../../bytes.ts';
import { type AuthKeys, withEitherKey } from './auth-keys.ts';

const NONCE_BYTES = 16;
const SHAPE = /^([\w-]{22})\.([\w-]{43})$/;

const encoder = new TextEncoder();

const importKey = (authKey: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', encoder.encode(authKey), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ]);

const signedText = (email: string, nonce: string) => encoder.encode(`known-browser\n${email}\n${nonce}`);

/** The cookie's value for an account. It doesn't show the address. */
export async function markBrowser(keys: AuthKeys, email: string): Promise<string> {
  const nonce = toBase64Url(crypto.getRandomValues(new Uint8Array(NONCE_BYTES)));
  const mac = await crypto.subtle.sign('HMAC', await importKey(keys.current), signedText(email, nonce));
  return `${nonce}.${toBase64Url(new Uint8Array(mac))}`;
}

/** Whether the cookie's value is of this account. */
export async function isKnownBrowser(keys: AuthKeys, email: string, value = ''): Promise<boolean> {
  const [, nonce = '', mac = ''] = SHAPE.exec(value) ?? [];
  const signature = fromBase64Url(mac);
  if (nonce === '' || signature === undefined) return false;
  return withEitherKey(keys, async (key) =>
    crypto.subtle.verify('HMAC', await importKey(key), signature, signedText(email, nonce)),
  );
}
