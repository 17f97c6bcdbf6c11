/**
 * Hashes within this thread. Node.js hands each `crypto.subtle` call to another thread, which costs more than the hash of some bytes itself: a
 * seventh of a page view's CPU.
 */
import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto';

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
  const { digest, importKey, sign } = subtle;
  const nameOf = (algorithm: AlgorithmIdentifier): string =>
    (typeof algorithm === 'string' ? algorithm : algorithm.name).toUpperCase();
  subtle.digest = async (algorithm, data) => {
    const hash = HASHES.get(nameOf(algorithm));
    if (hash === undefined || data.byteLength > MAX_BYTES) return digest.call(subtle, algorithm, data);
    return toArrayBuffer(createHash(hash).update(bytesOf(data)).digest());
  };
  // A key's bytes can be read as long as it isn't one.
  subtle.importKey = async (format: KeyFormat, data: BufferSource | JsonWebKey, ...rest: unknown[]) => {
    const key: CryptoKey = await Reflect.apply(importKey, subtle, [format, data, ...rest]);
    if (format === 'raw' && key.algorithm.name === 'HMAC')
      keys.set(key, createSecretKey(bytesOf(data as BufferSource)));
    return key;
  };
  subtle.sign = async (algorithm, key, data) => {
    const known = key.usages.includes('sign') && data.byteLength <= MAX_BYTES ? keys.get(key) : undefined;
    const hash = known && HASHES.get((key.algorithm as HmacKeyAlgorithm).hash.name);
    if (known === undefined || hash === undefined) return sign.call(subtle, algorithm, key, data);
    return toArrayBuffer(createHmac(hash, known).update(bytesOf(data)).digest());
  };
}

/** Of HMAC, by the key that the program has. */
const keys = new WeakMap<CryptoKey, KeyObject>();

const bytesOf = (data: BufferSource): Uint8Array =>
  ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);

const toArrayBuffer = (bytes: Buffer): ArrayBuffer => {
  const buffer = new ArrayBuffer(bytes.byteLength);
  new Uint8Array(buffer).set(bytes);
  return buffer;
};
