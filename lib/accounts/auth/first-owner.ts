/**
 * The link by which whoever runs a service makes its first account. Nothing is stored: the token is its own expiry and a MAC of it, and it is
 * valid only while nobody has a password.
 */
import { fromBase64Url, toBase64Url } from '../../bytes.ts';
import type { Ports } from '../../context.ts';
import { type Fragment, reachToRead, type Sql } from '../../db.ts';
import { FIRST_OWNER_TOKEN } from './schemas.ts';

const VALID_SECONDS = 24 * 60 * 60;

const encoder = new TextEncoder();

const importKey = (authKey: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', encoder.encode(authKey), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ]);

const signedText = (expiresAt: string) => encoder.encode(`first-owner\n${expiresAt}`);

interface FirstOwnerContext extends Ports {
  /** AUTH_KEY. */
  authKey: string;
}

/** Part of other statements: has a row while nobody has a password, so that nobody can sign in. */
export const unowned = (sql: Sql): Fragment =>
  sql`select true where not exists (select from user_credentials where password is not null)`;

/** Of two who use the link at once, the second sees the first one's account. */
export const turnOfFirstOwner = (sql: Sql): Fragment =>
  sql`select take_turn('first owner', '00000000-0000-0000-0000-000000000000'::uuid)`;

/** The page that makes the first account, with a token that is valid for a day. Undefined: somebody can sign in. */
export async function createFirstOwnerLink({
  sql,
  now,
  authKey,
  publicUrl,
}: FirstOwnerContext & { publicUrl: string }): Promise<string | undefined> {
  if ((await reachToRead(unowned(sql))).length === 0) return undefined;
  const expiresAt = String(Math.floor(now() / 1000) + VALID_SECONDS);
  const mac = await crypto.subtle.sign('HMAC', await importKey(authKey), signedText(expiresAt));
  return `${publicUrl}/sign-in?to=/sites#first-owner=${expiresAt}.${toBase64Url(new Uint8Array(mac))}`;
}

/** Whether the token was made with this key, at most a day ago. */
export async function isFirstOwnerToken(
  { now, authKey }: FirstOwnerContext,
  token: string,
): Promise<boolean> {
  const [, expiresAt = '', mac = ''] = FIRST_OWNER_TOKEN.exec(token) ?? [];
  const signature = fromBase64Url(mac);
  if (signature === undefined || Number(expiresAt) * 1000 < now()) return false;
  return crypto.subtle.verify('HMAC', await importKey(authKey), signature, signedText(expiresAt));
}
