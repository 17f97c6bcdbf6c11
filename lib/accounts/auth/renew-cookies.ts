import { makeSignature } from 'better-auth/crypto';
import type { AuthKeys } from './auth-keys.ts';

/** A cookie that the library signed: its value, and an HMAC-SHA-256 in Base64. */
const SIGNED = /^(.+)\.([A-Za-z0-9+/]{43}=)$/;

/**
 * The request's headers for the library, which knows one key: cookies that the old key signed have the signature of the key in use. The
 * library sets a session's cookie anew when it prolongs the session.
 */
export async function renewCookies({ current, previous }: AuthKeys, headers: Headers): Promise<Headers> {
  const cookies = headers.get('Cookie');
  if (previous === undefined || cookies === null) return headers;
  const renewed = new Headers(headers);
  const all = await Promise.all(cookies.split('; ').map((cookie) => renewCookie(cookie, current, previous)));
  renewed.set('Cookie', all.join('; '));
  return renewed;
}

async function renewCookie(cookie: string, current: string, previous: string): Promise<string> {
  const start = cookie.indexOf('=') + 1;
  const [, value, signature] = SIGNED.exec(decode(cookie.slice(start))) ?? [];
  if (value === undefined || signature !== (await makeSignature(value, previous))) return cookie;
  return cookie.slice(0, start) + encodeURIComponent(`${value}.${await makeSignature(value, current)}`);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
