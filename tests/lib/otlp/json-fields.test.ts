/** What each kind of field takes in OTLP's JSON, to its limits. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DomainError } from '../../../lib/errors.ts';
import { decodeMetrics, decodeTraces } from '../../../lib/otlp/index.ts';
import { HEX, readLog, readSpan, toBytes } from './one-item.ts';

const span = (members: string) =>
  decodeTraces(
    toBytes(
      `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"${HEX.traceId}","spanId":"${HEX.spanId}",${members}}]}]}]}`,
    ),
    'json',
  );
const metric = (members: string) =>
  decodeMetrics(
    toBytes(`{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"m",${members}}]}]}]}`),
    'json',
  );
const value = (anyValue: string) =>
  span(`"attributes":[{"key":"k","value":${anyValue}}]`).spans[0]?.attributes.k;

/** The field and the rule of the body's error. */
function faultOf(decode: () => unknown): string {
  try {
    decode();
  } catch (error) {
    const [detail] = (error as DomainError).details ?? [];
    return `${detail?.path.split('.').at(-1)} ${detail?.message}`;
  }
  return 'none';
}

const BITS_32 = 'must be an integer of 32 bits';
const BITS_64 = 'must be an integer of 64 bits';
const UNSIGNED_64 = 'must be an unsigned integer of 64 bits';
const NANOSECONDS = 'must be nanoseconds since 1970, an unsigned integer of 64 bits';
const SIGNED_32 = 'must be an integer from -2147483648 to 2147483647';

describe('what is taken', () => {
  test.each([
    ['0', 0],
    ['-0', 0],
    ['4294967295', 4294967295],
    ['"4294967295"', 4294967295],
    ['"7"', 7],
    ['"2e1"', 20],
    ['null', 0],
  ])('flags %s', (written, flags) => expect(span(`"flags":${written}`).spans[0]?.flags).toBe(flags));

  test.each([
    ['2147483647', 2147483647],
    ['-2147483648', -2147483648],
  ])('a scale of %s', (written, scale) => {
    const { points } = metric(`"exponentialHistogram":{"dataPoints":[{"scale":${written}}]}`);
    expect(points[0]?.distribution).toMatchObject({ scale });
  });

  test.each([
    ['-0', 0],
    ['"-0"', 0],
    ['"0.00"', 0],
    ['"0012"', 12],
    ['"123456789012345"', 123456789012345],
    ['"-123456789012345"', -123456789012345],
    ['"1234567890123456"', 1234567890123456],
    ['"1e18"', '1000000000000000000'],
    ['"0.5e1"', 5],
    ['"120e-1"', 12],
    ['"00.0120e3"', 12],
    ['"9223372036854775807"', '9223372036854775807'],
    ['4294967296', 4294967296],
    ['-1', -1],
  ])('an integer %s', (written, read) => expect(value(`{"intValue":${written}}`)).toBe(read));

  test.each([
    ['"NaN"', 'NaN'],
    ['"Infinity"', 'Infinity'],
    ['"-Infinity"', '-Infinity'],
    ['1e400', 'Infinity'],
    ['-1e400', '-Infinity'],
    ['-0.0', 0],
    ['"-0"', 0],
    ['"1.25e2"', 125],
    ['"-12E-1"', -1.2],
    ['"12e+1"', 120],
    ['"10"', 10],
  ])('a double %s', (written, read) => expect(value(`{"doubleValue":${written}}`)).toBe(read));

  test.each([
    ['0', 0],
    ['1', 1],
    ['"9007199254740991"', 9007199254740991],
    ['null', 0],
    ['"1e3"', 1000],
  ])('a count %s', (written, count) => {
    expect(metric(`"summary":{"dataPoints":[{"count":${written}}]}`).points[0]?.count).toBe(count);
  });

  test.each(['"9007199254740992"', '9007199254740992', '"18446744073709551615"'])(
    'a count %s, but its point is refused',
    (written) => {
      const { partial } = metric(`"summary":{"dataPoints":[{"count":${written}}]}`);
      expect(partial?.dropped).toEqual({ point: 1 });
    },
  );

  test.each([
    ['null', '0'],
    ['0', '0'],
    ['"1"', '1'],
    ['"1e9"', '1000000000'],
    ['"1792000000123456789"', '1792000000123456789'],
    ['"0000000000000000001"', '1'],
    ['"9223372036854775807"', '9223372036854775807'],
  ])('a time %s', (written, nano) => {
    expect(span(`"startTimeUnixNano":${written}`).spans[0]?.startNano).toBe(nano);
  });

  test.each(['"9223372036854775808"', '"18446744073709551615"'])(
    'a time %s, but its span is refused',
    (written) => {
      for (const name of ['startTimeUnixNano', 'endTimeUnixNano'])
        expect(span(`"${name}":${written}`).partial?.dropped).toEqual({ time: 1 });
    },
  );

  test('null, which is as if nothing was sent', () => {
    const names = [
      ...['parentSpanId', 'traceState', 'flags', 'name', 'kind', 'startTimeUnixNano', 'endTimeUnixNano'],
      ...['status', 'attributes', 'events', 'links', 'droppedAttributesCount', 'droppedEventsCount'],
    ];
    expect(span(names.map((name) => `"${name}":null`).join())).toEqual(span('"new":null'));
    expect(span('"status":{"code":null,"message":null}')).toEqual(span('"new":null'));
    for (const kind of ['string', 'int', 'double', 'bool', 'bytes', 'array', 'kvlist'])
      expect(value(`{"${kind}Value":null,"boolValue":true}`)).toBe(true);
    expect([value('null'), value('{"arrayValue":{"values":[null]}}')]).toEqual([null, [null]]);
    const { metrics, points } = metric(
      '"gauge":null,"sum":{"aggregationTemporality":null,"isMonotonic":null,"dataPoints":[{"asInt":null,"asDouble":0.5}]}',
    );
    expect(metrics).toMatchObject([{ type: 'sum', temporality: 0, monotonic: false }]);
    expect(points).toMatchObject([{ value: 0.5 }]);
  });

  test('base64 of both alphabets, with and without padding', () => {
    const written = ['+/8=', '-_8=', '-_8', '+/8'].map((text) => value(`{"bytesValue":"${text}"}`));
    expect(written).toEqual(['+/8=', '+/8=', '+/8=', '+/8=']);
    expect(faultOf(() => value('{"bytesValue":"*"}'))).toBe('bytesValue must be base64');
  });
});

