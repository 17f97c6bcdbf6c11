/** Writes the wire format of protobuf into bytes that grow. Lengths that aren't known before are filled in afterwards. */
import { Buffer } from 'node:buffer';

/** JavaScript writes texts up to this number of characters: a call into Node.js costs more for them. */
const SHORT = 48;
const TWO_TO_32 = 2 ** 32;

export class ProtobufBytes {
  #bytes: Buffer;
  #at = 0;

  constructor(expectedBytes: number) {
    this.#bytes = Buffer.allocUnsafe(expectedBytes);
  }

  get at(): number {
    return this.#at;
  }

  /** What was written. Nothing may be written any more. */
  finish(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  /** A copy of what was written; the next begins anew. */
  take(): Buffer {
    const taken = Buffer.allocUnsafe(this.#at);
    this.#bytes.copy(taken, 0, 0, this.#at);
    this.#at = 0;
    return taken;
  }

  /** A copy of what was written since `from`. */
  copySince(from: number): Uint8Array {
    return Uint8Array.prototype.slice.call(this.#bytes, from, this.#at);
  }

  #room(bytes: number): Buffer {
    const needed = this.#at + bytes;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.#at);
      this.#bytes = larger;
    }
    return this.#bytes;
  }

  /** Field numbers up to 15 with their wire type, and anything else below 128. */
  byte(value: number): void {
    this.#room(1)[this.#at++] = value;
  }

  /** A non-negative integer below 2^53. */
  varint(value: number): void {
    const bytes = this.#room(8);
    let at = this.#at;
    let rest = value;
    for (; rest >= TWO_TO_32; rest = Math.floor(rest / 128)) bytes[at++] = (rest % 128) | 128;
    for (; rest >= 128; rest >>>= 7) bytes[at++] = (rest & 127) | 128;
    bytes[at++] = rest;
    this.#at = at;
  }

  /** An integer of 64 bits, in two's complement. */
  int64(value: number): void {
    if (value >= 0 && value <= Number.MAX_SAFE_INTEGER) this.varint(value);
    else {
      const bytes = this.#room(10);
      let rest = BigInt.asUintN(64, BigInt(value));
      for (; rest >= 128n; rest >>= 7n) bytes[this.#at++] = Number(rest & 127n) | 128;
      bytes[this.#at++] = Number(rest);
    }
  }

  fixed32(value: number): void {
    this.#at = this.#room(4).writeUInt32LE(value >>> 0, this.#at);
  }

  double(value: number): void {
    this.#at = this.#room(8).writeDoubleLE(value, this.#at);
  }

  /** Nanoseconds since 1970, of seconds and nanoseconds. */
  time([seconds, nanos]: readonly [number, number]): void {
    // 10^9 is 5^9 × 2^9: so each step stays below 2^53.
    const product = Math.trunc(seconds) * 1_953_125;
    const low = (product % 2 ** 23) * 512 + nanos;
    this.fixed32(low % TWO_TO_32);
    this.fixed32(Math.floor(product / 2 ** 23) + Math.floor(low / TWO_TO_32));
  }

  /** Bytes as they are. */
  raw(value: Uint8Array): void {
    this.#room(value.length).set(value, this.#at);
    this.#at += value.length;
  }

  /** An id of hexadecimal digits, with its length. */
  hex(id: string): void {
    const length = id.length >> 1;
    this.varint(length);
    const bytes = this.#room(length);
    for (let n = 0; n < length; n += 1)
      bytes[this.#at++] = (digit(id.charCodeAt(2 * n)) << 4) | digit(id.charCodeAt(2 * n + 1));
  }

  /** UTF-8, with its length. */
  text(value: string): void {
    if (value.length < SHORT && this.#ascii(value)) return;
    const length = Buffer.byteLength(value);
    this.varint(length);
    this.#at += this.#room(length).write(value, this.#at);
  }

  /** False, with nothing written, if the text has other characters. It is shorter than 128. */
  #ascii(value: string): boolean {
    const { length } = value;
    const bytes = this.#room(length + 1);
    let at = this.#at;
    bytes[at++] = length;
    for (let n = 0; n < length; n += 1) {
      const code = value.charCodeAt(n);
      if (code > 127) return false;
      bytes[at++] = code;
    }
    this.#at = at;
    return true;
  }

  /** Makes room for a length. Pass the result to `close` when what it counts is written. */
  open(): number {
    this.#room(1);
    this.#at += 1;
    return this.#at;
  }

  close(start: number): void {
    const length = this.#at - start;
    if (length < 128) {
      this.#bytes[start - 1] = length;
      return;
    }
    let more = 0;
    for (let rest = length; rest >= 128; rest >>>= 7) more += 1;
    const end = this.#at + more;
    this.#room(more).copyWithin(start + more, start, this.#at);
    this.#at = start - 1;
    this.varint(length);
    this.#at = end;
  }
}

/** Of small and of capital letters. */
const digit = (code: number): number => (code <= 57 ? code - 48 : (code | 32) - 87);
