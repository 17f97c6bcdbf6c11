/** Writes short protobuf messages, with field numbers below 16. Leaves out zeros and empty values, like proto3. */
export class WireWriter {
  readonly #bytes: number[] = [];

  /** An unsigned integer of at most 2^53 - 1. */
  integer(field: number, value: number): this {
    if (value === 0) return this;
    this.#bytes.push(field << 3);
    this.#varint(value);
    return this;
  }

  text(field: number, value: string): this {
    return value === '' ? this : this.bytes(field, new TextEncoder().encode(value));
  }

  bytes(field: number, value: Uint8Array): this {
    this.#bytes.push((field << 3) | 2);
    this.#varint(value.length);
    for (const byte of value) this.#bytes.push(byte);
    return this;
  }

  finish(): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(this.#bytes);
  }

  #varint(value: number): void {
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.#bytes.push((rest % 0x80) | 0x80);
    this.#bytes.push(rest);
  }
}
