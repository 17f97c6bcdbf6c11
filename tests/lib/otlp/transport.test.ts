import { crc32, gzipSync, inflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  encodeError,
  encodeSuccess,
  inflate,
  MAX_INFLATED_BYTES,
  MAX_WIRE_BYTES,
  readOtlpEncoding,
  readOtlpType,
} from '../../../lib/otlp/index.ts';
import { decode, RESPONSES } from './generated-messages.ts';
import { field, text } from './protobuf-wire.ts';

const gzip = (bytes: Uint8Array) => new Uint8Array(gzipSync(bytes));
const unsupported = expect.objectContaining({ code: 'UNSUPPORTED_MEDIA_TYPE' });
const tooLarge = expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' });
const undecodable = expect.objectContaining({ code: 'VALIDATION_ERROR' });

test.each([
  ['application/x-protobuf', 'protobuf'],
  ['application/json', 'json'],
  ['application/json; charset=utf-8', 'json'],
  ['Application/X-Protobuf;v=1', 'protobuf'],
])('content type %s is %s', (header, type) => {
  expect(readOtlpType(header)).toBe(type);
});

test.each([null, '', 'text/plain', 'application/protobuf', 'application/grpc', 'application/jsonp'])(
  'content type %s is refused',
  (header) => {
    expect(() => readOtlpType(header)).toThrow(unsupported);
  },
);

test.each([
  [null, 'identity'],
  ['identity', 'identity'],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
])('content encoding %s is %s', (header, encoding) => {
  expect(readOtlpEncoding(header)).toBe(encoding);
});

test.each(['br', 'deflate', 'zstd', 'gzip, gzip', 'x-gzip'])('content encoding %s is refused', (header) => {
  expect(() => readOtlpEncoding(header)).toThrow(unsupported);
});

describe('inflating', () => {
  const random = Uint8Array.from({ length: 100_000 }, (_, at) => Math.imul(at, 0x9e3779b1) >>> 24);

  test('gives back what was compressed', async () => {
    expect(await inflate(gzip(random), 'gzip')).toEqual(random);
    expect(await inflate(gzip(new Uint8Array()), 'gzip')).toEqual(new Uint8Array());
    expect(await inflate(random, 'identity')).toBe(random);
  });

  test('takes 16 MiB, and refuses one byte more', async () => {
    const most = await inflate(gzip(new Uint8Array(MAX_INFLATED_BYTES)), 'gzip');
    expect(most.length).toBe(MAX_INFLATED_BYTES);
    await expect(inflate(gzip(new Uint8Array(MAX_INFLATED_BYTES + 1)), 'gzip')).rejects.toEqual(tooLarge);
    expect(await inflate(new Uint8Array(10), 'identity', 10)).toHaveLength(10);
    await expect(inflate(new Uint8Array(11), 'identity', 10)).rejects.toEqual(tooLarge);
  });

  test('stops at a bomb: 4 MiB that would be 4 GiB', { timeout: 180_000 }, async () => {
    // A gzip file may have several members. Making one deflate stream of 4 GiB would take a minute.
    const part = gzip(new Uint8Array(64 * 1024 * 1024));
    const bomb = new Uint8Array(MAX_WIRE_BYTES);
    for (let at = 0; at + part.length <= bomb.length; at += part.length) bomb.set(part, at);
    const before = process.memoryUsage().rss;
    await expect(inflate(bomb, 'gzip')).rejects.toEqual(tooLarge);
    expect(process.memoryUsage().rss - before).toBeLessThan(96 * 1024 * 1024);
  });

  test('what is not gzip, or not whole, is undecodable', async () => {
    const whole = gzip(random);
    const changed = whole.slice();
    changed.set([0xff, 0xff, 0xff], 30);
    for (const body of [random, whole.slice(0, -9), whole.slice(0, 5), new Uint8Array(), changed]) {
      await expect(inflate(body, 'gzip')).rejects.toEqual(undecodable);
    }
  });
});

/** Like workerd's: takes a single member, without optional fields, and nothing after it. */
class OneMember extends TransformStream<Uint8Array, Uint8Array> {
  constructor() {
    const chunks: Uint8Array[] = [];
    super({
      transform: (chunk) => void chunks.push(chunk),
      flush(controller) {
        const whole = Buffer.concat(chunks);
        const { buffer, engine } = inflateRawSync(whole.subarray(10), { info: true }) as unknown as {
          buffer: Buffer;
          engine: { bytesWritten: number };
        };
        const end = 10 + engine.bytesWritten;
        if (whole.length !== end + 8 || whole.readUInt32LE(end) !== crc32(buffer))
          throw new Error('not gzip');
        controller.enqueue(new Uint8Array(buffer));
      },
    });
  }
}

