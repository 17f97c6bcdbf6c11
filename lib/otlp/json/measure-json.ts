import { malformed, tooLarge } from '../decode-errors.ts';
import { MAX_JSON_DEPTH } from '../otlp-limits.ts';

/** Approximate memory of V8 for each part of a parsed tree, measured. */
const OBJECT_BYTES = 32;
const LIST_BYTES = 48;
const TEXT_BYTES = 24;
const SLOT_BYTES = 12;

/** OTLP has about a hundred member names; each further name costs the parser an object shape. */
const MAX_NAMES = 2048;
/** A power of two, so large that few slots are used. */
const NAME_SLOTS = 8192;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const LIST = 0x5b;
const BACKSLASH = 0x5c;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

/**
 * Estimates the memory of a JSON text as a string and as the tree that `JSON.parse` makes, in one pass over its bytes, which may be
 * invalid JSON. Throws `VALIDATION_ERROR` for too deep nesting, `PAYLOAD_TOO_LARGE` for too many different names.
 */
export function measureJson(bytes: Uint8Array): { textBytes: number; treeBytes: number } {
  const names = new Names();
  let treeBytes = 0;
  let depth = 0;
  let units = bytes.length;
  let lastText = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case QUOTE: {
        const from = at + 1;
        let wide = 0;
        let hash = 0;
        for (at = from; at < bytes.length && bytes[at] !== QUOTE; at += 1) {
          const byte = bytes[at] as number;
          if (byte === BACKSLASH) at += 1;
          hash = Math.imul(hash ^ byte, 0x01000193);
          wide |= byte;
          if (byte >= 0x80 && byte < 0xc0) units -= 1;
        }
        lastText = TEXT_BYTES + (wide < 0x80 ? at - from : 2 * (at - from));
        treeBytes += lastText;
        names.last = hash ^ (at - from);
        break;
      }
      case COLON:
        // The text before was a member name, which all objects share.
        treeBytes -= lastText;
        names.add();
        break;
      case COMMA:
        treeBytes += SLOT_BYTES;
        break;
      case OBJECT:
      case LIST:
        depth += 1;
        treeBytes += bytes[at] === OBJECT ? OBJECT_BYTES : LIST_BYTES;
        if (depth > MAX_JSON_DEPTH)
          throw malformed(`must not nest lists and objects over ${MAX_JSON_DEPTH} deep`);
        break;
      case OBJECT_END:
      case LIST_END:
        depth -= 1;
        break;
    }
  }
  return { textBytes: units === bytes.length ? units : 2 * units, treeBytes };
}

/** Counts the different member names by their hashes. */
class Names {
  last = 0;
  #count = 0;
  readonly #slots = new Int32Array(NAME_SLOTS);

  add(): void {
    const hash = this.last || 1;
    let slot = (hash ^ (hash >>> 16)) & (NAME_SLOTS - 1);
    while (this.#slots[slot] !== 0) {
      if (this.#slots[slot] === hash) return;
      slot = (slot + 1) & (NAME_SLOTS - 1);
    }
    this.#slots[slot] = hash;
    this.#count += 1;
    if (this.#count > MAX_NAMES) throw tooLarge('A request has too many different names of members.');
  }
}
