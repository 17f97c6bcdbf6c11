/** Values for hostile requests. */
import fc from 'fast-check';

/** Part of every hostile text. No answer may contain it. */
export const CANARY = 'xQcanaryZq';

export const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'length',
  'then',
  'toJSON',
];
/** The SDK removes `__proto__` from arguments, so no tool gets it. */
export const REACHING = NAMES.filter((name) => name !== '__proto__');
const SHAPES = [
  "' or '1'='1",
  '../../etc/passwd',
  '{{7*7}}',
  '${7*7}',
  '<script>alert(1)</script>',
  '\0',
  '\ud800',
  '\udfff\ud800',
  '\r\nX-Injected: 1',
  '%00',
  '🌊'.repeat(50),
  'a'.repeat(10_000),
  'e\u0301'.repeat(60),
  '\u202e\u2066',
];
/** Hostile and never valid: it has a character that no field accepts, or a wrong length. */
export const badText = fc
  .oneof(fc.constantFrom(...SHAPES, ...NAMES), fc.string({ unit: 'binary', maxLength: 60 }))
  .map((text) => `${CANARY} . ${text}`);
const deep = (depth: number): unknown => {
  let value: unknown = CANARY;
  for (let n = 0; n < depth; n += 1) value = n % 2 === 0 ? [value] : { [CANARY]: value };
  return value;
};
/** Never a string, so invalid in every text field. */
export const badShape = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1.5,
    1e308,
    [],
    {},
    [CANARY],
    { $ne: CANARY },
    deep(20),
    deep(2000),
  ),
  fc.dictionary(fc.constantFrom(...NAMES, CANARY), badText, { minKeys: 1, maxKeys: 4 }),
  fc.array(badText, { maxLength: 5 }),
);

/** Encodes a text for a URL, which can't contain a lone surrogate. */
export function encodeLoosely(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