describe('inflating where the runtime takes one member only', () => {
  beforeEach(() => void vi.stubGlobal('DecompressionStream', OneMember));
  afterEach(() => void vi.unstubAllGlobals());

  const member = (content: string | Uint8Array, level = 6) => gzipSync(content, { level });
  const inflated = (members: Uint8Array[], maxBytes?: number) =>
    inflate(new Uint8Array(Buffer.concat(members)), 'gzip', maxBytes).then((bytes) =>
      Buffer.from(bytes).toString('latin1'),
    );
  const copies = (count: number, content: Uint8Array) => Array.from({ length: count }, () => content);
  /** Bytes that look like the beginning of a member, each too near to the one before for a member. */
  const LOOKALIKE = Uint8Array.of(0x1f, 0x8b, 8, 0, ...new Array(16).fill(1));
  const lookalikes = (count: number) => Buffer.concat([Buffer.alloc(20, 'x'), ...copies(count, LOOKALIKE)]);

  test('members are joined in their order', async () => {
    const parts = ['one', '', 'two', 'x'.repeat(70_000), '', 'three'];
    expect(await inflated(parts.map((part) => member(part)))).toBe(parts.join(''));
  });

  test('at most 512, however short', async () => {
    expect(await inflated(copies(512, member('a')))).toBe('a'.repeat(512));
    expect(await inflated(copies(511, member('')))).toBe('');
    await expect(inflated(copies(513, member('a')))).rejects.toEqual(undecodable);
  });

  test.each([
    // Each differs from the beginning of a member in one byte, and costs no try.
    ['another second byte', [0x1f, 0x8c, 8, 0]],
    ['another method', [0x1f, 0x8b, 7, 0]],
    ['reserved flags', [0x1f, 0x8b, 8, 0x20]],
    ['a first byte alone', [0x1f, 0x1f, 0x1f, 0x1f]],
  ])('any number of bytes with %s are within a member', async (_, bytes) => {
    const content = Buffer.concat(copies(50, Uint8Array.from(bytes)));
    expect(await inflated([member(content, 0), member('next')])).toBe(`${content.toString('latin1')}next`);
  });

  test('seven false beginnings in all members are tried, and the eighth is one too many', async () => {
    const read = (second: number) =>
      inflated([member(lookalikes(4), 0), member(lookalikes(second), 0), member('next')]);
    expect((await read(3)).slice(-4)).toBe('next');
    await expect(read(4)).rejects.toEqual(undecodable);
  });

  test('the limit counts the bytes of all members', async () => {
    const members = ['a'.repeat(6), 'b'.repeat(4)].map((part) => member(part));
    expect(await inflated(members, 10)).toHaveLength(10);
    await expect(inflated(members, 9)).rejects.toEqual(tooLarge);
    await expect(inflated([member('a'.repeat(10)), member('')], 9)).rejects.toEqual(tooLarge);
  });

  test.each([
    ['bytes after the last', [member('a'), member('b'), Buffer.from('and more')]],
    ['the last cut short', [member('a'), member('b').subarray(0, -1)]],
    ['the first damaged', [member('a').subarray(0, -1), member('b')]],
  ])('%s', async (_, members) => {
    await expect(inflated(members)).rejects.toEqual(undecodable);
  });
});

describe.each([
  ['traces', 'rejectedSpans'],
  ['logs', 'rejectedLogRecords'],
  ['metrics', 'rejectedDataPoints'],
] as const)('the answer to %s', (signal, rejected) => {
  const read = (body: Uint8Array) => JSON.parse(new TextDecoder().decode(body));

  test('is an empty message if all was taken', () => {
    expect(encodeSuccess(signal, 'protobuf', undefined)).toEqual({
      contentType: 'application/x-protobuf',
      body: new Uint8Array(),
    });
    const { contentType, body } = encodeSuccess(signal, 'json', undefined);
    expect([contentType, read(body)]).toEqual(['application/json', {}]);
  });

  test.each([1, 127, 128, 300_000])('tells that %i were refused', (count) => {
    const partial = { rejected: count, message: 'Refused: naïve ids.' };
    const { body } = encodeSuccess(signal, 'protobuf', partial);
    const expected = { [rejected]: String(count), errorMessage: partial.message };
    expect(decode(RESPONSES[signal], body)).toEqual({ partialSuccess: expected });
    expect(read(encodeSuccess(signal, 'json', partial).body)).toEqual({ partialSuccess: expected });
  });

  test('tells a warning with none refused', () => {
    const partial = { rejected: 0, message: 'Shortened.' };
    const { body } = encodeSuccess(signal, 'protobuf', partial);
    expect(decode(RESPONSES[signal], body)).toEqual({ partialSuccess: { errorMessage: 'Shortened.' } });
    expect(read(encodeSuccess(signal, 'json', partial).body)).toEqual({
      partialSuccess: { errorMessage: 'Shortened.' },
    });
  });
});

test('an error is a google.rpc.Status in the type of the request', () => {
  const { contentType, body } = encodeError({ code: 'UNAVAILABLE', message: 'Out of reach.' }, 'protobuf');
  expect(contentType).toBe('application/x-protobuf');
  // Field 1, a varint of 14; field 2, 13 bytes of text.
  expect(Buffer.from(body)).toEqual(Buffer.from([0x08, 14, 0x12, 13, ...Buffer.from('Out of reach.')]));
  const json = encodeError({ code: 'VALIDATION_ERROR', message: 'No.' }, 'json');
  expect(json.contentType).toBe('application/json');
  expect(JSON.parse(new TextDecoder().decode(json.body))).toEqual({ code: 3, message: 'No.' });
});

test('an error names the broken rules as a google.rpc.BadRequest', () => {
  const details = [
    { path: 'resourceSpans[0].scopeSpans[2].spans[7].kind', message: 'must be an integer of 32 bits' },
    { path: '', message: 'must be JSON' },
  ];
  const error = { code: 'VALIDATION_ERROR', message: 'No.', details } as const;
  const fieldViolations = details.map(({ path, message }) => ({ field: path, description: message }));
  const type = 'type.googleapis.com/google.rpc.BadRequest';
  expect(JSON.parse(new TextDecoder().decode(encodeError(error, 'json').body))).toEqual({
    code: 3,
    message: 'No.',
    details: [{ '@type': type, fieldViolations }],
  });
  const violations = details.map(({ path, message }) =>
    field(1, ...(path === '' ? [] : [field(1, text(path))]), field(2, text(message))),
  );
  expect(Buffer.from(encodeError(error, 'protobuf').body)).toEqual(
    Buffer.concat([
      Buffer.from([0x08, 3]),
      field(2, text('No.')),
      field(3, field(1, text(type)), field(2, ...violations)),
    ]),
  );
});
