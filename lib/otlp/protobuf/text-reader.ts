import type { Tally } from '../request-tally.ts';

/** Texts up to this length are reused if the same text was read before: keys and most values recur in each row. */
const MAX_KEPT_BYTES = 256;
/** A power of two. */
const SLOTS = 2048;
/** Up to this length, joining characters is faster than a `TextDecoder` (measured). */
const MAX_SHORT_BYTES = 40;

/** Memory of V8 for a text, besides its characters. */
const TEXT_BYTES = 24;

const DIGITS = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));

/** Decodes texts from a request's bytes. Invalid UTF-8 and U+0000 become U+FFFD. */
export class TextReader {
  readonly #bytes: Uint8Array;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** Per slot: a decoded text, the start of its bytes, and their number. */
  readonly #texts: string[] = new Array<string>(SLOTS).fill('');
  readonly #starts = new Int32Array(SLOTS);
  readonly #lengths = new Int32Array(SLOTS);

  readonly #tally: Tally;
  /** Number of texts that were decoded anew and therefore take memory. */
  made = 0;

  constructor(bytes: Uint8Array, tally: Tally) {
    this.#bytes = bytes;
    this.#tally = tally;
  }

  read(from: number, to: number): string {
    const length = to - from;
    if (length > MAX_KEPT_BYTES) return this.#decode(from, to);
    if (length === 0) return '';
    const slot = this.#slot(from, length);
    if (this.#lengths[slot] === length && this.#recurs(from, this.#starts[slot] as number, length)) {
      return this.#texts[slot] as string;
    }
    const text = length <= MAX_SHORT_BYTES ? this.#short(from, to) : this.#decode(from, to);
    this.#texts[slot] = text;
    this.#starts[slot] = from;
    this.#lengths[slot] = length;
    return text;
  }

  /** The last position up to `to` that lies between characters. */
  boundary(to: number): number {
    let at = to;
    while (at > to - 4 && ((this.#bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1;
    return at;
  }

  /** The first byte of a character at `from` or after it. */
  following(from: number): number {
    let at = from;
    while (at < from + 4 && ((this.#bytes[at] ?? 0) & 0xc0) === 0x80) at += 1;
    return at;
  }

  /** 8 bytes in hexadecimal; empty if all are zero. */
  spanId(at: number): string {
    return this.#isZero(at, 8) ? '' : this.#hex8(at);
  }

  /** 16 bytes in hexadecimal; empty if all are zero. */
  traceId(at: number): string {
    return this.#isZero(at, 16) ? '' : this.#hex8(at) + this.#hex8(at + 8);
  }

  #isZero(from: number, size: number): boolean {
    let any = 0;
    for (let at = from; at < from + size; at += 1) any |= this.#bytes[at] as number;
    return any === 0;
  }

  /** A single call with all characters, since a concatenated text takes more memory. */
  #hex8(at: number): string {
    const bytes = this.#bytes;
    const digit = (index: number): number => {
      const byte = bytes[at + (index >> 1)] as number;
      return DIGITS[(index & 1) === 0 ? byte >>> 4 : byte & 15] as number;
    };
    return String.fromCharCode(
      digit(0),
      digit(1),
      digit(2),
      digit(3),
      digit(4),
      digit(5),
      digit(6),
      digit(7),
      digit(8),
      digit(9),
      digit(10),
      digit(11),
      digit(12),
      digit(13),
      digit(14),
      digit(15),
    );
  }

  /** Hashes only a few bytes: the bytes of a found text are compared anyway. */
  #slot(from: number, length: number): number {
    const bytes = this.#bytes;
    const last = from + length - 1;
    const ends = (bytes[from] as number) | ((bytes[last] as number) << 8);
    const middle = (bytes[from + (length >> 1)] as number) | ((bytes[from + (length >> 2)] as number) << 8);
    const tail =
      (bytes[last - (length > 1 ? 1 : 0)] as number) | ((bytes[last - (length > 3 ? 3 : 0)] as number) << 8);
    const hash = Math.imul(ends ^ (middle << 16), 0x9e3779b1) ^ Math.imul(tail + (length << 16), 0x85ebca6b);
    return (hash ^ (hash >>> 15)) & (SLOTS - 1);
  }

  #recurs(from: number, earlier: number, length: number): boolean {
    const bytes = this.#bytes;
    for (let at = 0; at < length; at += 1) if (bytes[from + at] !== bytes[earlier + at]) return false;
    return true;
  }

  #short(from: number, to: number): string {
    const bytes = this.#bytes;
    let odd = 0;
    // For a zero byte, 0 - 1 sets bits above bit 7.
    for (let at = from; at < to; at += 1) odd |= (bytes[at] as number) | ((bytes[at] as number) - 1);
    if ((odd & ~0x7f) !== 0) return this.#decode(from, to);
    this.#count(to - from);
    let text = '';
    let at = from;
    for (; at + 8 <= to; at += 8) {
      text += String.fromCharCode(
        bytes[at] as number,
        bytes[at + 1] as number,
        bytes[at + 2] as number,
        bytes[at + 3] as number,
        bytes[at + 4] as number,
        bytes[at + 5] as number,
        bytes[at + 6] as number,
        bytes[at + 7] as number,
      );
    }
    for (; at < to; at += 1) text += String.fromCharCode(bytes[at] as number);
    return text;
  }

  #decode(from: number, to: number): string {
    const text = this.#decoder.decode(this.#bytes.subarray(from, to));
    this.#count(text.length === to - from ? text.length : 2 * text.length);
    return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text;
  }

  #count(bytes: number): void {
    this.made += 1;
    this.#tally.spend(TEXT_BYTES + bytes);
  }
}
