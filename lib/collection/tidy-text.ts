// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is to go
const CONTROLS = /[\u0000-\u001f\u007f]+/g;

/**
 * Text fit to be stored and shown: well-formed, without control characters, trimmed, at most `max` UTF-16 units and never
 * cut inside a code point. Absent if nothing is left.
 */
export function tidyText(raw: string | null | undefined, max: number): string | undefined {
  if (raw === null || raw === undefined) return undefined;
  const tidy = raw.toWellFormed().replace(CONTROLS, ' ').trim();
  const cut =
    tidy.length <= max ? tidy : tidy.slice(0, isHighSurrogate(tidy, max - 1) ? max - 1 : max).trimEnd();
  return cut === '' ? undefined : cut;
}

const isHighSurrogate = (text: string, index: number): boolean =>
  (text.charCodeAt(index) & 0xfc00) === 0xd800;
