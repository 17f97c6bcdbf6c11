/**
 * Cursors: continuation tokens of paged answers. A cursor is authenticated and holds a position, and a digest of the request and the
 * revision that it belongs to. Nothing in a cursor is secret.
 */
import { fromBase64Url, toBase64Url } from './bytes.ts';
import { otherRequest, refuseCursor } from './errors.ts';

/** Maximum length (docs/content.md#cursors). Our cursors have 50 characters. */
export const MAX_CURSOR_LENGTH = 512;

/** The request that a cursor continues. Two scopes with equal JSON are the same. */
export interface CursorScope {
  /** The verb and all of its parameters except the cursor. */
  request: readonly (string | number | null)[];
  /** The revision of the paged data. */
  revision: string;
}

export interface OpenCursor {
  /** Returns the position. Throws `CONFLICT` if the cursor belongs to another request or to an older revision. */
  positionIn(scope: CursorScope): Promise<number>;
}

export interface Cursors {
  /** `position`: an integer from 0 to 2^32 - 1. */
  issue(scope: CursorScope, position: number): Promise<string>;
  /** Throws `VALIDATION_ERROR` unless this secret issued the cursor. */
  open(cursor: string): Promise<OpenCursor>;
}

const VERSION = 1;
const SCOPE_BYTES = 16;
const MAC_BYTES = 16;
const SCOPE_AT = 5;
const MAC_AT = SCOPE_AT + SCOPE_BYTES;
const TOTAL_BYTES = MAC_AT + MAC_BYTES;

const encoder = new TextEncoder();

/** `secret` authenticates cursors; a new secret makes older cursors invalid. Made once per isolate, because it remembers the key. */
export function createCursors(secret: string): Cursors {
  let imported: CryptoKey | undefined;
  const sign = async (payload: Uint8Array<ArrayBuffer>): Promise<Uint8Array> => {
    imported ??= await importKey(secret);
    return new Uint8Array(await crypto.subtle.sign('HMAC', imported, payload)).subarray(0, MAC_BYTES);
  };

  return {
    async issue(scope, position) {
      const bytes = new Uint8Array(TOTAL_BYTES);
      bytes[0] = VERSION;
      new DataView(bytes.buffer).setUint32(1, position);
      bytes.set(await digest(scope), SCOPE_AT);
      bytes.set(await sign(bytes.slice(0, MAC_AT)), MAC_AT);
      return toBase64Url(bytes);
    },

    async open(cursor) {
      const bytes = fromBase64Url(cursor);
      if (bytes === undefined || bytes.byteLength !== TOTAL_BYTES || bytes[0] !== VERSION) refuseCursor();
      if (!sameBytes(await sign(bytes.slice(0, MAC_AT)), bytes.subarray(MAC_AT))) refuseCursor();
      return {
        async positionIn(scope) {
          if (!sameBytes(await digest(scope), bytes.subarray(SCOPE_AT, MAC_AT))) throw otherRequest();
          return new DataView(bytes.buffer).getUint32(1);
        },
      };
    },
  };
}

function importKey(secret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ]);
}

async function digest({ request, revision }: CursorScope): Promise<Uint8Array> {
  const text = encoder.encode(JSON.stringify([request, revision]));
  return new Uint8Array(await crypto.subtle.digest('SHA-256', text)).subarray(0, SCOPE_BYTES);
}

/** Compares in constant time, so that timing doesn't show the first difference. */
function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.byteLength ^ b.byteLength;
  for (const [index, byte] of a.entries()) difference |= byte ^ (b[index] ?? 0);
  return difference === 0;
}
