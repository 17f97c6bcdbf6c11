import { tooLarge, undecodable } from '../decode-errors.ts';
import { MAX_TREE_BYTES } from '../limits.ts';
import type { Tally } from '../request-tally.ts';
import { asObject, type Fields } from './json-fields.ts';
import { measureJson } from './measure-json.ts';

/** A shorter text isn't measured, and counts as the worst that it may be: `{},{},...`. */
const MAX_UNMEASURED_BYTES = 1024 * 1024;
const WORST_TREE_BYTES = 20;

/**
 * A request as the object that it is. What the tree would take is estimated before it is made, since `JSON.parse` has no
 * limits: of 16 MiB `[{},{},...` becomes 300 MB. Throws `VALIDATION_ERROR` and `PAYLOAD_TOO_LARGE`.
 */
export function parseRequest(bytes: Uint8Array, tally: Tally): Fields {
  if (bytes.length > MAX_UNMEASURED_BYTES) {
    const { textBytes, treeBytes } = measureJson(bytes);
    if (textBytes + treeBytes > MAX_TREE_BYTES) {
      throw tooLarge('A request has too many items; send fewer in each.');
    }
    tally.spend(treeBytes);
  } else tally.spend(WORST_TREE_BYTES * bytes.length);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw undecodable('not JSON');
  }
  return asObject(value, '');
}
