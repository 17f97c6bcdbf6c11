/**
 * Passwords of shares, stored as `pbkdf2-sha256:<iterations>:<salt>:<key>` with salt and key in base64url. A share's link can't be
 * guessed; the password is a second lock. An attacker who reads the hash can read the reports in the same database.
 */
import { fromBase64Url, toBase64Url } from '../bytes.ts';

const SCHEME = 'pbkdf2-sha256';
/** The maximum of WebCrypto on Workers (github.com/cloudflare/workerd/issues/1346); a local workerd accepts more. */
const ITERATIONS = 100_000;
const SALT_BYTES = 16;
const KEY_BITS = 256;

export async function hashPassword(
  password: string,
  random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>,
): Promise<string> {
  const salt = random(new Uint8Array(SALT_BYTES));
  const key = await derive(password, salt, ITERATIONS);
  return [SCHEME, ITERATIONS, toBase64Url(salt), toBase64Url(key)].join(':');
}

/** Takes the same time for wrong and right passwords. Throws if `stored` isn't in the form of `hashPassword`. */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [scheme, iterations, saltText = '', keyText = ''] = stored.split(':');
  const [salt, key] = [fromBase64Url(saltText), fromBase64Url(keyText)];
  if (scheme !== SCHEME || salt === undefined || key === undefined)
    throw new Error('A share has a password in an unknown form.');
  const derived = await derive(password, salt, Number(iterations));
  return derived.reduce((difference, byte, index) => difference | (byte ^ (key[index] ?? -1)), 0) === 0;
}

/** Normalises the password, because keyboards send accents composed or decomposed. */
async function derive(
  password: string,
  salt: Uint8Array<ArrayBuffer>,
  iterations: number,
): Promise<Uint8Array> {
  const typed = new TextEncoder().encode(password.normalize('NFC'));
  const key = await crypto.subtle.importKey('raw', typed, 'PBKDF2', false, ['deriveBits']);
  const parameters = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations };
  return new Uint8Array(await crypto.subtle.deriveBits(parameters, key, KEY_BITS));
}
