const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Whether a text is ASCII without U+0000. Such a text has as many bytes as characters and can be stored unchanged. */
export function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x80 || unit === 0) return false;
  }
  return true;
}

/** The length of a text in bytes of UTF-8; a lone surrogate has 3. */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    length += unit < 0x800 ? 1 : 2;
    // A surrogate pair has 4 bytes: 2 more than its number of units.
    if (unit >= 0xd800 && unit < 0xdc00 && isLow(text.charCodeAt(at + 1))) at += 1;
  }
  return length;
}

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

/** The longest beginning of a text that has at most `maxBytes` bytes in UTF-8, cut between characters. */
export function cutText(text: string, maxBytes: number): string {
  const { read } = encoder.encodeInto(text, new Uint8Array(maxBytes));
  return text.slice(0, read);
}

/** The longest end of a text that has at most `maxBytes` bytes in UTF-8, cut between characters. */
export function lastOfText(text: string, maxBytes: number): string {
  if (maxBytes === 0) return '';
  const bytes = encoder.encode(text.slice(-maxBytes));
  let at = Math.max(0, bytes.length - maxBytes);
  while (((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1;
  return decoder.decode(bytes.subarray(at));
}

/** Replaces U+0000 and lone surrogates, which PostgreSQL's jsonb refuses, by U+FFFD. */
export function clean(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '\ufffd') : wellFormed;
}