describe('what is refused', () => {
  const integers = ['1.5', 'true', '"x"', '""', '{}', '[]'];
  test.each([
    ...['4294967296', ...integers].map((written) => ['flags', written, BITS_32]),
    ['flags', '-1', 'must not be negative'],
    ['kind', '-2147483649', BITS_32],
    ...['-9223372036854775809', '"1e40"', '"9223372036854775808"'].map((written) => [
      'intValue',
      written,
      BITS_64,
    ]),
    ...['"0.5"', '"5e-1"', '"1.e1"', '"1e1e1"', '"+1"', '" 1"', '"1 "'].map((written) => [
      'intValue',
      written,
      BITS_64,
    ]),
    ...['-1', '"-1"', '"18446744073709551616"', '18446744073709551616', ...integers].map((written) => [
      'startTimeUnixNano',
      written,
      NANOSECONDS,
    ]),
    ...['"179200000012345678x"', '"x792000000123456789"', '"1792000000123456789 "'].map((written) => [
      'endTimeUnixNano',
      written,
      NANOSECONDS,
    ]),
    ...['"x"', '""', 'true', '"1e"', '" 1"', '"1 "', '".5"', '"1."', '"Infinity "', '[]'].map((written) => [
      'doubleValue',
      written,
      'must be a number',
    ]),
    ...['"true"', '1', '{}'].map((written) => ['boolValue', written, 'must be true or false']),
    ...['5', 'false', '[]'].map((written) => ['name', written, 'must be a string']),
    ...['{}', '"x"', '1'].map((written) => ['events', written, 'must be a list']),
    ...['[]', '"x"', '1'].map((written) => ['status', written, 'must be an object']),
  ])('%s: %s', (name = '', written, rule) => {
    const decode = () =>
      name.endsWith('Value') ? value(`{"${name}":${written}}`) : span(`"${name}":${written}`);
    expect(faultOf(decode)).toBe(`${name} ${rule}`);
  });

  test.each([
    ...['-1', '"18446744073709551616"', '1.5', 'true', '"x"'].map((count) => ['count', count, UNSIGNED_64]),
    ...['2147483648', '4294967295'].map((scale) => ['scale', scale, SIGNED_32]),
  ])('%s: %s', (name, written, rule) => {
    const decode = () => metric(`"exponentialHistogram":{"dataPoints":[{"${name}":${written}}]}`);
    expect(faultOf(decode)).toBe(`${name} ${rule}`);
  });

  test.each(['null', '[]', '7', '"x"'])('a span, or a whole body, that is %s', (written) => {
    const list = toBytes(`{"resourceSpans":[{"scopeSpans":[{"spans":[${written}]}]}]}`);
    expect(faultOf(() => decodeTraces(list, 'json'))).toBe('spans[0] must be an object');
    expect(faultOf(() => decodeTraces(toBytes(written), 'json'))).toBe(' must be an object');
  });
});

test('any time and duration is exact, in both encodings', () => {
  const MAX = 2n ** 63n - 1n;
  const nano = fc.oneof(
    fc.bigInt({ min: 0n, max: MAX }),
    fc.bigInt({ min: 2n ** 53n - 2n, max: 2n ** 53n + 2n }),
    // Groups of seven digits that begin with zeros, or have nothing else.
    fc.tuple(fc.bigInt({ min: 0n, max: 92n }), fc.nat(9), fc.nat(9)).map(([high, middle, low]) => {
      const whole = high * 10n ** 17n + BigInt(middle) * 10n ** 7n + BigInt(low);
      return whole > MAX ? MAX : whole;
    }),
  );
  fc.assert(
    fc.property(nano, fc.bigInt({ min: 1n, max: 2n ** 53n - 1n }), (start, length) => {
      const end = start + length > MAX ? MAX : start + length;
      const { span: row } = readSpan({ startTimeUnixNano: String(start), endTimeUnixNano: String(end) });
      expect([row?.startNano, row?.durationNano]).toEqual([String(start), Number(end - start)]);
      expect(readLog({ timeUnixNano: String(end) }).log?.timeNano).toBe(String(end));
    }),
  );
});
