/** Writes protobuf by hand, for bodies that no encoder would write. */

export function varint(value: number | bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt(value);
  for (; rest > Number.MAX_SAFE_INTEGER; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  let small = Number(rest);
  for (; small >= 128; small = Math.floor(small / 128)) bytes.push((small % 128) | 128);
  bytes.push(small);
  return Buffer.from(bytes);
}

/** A length-delimited field. */
export function field(number: number, ...content: Uint8Array[]): Buffer {
  const whole = Buffer.concat(content);
  return Buffer.concat([varint((number << 3) | 2), varint(whole.length), whole]);
}

/** A field of 8 bytes. */
export function fixed64(number: number, value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return Buffer.concat([varint((number << 3) | 1), bytes]);
}

/** As many copies of these bytes as fit into the size. */
export const fill = (bytes: Uint8Array, size: number): Buffer =>
  Buffer.alloc(Math.floor(size / bytes.length) * bytes.length, bytes);

export const text = (value: string): Buffer => Buffer.from(value);

/** Spans, log records or metrics in a request of one resource and one scope. */
export const request = (...items: Uint8Array[]): Uint8Array => new Uint8Array(field(1, field(2, ...items)));
