/**
 * Hashes within this thread. Node.js hands each `crypto.subtle` call to another thread, which costs more than the hash of some bytes itself: a
 * seventh of a page view's CPU.
 */
import { createHash, createHmac, KeyObject } from 'node:crypto';

/** Above it another thread is worth its price. */
const MAX_BYTES = 64 * 1024;
const HASHES = new Map([
  ['SHA-1', 'sha1'],
  ['SHA-256', 'sha256'],
  ['SHA-384', 'sha384'],
  ['SHA-512', 'sha512'],
]);

/** Answers `digest`, and `sign` with HMAC, of short texts at once. All else is Node.js's own. */
export function useQuickCrypto(): void {
  const { subtle } = globalThis.crypto;
  const { digest, sign } = subtle;
  const nameOf = (algorithm: AlgorithmIdentifier): string =>
    (typeof algorithm === 'string' ? algorithm : algorithm.name).toUpperCase();
  subtle.digest = async (algorithm, data) => {
    const hash = HASHES.get(nameOf(algorithm));
    if (hash === undefined || data.byteLength > MAX_BYTES) return digest.call(subtle, algorithm, data);
    return toArrayBuffer(createHash(hash).update(bytesOf(data)).digest());
  };
  subtle.sign = async (algorithm, key, data) => {
    const isQuick =
      nameOf(algorithm) === 'HMAC' && key.usages.includes('sign') && data.byteLength <= MAX_BYTES;
    const hash = isQuick ? HASHES.get((key.algorithm as HmacKeyAlgorithm).hash.name) : undefined;
    if (hash === undefined) return sign.call(subtle, algorithm, key, data);
    return toArrayBuffer(createHmac(hash, keyOf(key)).update(bytesOf(data)).digest());
  };
}

const keys = new WeakMap<CryptoKey, KeyObject>();

function keyOf(key: CryptoKey): KeyObject {
  const known = keys.get(key) ?? KeyObject.from(key);
  keys.set(key, known);
  return known;
}

const bytesOf = (data: BufferSource): Uint8Array =>
  ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);

const toArrayBuffer = (bytes: Buffer): ArrayBuffer => {
  const buffer = new ArrayBuffer(bytes.byteLength);
  new Uint8Array(buffer).set(bytes);
  return buffer;
};
