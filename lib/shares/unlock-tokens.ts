/** Tokens that open a share with a password for some time. A token holds its end and an HMAC over end, share and password. */
import { fromBase64Url, toBase64Url } from '../bytes.ts';

/** What a token opens. A new password makes a new lock, so old tokens no longer fit. */
export interface Lock {
  shareId: string;
  /** The stored password hash. */
  password: string;
}

export interface UnlockTokens {
  /** `endsAt`: epoch seconds. */
  issue(lock: Lock, endsAt: number): Promise<string>;
  /** Whether this secret issued the token for this lock, and the token hasn't ended. `now`: epoch milliseconds. */
  opens(token: string, lock: Lock, now: number): Promise<boolean>;
}

const TIME_BYTES = 4;
const TOKEN_BYTES = TIME_BYTES + 32;

/** `secret` authenticates tokens; a new secret voids older tokens. Made once per isolate, because it remembers the key. */
export function createUnlockTokens(secret: string): UnlockTokens {
  const encoder = new TextEncoder();
  let imported: CryptoKey | undefined;
  const key = async (): Promise<CryptoKey> => {
    imported ??= await crypto.subtle.importKey(
      'raw',
      encoder.encode(secret),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['sign', 'verify'],
    );
    return imported;
  };
  const signed = ({ shareId, password }: Lock, endsAt: number) =>
    encoder.encode(JSON.stringify([shareId, password, endsAt]));

  return {
    async issue(lock, endsAt) {
      const bytes = new Uint8Array(TOKEN_BYTES);
      new DataView(bytes.buffer).setUint32(0, endsAt);
      bytes.set(
        new Uint8Array(await crypto.subtle.sign('HMAC', await key(), signed(lock, endsAt))),
        TIME_BYTES,
      );
      return toBase64Url(bytes);
    },

    async opens(token, lock, now) {
      const bytes = fromBase64Url(token);
      if (bytes?.byteLength !== TOKEN_BYTES) return false;
      const endsAt = new DataView(bytes.buffer).getUint32(0);
      if (endsAt * 1000 <= now) return false;
      return crypto.subtle.verify('HMAC', await key(), bytes.subarray(TIME_BYTES), signed(lock, endsAt));
    },
  };
}
