import { malformed, tooLarge } from '../decode-errors.ts';
import { MAX_TREE_BYTES } from '../otlp-limits.ts';
import type { Tally } from '../request-tally.ts';
import { asObject, type Fields } from './json-fields.ts';
import { mayHaveLongNumbers, quoteLongNumbers } from './long-numbers.ts';
import { measureJson } from './measure-json.ts';

/** Shorter texts aren't measured; they count as the worst case, `{},{},...`. */
const MAX_UNMEASURED_BYTES = 1024 * 1024;
const WORST_TREE_BYTES = 20;
/** Memory of a number that is kept as a text, measured. */
const LONG_NUMBER_BYTES = 48;

/**
 * Parses a request to an object. Numbers of many digits become texts. The tree's memory is estimated first, since `JSON.parse` has no
 * limits: 16 MiB of `[{},{},...` become 300 MB. Throws `VALIDATION_ERROR` and `PAYLOAD_TOO_LARGE`.
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
    value = JSON.parse(textOf(bytes, tally));
  } catch (error) {
    if (error instanceof SyntaxError) throw malformed('must be JSON');
    throw error;
  }
  return asObject(value, '');
}

function textOf(bytes: Uint8Array, tally: Tally): string {
  const text = new TextDecoder().decode(bytes);
  if (!mayHaveLongNumbers(text)) return text;
  const { quoted, count } = quoteLongNumbers(bytes);
  tally.spend(LONG_NUMBER_BYTES * count);
  return new TextDecoder().decode(quoted);
}
