/// <reference path="./pako.d.ts" />
import { gzipSync } from 'node:zlib';
import pako from 'pako';

/**
 * Bytes gzipped, of two ways the heavier. Node's zlib is Chromium's and finds other repetitions than the zlib of everybody else;
 * pako is a port of that one and makes what `gzip -9 -n` makes, to the byte. It is slow: above the limit it isn't asked.
 */
export function weigh(source: string, limit = Number.POSITIVE_INFINITY): number {
  const bytes = gzipSync(source, { level: 9 }).length;
  return bytes > limit ? bytes : Math.max(bytes, pako.gzip(source, { level: 9 }).length);
}
