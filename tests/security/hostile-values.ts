/** Hostile values. Each text contains `MARK`, so that a test finds answers and log lines that repeat it. */
import fc from 'fast-check';

/** Part of hostile texts. No error and no log line may contain it. */
export const MARK = 'zqMARKqz';

const SQL = [
  `${MARK}'; drop table sites; --`,
  `${MARK}' or '1'='1`,
  `\\'; select pg_sleep(9); -- ${MARK}`,
  `${MARK}1); delete from users; --`,
  `$$; drop schema public cascade; $$ ${MARK}`,
];
const MARKUP = [`<script>${MARK}</script>`, `{{${MARK}}}`, `\${${MARK}}`, `=cmd|' /C ${MARK}'!A0`];
const UNUSUAL = [
  '\0',
  '\ud800',
  `${MARK}\u202e\u0000`,
  '__proto__',
  'constructor',
  '../../etc/passwd',
  'null',
  'NaN',
  '-0',
  '1e309',
  '9223372036854775808',
  '-1',
  '💣'.repeat(99),
  MARK.repeat(600),
  '%00',
  '%ff',
  '0000-01-01',
  '9999-12-31',
  '2026-02-30',
  '+275760-09-13',
];

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...SQL, ...MARKUP, ...UNUSUAL),
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text + MARK),
);

/** Values of wrong types and shapes. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.anything({ withNullPrototype: false, maxDepth: 3 }),
  fc.double(),
  fc.constantFrom<unknown>(null, true, [], {}, [[]], { $ne: null }, { length: 1 }, 1e21, -1),
);

/** Encodes any value as JSON; `""` if that isn't possible. */
export const encodeJson = (input: unknown): string => {
  const plain = (_: string, item: unknown) => (typeof item === 'bigint' ? String(item) : item);
  return JSON.stringify(input, plain) ?? '""';
};

const brokenUtf8 = fc
  .uint8Array({ minLength: 1, maxLength: 60 })
  .map((bytes) => new Uint8Array([0x7b, 0xff, ...bytes]));

/** Bodies that aren't JSON, or JSON of any kind. */
export const garbage: fc.Arbitrary<string | Uint8Array<ArrayBuffer>> = fc.oneof(
  hostileText,
  hostileValue.map(encodeJson),
  brokenUtf8,
  fc.constantFrom('', '{', '{}}', '[]', 'null', '"text"', '['.repeat(60_000), `${'{"a":'.repeat(5000)}1`),
  fc.constant(MARK.repeat(9000)),
);

/** A body with one hostile field and one unknown field, so that it can't be valid by chance. */
export const spoiled = (body: object): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom('', ...Object.keys(body)), hostileValue, hostileText)
    .map(([key, item, name]) => encodeJson({ ...body, ...(key && { [key]: item }), [`x${name}`]: 0 }));

/** A body with one hostile field and no unknown one. It may be valid by chance. */
export const bent = (body: object): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom('', ...Object.keys(body)), hostileValue)
    .map(([key, item]) => encodeJson({ ...body, ...(key && { [key]: item }) }));
