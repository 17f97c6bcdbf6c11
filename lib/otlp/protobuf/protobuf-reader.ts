import { malformed } from '../decode-errors.ts';
import { INVALID_ID } from '../known-id.ts';
import { endBytes, joinEnds } from '../long-stacks.ts';
import { count64, nanoseconds, numeric, signed64 } from '../numbers.ts';
import { MAX_NAME_BYTES } from '../otlp-limits.ts';
import type { Tally } from '../request-tally.ts';
import type { Numeric } from '../rows.ts';
import { TextReader } from './text-reader.ts';

/** The supported wire types; proto3 has no groups (3 and 4). */
const VARINT = 0;
const FIXED64 = 1;
const DELIMITED = 2;
const FIXED32 = 5;

/**
 * Reads the protobuf wire format. Never reads beyond the bytes; each message must end at its stated length. All methods throw
 * `VALIDATION_ERROR` for bytes that aren't a message.
 */
export class Reader {
  pos = 0;
  readonly tally: Tally;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #texts: TextReader;
  #high = 0;
  #traceAt = -1;
  #trace = '';

  constructor(bytes: Uint8Array, tally: Tally) {
    this.tally = tally;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#texts = new TextReader(bytes, tally);
  }

  /** The number of texts that were decoded instead of reused. */
  get textsMade(): number {
    return this.#texts.made;
  }

  /** The end of the field that begins here. Throws unless it lies within the enclosing message. */
  end(limit: number): number {
    const length = this.tag();
    const end = this.pos + length;
    if (end > limit) throw malformed('must not have a field that is longer than its message');
    return end;
  }

  /** The fields of a message must fill it exactly. */
  close(end: number): void {
    if (this.pos !== end) throw malformed('must not have a field that is longer than its message');
  }

  /** Skips a field that is unknown or has an unexpected wire type. */
  skip(tag: number, limit: number): void {
    if (tag >>> 3 === 0) throw malformed('must not have a field with the number 0');
    const wireType = tag & 7;
    if (wireType === VARINT) this.#varint();
    else if (wireType === FIXED64) this.pos += 8;
    else if (wireType === FIXED32) this.pos += 4;
    else if (wireType === DELIMITED) this.pos = this.end(limit);
    else throw malformed('must not have a field of an unknown wire type');
    if (this.pos > limit) throw malformed('must not have a field that is longer than its message');
  }

  /** A field's number and wire type, or its length: at most 32 bits. */
  tag(): number {
    const byte = this.#bytes[this.pos];
    if (byte !== undefined && byte < 0x80) {
      this.pos += 1;
      return byte;
    }
    const value = this.#varint();
    if (this.#high !== 0) throw malformed('must not have a tag or a length of more than 32 bits');
    return value;
  }

  /** The lowest 32 bits of a varint. */
  uint32(): number {
    const byte = this.#bytes[this.pos];
    if (byte !== undefined && byte < 0x80) {
      this.pos += 1;
      return byte;
    }
    return this.#varint();
  }

  int32(): number {
    return this.uint32() | 0;
  }

  sint32(): number {
    const value = this.uint32();
    return (value >>> 1) ^ -(value & 1);
  }

  bool(): boolean {
    const low = this.#varint();
    return (this.#high | low) !== 0;
  }

  int64(): number | string {
    const byte = this.#bytes[this.pos];
    if (byte !== undefined && byte < 0x80) {
      this.pos += 1;
      return byte;
    }
    const low = this.#varint();
    return signed64(this.#high, low);
  }

  fixed32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  double(): Numeric {
    return numeric(this.#view.getFloat64(this.#take(8), true));
  }

  sfixed64(): number | string {
    const at = this.#take(8);
    return signed64(this.#view.getUint32(at + 4, true), this.#view.getUint32(at, true));
  }

  /** Undefined above 2^53 - 1. */
  count(): number | undefined {
    const at = this.#take(8);
    return count64(this.#view.getUint32(at + 4, true), this.#view.getUint32(at, true));
  }

  /** Undefined above 2^63 - 1. */
  time(): string | undefined {
    const at = this.#take(8);
    return nanoseconds(this.#view.getUint32(at + 4, true), this.#view.getUint32(at, true));
  }

  /** Reads an id of `size` bytes (16 or 8): hexadecimal; empty if there are no bytes or all are zero; `INVALID_ID` for anything else. */
  id(limit: number, size: 16 | 8): string {
    const end = this.end(limit);
    const at = this.pos;
    this.pos = end;
    if (end === at) return '';
    if (end - at !== size) return INVALID_ID;
    if (size === 8) return this.#texts.spanId(at);
    // Neighbouring spans often have the same trace id.
    if (!this.#isLastTrace(at)) {
      this.#trace = this.#texts.traceId(at);
      this.#traceAt = at;
    }
    return this.#trace;
  }

  /** The first `room` bytes of a text at most. Sets `tally.cut` if the text is longer. */
  text(limit: number, room: number): string {
    const end = this.end(limit);
    const at = this.pos;
    this.pos = end;
    if (end - at <= room) return this.#texts.read(at, end);
    this.tally.cut = true;
    return this.#texts.read(at, this.#texts.boundary(at + room));
  }

  /** A text within the value that is being read. Takes its bytes from `tally.room`. */
  valueText(limit: number): string {
    const { tally } = this;
    const { room } = tally;
    const end = this.end(limit);
    const at = this.pos;
    this.pos = end;
    tally.room = Math.max(0, room - (end - at));
    if (end - at <= room) return this.#texts.read(at, end);
    tally.cut = true;
    if (!tally.keepsEnds) return this.#texts.read(at, this.#texts.boundary(at + room));
    const bytes = endBytes(room);
    return joinEnds(
      this.#texts.read(at, this.#texts.boundary(at + bytes)),
      this.#texts.read(this.#texts.following(end - bytes), end),
    );
  }

  /** A text of limited length outside of attributes. A cut is counted in `tally`. */
  name(limit: number, room: number = MAX_NAME_BYTES): string {
    this.tally.cut = false;
    const text = this.text(limit, room);
    if (this.tally.cut) this.tally.lose('texts');
    return text;
  }

  /** Bytes within the value that is being read. Takes them from `tally.room`. */
  valueBytes(limit: number): Uint8Array {
    const { tally } = this;
    const { room } = tally;
    const end = this.end(limit);
    const at = this.pos;
    this.pos = end;
    tally.room = Math.max(0, room - (end - at));
    if (end - at > room) tally.cut = true;
    return this.#bytes.subarray(at, Math.min(end, at + room));
  }

  #isLastTrace(at: number): boolean {
    const last = this.#traceAt;
    if (last < 0) return false;
    for (let word = 0; word < 16; word += 4) {
      if (this.#view.getInt32(at + word) !== this.#view.getInt32(last + word)) return false;
    }
    return true;
  }

  #take(size: number): number {
    const at = this.pos;
    this.pos = at + size;
    if (this.pos > this.#bytes.length) throw malformed('must not end within a field');
    return at;
  }

  /** Reads at most ten bytes. Returns the lower half, unsigned; puts the upper half into `#high`, signed. */
  #varint(): number {
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.#bytes[this.pos];
      if (byte === undefined) throw malformed('must not end within a field');
      this.pos += 1;
      const bits = byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high |= bits >>> 4;
      } else high |= bits << (shift - 32);
      if (byte < 0x80) {
        this.#high = high;
        return low >>> 0;
      }
    }
    throw malformed('must not have a number of more than ten bytes');
  }
}
