/**
 * Text that strangers may have written, made safe to hand to an agent: as a value of JSON, of bounded length, without characters that hide
 * or reorder text (docs/mcp.md#text-of-strangers).
 */

/** Most text of a value, in code points. */
export const MAX_TEXT_LENGTH = 200;
/** Control and format characters (bidirectional and invisible ones among them), line separators, private and unassigned ones. JSON has `\\n` and `\\t`. */
const HIDING =
  /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\u2028\u2029\u115F\u1160\u3164\uFFA0]|\u034F|[\uFE00-\uFE0F]|[\u{E0100}-\u{E01EF}]/gu;

/** The text with such characters as `\u202e`, cut to `maxLength` code points with `…` at the end. */
export function tidyText(text: string, maxLength = MAX_TEXT_LENGTH): string {
  const points = [...text.slice(0, 2 * maxLength + 2)];
  const cut = points.length > maxLength ? `${points.slice(0, maxLength).join('')}…` : text;
  return cut.replaceAll('\r\n', '\n').replace(HIDING, escaped);
}

const escaped = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
};

/** The value with every text in it made safe, keys of objects too. Dates become texts, as in JSON. */
export function tidyValue(value: unknown, maxLength = MAX_TEXT_LENGTH): unknown {
  if (typeof value === 'string') return tidyText(value, maxLength);
  if (Array.isArray(value)) return value.map((item) => tidyValue(item, maxLength));
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [tidyText(key, maxLength), tidyValue(item, maxLength)]),
  );
}
