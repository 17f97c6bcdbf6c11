/** A number outside of texts that a double may not hold exactly: with 16 digits before the point, or a positive exponent. May find others. */
const MAY_BE_LONG = /[:[,]\s*-?(?:\d{16}|\d[\d.]*[eE]\+?\d)/;
/** Shorter integers are exact as doubles, with or without an exponent, up to 2^64. */
const MIN_CHARS = 10;
const MAX_CHARS = 400;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Whether a JSON text may have a number that `JSON.parse` doesn't read exactly. */
export const mayHaveLongNumbers = (text: string): boolean => MAY_BE_LONG.test(text);

/**
 * Puts long numbers of a JSON text into quotes, so that `JSON.parse` keeps their digits: protobuf's JSON reads a 64-bit integer from a
 * text too. `count`: how many. One pass over the bytes; a reviver that reads the source text costs seven times as much (measured).
 */
export function quoteLongNumbers(bytes: Uint8Array): { quoted: Uint8Array; count: number } {
  // A quoted number is at least `MIN_CHARS` long and gets two bytes more.
  const into = new Uint8Array(Math.ceil((bytes.length * (MIN_CHARS + 2)) / MIN_CHARS));
  let length = 0;
  let count = 0;
  let copied = 0;
  const copyTo = (at: number): void => {
    into.set(bytes.subarray(copied, at), length);
    length += at - copied;
    copied = at;
  };
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) at = endOfText(bytes, at);
    else if (!isOfNumber(byte)) at += 1;
    else {
      const from = at;
      while (at < bytes.length && isOfNumber(bytes[at] as number)) at += 1;
      if (!isNumber(bytes, from, at)) continue;
      copyTo(from);
      into[length] = QUOTE;
      length += 1;
      copyTo(at);
      into[length] = QUOTE;
      length += 1;
      count += 1;
    }
  }
  copyTo(bytes.length);
  return { quoted: into.subarray(0, length), count };
}

/** The position after a text that begins with the quote at `from`. */
function endOfText(bytes: Uint8Array, from: number): number {
  for (let at = from + 1; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === BACKSLASH) at += 1;
    else if (byte === QUOTE) return at + 1;
  }
  return bytes.length;
}

/** Digits, signs, the point, and the exponent's letter, which `true`, `false` and `null` have too. */
const isOfNumber = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) ||
  byte === 0x2d ||
  byte === 0x2e ||
  byte === 0x2b ||
  byte === 0x65 ||
  byte === 0x45;

function isNumber(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from < MIN_CHARS || to - from > MAX_CHARS) return false;
  return NUMBER.test(String.fromCharCode(...bytes.subarray(from, to)));
}
