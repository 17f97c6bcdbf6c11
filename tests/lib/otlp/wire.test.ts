import { expect, test } from 'vitest';
import { decodeMetrics, decodeTraces } from '../../../lib/otlp/index.ts';
import { field, fixed64, request, text, varint } from './protobuf-wire.ts';

const undecodable = expect.objectContaining({ code: 'VALIDATION_ERROR' });
const IDS = Buffer.concat([field(1, Buffer.alloc(16, 1)), field(2, Buffer.alloc(8, 1))]);
const read = (body: Uint8Array) => decodeTraces(new Uint8Array(body), 'protobuf');

test.each([
  ['a length beyond the body', Buffer.from([10, 5, 1])],
  ['a length beyond all memory', Buffer.concat([Buffer.from([10]), varint(2n ** 63n)])],
  ['a tag of more than 32 bits', Buffer.concat([varint(2n ** 35n + 10n), Buffer.from([0])])],
  ['a length of 2^32 - 1', Buffer.concat([Buffer.from([10]), varint(2 ** 32 - 1)])],
  ['a length beyond its message', request(Buffer.concat([Buffer.from([18, 4]), field(5, text('abc'))]))],
  ['a number of eleven bytes', Buffer.from([16, ...new Array(10).fill(0xff), 1])],
  ['a number that does not end', Buffer.from([16, 0x80, 0x80])],
  ['a field with the number 0', Buffer.from([0x02, 0])],
  ['a group', Buffer.from([0x0b, 0x0c])],
  ['the wire type 6', Buffer.from([0x0e])],
  ['the wire type 7', Buffer.from([0x0f])],
  ['a time cut short', request(field(2, IDS, Buffer.from([57, 1, 2, 3])))],
  ['a skipped field of 8 bytes cut short', Buffer.from([0x99, 0x01, 1, 2])],
])('%s is undecodable', (_, body) => {
  expect(() => read(body)).toThrow(undecodable);
});

test('a known field of another wire type is an unknown one', () => {
  // The name as a varint, the kind as 8 bytes, an attribute as 4 bytes, the start as text.
  const odd = Buffer.concat([
    Buffer.from([40, 7]),
    fixed64(6, 1n),
    Buffer.from([77, 1, 2, 3, 4]),
    field(7, text('x')),
  ]);
  const { spans } = read(request(field(2, IDS, odd, field(3, text('a=b')))));
  expect(spans).toMatchObject([{ name: '', kind: 0, attributes: {}, startNano: '0', traceState: 'a=b' }]);
});

test('of a field sent twice the last one counts', () => {
  const { spans } = read(request(field(2, IDS, field(5, text('first')), field(5, text('last')))));
  expect(spans[0]?.name).toBe('last');
});

test('numbers may be packed or not', () => {
  const double = (value: number) => {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value);
    return bytes;
  };
  const unpacked = Buffer.concat([fixed64(6, 1n), fixed64(6, 2n), Buffer.from([57]), double(0.5)]);
  const count = Buffer.alloc(8);
  count.writeBigUInt64LE(3n);
  const packed = Buffer.concat([field(6, count, count), field(7, double(0.5))]);
  const points = [unpacked, packed].map((point) => field(1, point));
  const { points: rows } = decodeMetrics(
    request(field(2, field(1, text('m')), field(9, ...points))),
    'protobuf',
  );
  expect(rows.map(({ distribution }) => distribution)).toEqual([
    { bounds: [0.5], counts: [1, 2] },
    { bounds: [0.5], counts: [3, 3] },
  ]);
});

test('bytes that are not UTF-8 are replaced', () => {
  const { spans } = read(request(field(2, IDS, field(5, Buffer.from([0x61, 0xff, 0x62])))));
  expect(spans[0]?.name).toBe('a\ufffdb');
});

test('texts alike but for one byte are different', () => {
  const names = ['http.request.header.aaaa.x', 'http.request.header.abaa.x', 'http.request.header.aaaa.x'];
  const spans = names.map((name) => field(2, IDS, field(5, text(name))));
  expect(read(request(...spans)).spans.map(({ name }) => name)).toEqual(names);
});
