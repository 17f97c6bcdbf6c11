import { describe, expect, test } from 'vitest';
import { decodeLogs, decodeMetrics, decodeTraces } from '../../../lib/otlp/index.ts';
import { encode, REQUESTS } from './generated-messages.ts';
import { HEX, IDS, readLog, readSpan, toBytes, toJson } from './one-item.ts';

const jsonSpan = (members: string) =>
  decodeTraces(toBytes(`{"resourceSpans":[{"scopeSpans":[{"spans":[{${members}}]}]}]}`), 'json');
const jsonIds = `"traceId":"${HEX.traceId}","spanId":"${HEX.spanId}"`;

describe('ids', () => {
  test.each([
    ['a trace id of zeros', { traceId: new Uint8Array(16) }, 'trace ids'],
    ['a trace id of 15 bytes', { traceId: new Uint8Array(15).fill(1) }, 'trace ids'],
    ['no trace id', { traceId: new Uint8Array() }, 'trace ids'],
    ['a span id of zeros', { spanId: new Uint8Array(8) }, 'span ids'],
    ['a span id of 9 bytes', { spanId: new Uint8Array(9).fill(1) }, 'span ids'],
    ['a parent of 7 bytes', { parentSpanId: new Uint8Array(7).fill(1) }, 'parent span ids'],
  ])('a span with %s is refused, and counted', (_, ids, reason) => {
    const { span, partial } = readSpan(ids);
    expect(span).toBeUndefined();
    expect(partial).toEqual({ rejected: 1, message: expect.stringContaining(`Refused 1: 1 for ${reason}`) });
  });

  test('a span whose parent is all zero, or none, is a root', () => {
    expect(readSpan({ parentSpanId: new Uint8Array(8) }).span?.parentSpanId).toBeNull();
    expect(readSpan({}).span).toMatchObject({ ...HEX, parentSpanId: null });
  });

  test('hexadecimal is read in either case, and kept in lower', () => {
    const { spans } = jsonSpan(`"traceId":"${'AbCd'.repeat(8)}","spanId":"${'EF01'.repeat(4)}"`);
    expect(spans[0]).toMatchObject({ traceId: 'abcd'.repeat(8), spanId: 'ef01'.repeat(4) });
  });

  test('base64 is no id', () => {
    expect(jsonSpan('"traceId":"q6urq6urq6urq6urq6urqw==","spanId":"zc3Nzc3Nzc0="').partial?.rejected).toBe(
      1,
    );
  });

  test('a log record with invalid ids is kept without them', () => {
    const { log, partial } = readLog({ traceId: new Uint8Array(3).fill(1), spanId: new Uint8Array(8) });
    expect([log?.traceId, log?.spanId, partial]).toEqual([null, null, undefined]);
  });

  test('a link with invalid ids is left out, and the span warns', () => {
    const { span, partial } = readSpan({ links: [IDS, { ...IDS, traceId: new Uint8Array(16) }] });
    expect(span?.links).toMatchObject([HEX]);
    expect(partial).toEqual({ rejected: 0, message: expect.stringContaining('1 span links') });
  });
});

describe('integers', () => {
  const attribute = (intValue: string) =>
    jsonSpan(`${jsonIds},"attributes":[{"key":"k","value":{"intValue":${intValue}}}]`).spans[0]?.attributes;

  test.each([
    ['5', 5],
    ['"5"', 5],
    ['-5', -5],
    ['"-9007199254740991"', -9007199254740991],
    ['"9007199254740993"', '9007199254740993'],
    ['"-9223372036854775808"', '-9223372036854775808'],
  ])('of 64 bits are read from %s', (written, value) => {
    expect(attribute(written)).toEqual({ k: value });
  });

  test.each(['1.5', '"1.5"', '"x"', '""', '"9223372036854775808"', 'true', '[]'])('%s is none', (written) => {
    expect(() => attribute(written)).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        details: [{ path: 'intValue', message: 'must be an integer of 64 bits' }],
      }),
    );
  });

  test('an enum by its name is refused', () => {
    expect(jsonSpan(`${jsonIds},"kind":3`).spans[0]?.kind).toBe(3);
    expect(() => jsonSpan(`${jsonIds},"kind":"SPAN_KIND_CLIENT"`)).toThrow(
      expect.objectContaining({ details: [{ path: 'kind', message: 'must be an integer of 32 bits' }] }),
    );
  });

  test('unknown fields are ignored, and so are names in snake case', () => {
    const { spans, partial } = jsonSpan(`${jsonIds},"new":{"x":[1]},"trace_state":"a=b","name":"n"`);
    expect([spans[0]?.name, spans[0]?.traceState, partial]).toEqual(['n', '', undefined]);
  });
});

describe('times', () => {
  test('nanoseconds and durations are exact', () => {
    const { span } = readSpan({
      startTimeUnixNano: '1792000000123456789',
      endTimeUnixNano: '1792000003123456790',
    });
    expect(span).toMatchObject({ startNano: '1792000000123456789', durationNano: 3_000_000_001 });
  });

  test('an end that is missing or before the start is no duration', () => {
    expect(readSpan({ startTimeUnixNano: '5' }).span?.durationNano).toBe(0);
    expect(readSpan({ startTimeUnixNano: '5', endTimeUnixNano: '4' }).span?.durationNano).toBe(0);
  });

  test('a time that no bigint holds is refused', () => {
    expect(readSpan({ startTimeUnixNano: '9223372036854775807' }).span?.startNano).toBe(
      '9223372036854775807',
    );
    expect(readSpan({ endTimeUnixNano: '9223372036854775808' }).partial?.rejected).toBe(1);
  });

  test('a log record without a time has that of its observation', () => {
    expect(readLog({ observedTimeUnixNano: '7' }).log).toMatchObject({ timeNano: '7', observedNano: '7' });
    expect(readLog({ timeUnixNano: '6', observedTimeUnixNano: '7' }).log).toMatchObject({ timeNano: '6' });
  });
});

describe('attributes', () => {
  const stringOf = (stringValue: string) => readSpan({ attributes: [{ key: 'k', value: { stringValue } }] });

  test('those beyond 128 are left out, and counted', () => {
    const attributes = Array.from({ length: 130 }, (_, at) => ({
      key: `k${at}`,
      value: { intValue: String(at) },
    }));
    const { span, partial } = readSpan({ attributes });
    expect(Object.keys(span?.attributes ?? {})).toHaveLength(128);
    expect(partial).toEqual({ rejected: 0, message: 'Shortened: 2 attributes beyond 128 left out.' });
  });

  test('one longer than 4 KiB is cut between characters, and counted', () => {
    const whole = 'x'.repeat(4096);
    expect(stringOf(whole)).toMatchObject({ span: { attributes: { k: whole } }, partial: undefined });
    const { span, partial } = stringOf(`${'x'.repeat(4095)}é`);
    expect(span?.attributes).toEqual({ k: 'x'.repeat(4095) });
    expect(partial).toEqual({ rejected: 0, message: 'Shortened: 1 attributes cut to 4 KiB.' });
    expect(stringOf('😀'.repeat(1025)).span?.attributes).toEqual({ k: '😀'.repeat(1024) });
  });

  test('every kind of value has its form', () => {
    const values = [
      { stringValue: 'a' },
      { boolValue: false },
      { intValue: '-7' },
      { doubleValue: 0.5 },
      { doubleValue: Number.NaN },
      { doubleValue: -Infinity },
      { bytesValue: new Uint8Array([0, 255, 1]) },
      { kvlistValue: { values: [{ key: 'x', value: { arrayValue: { values: [{}] } } }] } },
      {},
    ];
    const { span } = readSpan({ attributes: [{ key: 'k', value: { arrayValue: { values } } }] });
    expect(span?.attributes).toEqual({
      k: ['a', false, -7, 0.5, 'NaN', '-Infinity', 'AP8B', { x: [null] }, null],
    });
  });

  test('a value nested too deep is cut there', () => {
    let value: object = { stringValue: 'core' };
    for (let level = 0; level < 40; level += 1) value = { arrayValue: { values: [value] } };
    const { span, partial } = readSpan({ attributes: [{ key: 'k', value }] });
    expect(JSON.stringify(span?.attributes)).toBe(`{"k":${'['.repeat(32)}null${']'.repeat(32)}}`);
    expect(partial?.message).toContain('1 attributes cut');
  });

  test('what jsonb refuses is replaced', () => {
    expect(stringOf('a\0b').span?.attributes).toEqual({ k: 'a\ufffdb' });
    expect(jsonSpan(`${jsonIds},"name":"a\\ud800b"`).spans[0]?.name).toBe('a\ufffdb');
  });
});

describe('origins', () => {
  const span = (spanId: number) => ({ ...IDS, spanId: new Uint8Array(8).fill(spanId) });
  const service = (stringValue: string) => ({
    attributes: [{ key: 'service.name', value: { stringValue } }],
  });

  test('equal resources and scopes are kept once, those without rows not at all', () => {
    const scope = { name: 's', version: '1' };
    const message = {
      resourceSpans: [
        { resource: service('a'), scopeSpans: [{ scope, spans: [span(1)] }] },
        { resource: service('b'), scopeSpans: [{ scope, spans: [span(2)] }] },
        {
          resource: service('a'),
          scopeSpans: [
            { scope, spans: [span(3)] },
            { scope: { name: 't' }, spans: [] },
          ],
        },
        { resource: service('c'), scopeSpans: [{ scope, spans: [{}] }] },
      ],
    };
    const batch = decodeTraces(encode(REQUESTS.traces, message), 'protobuf');
    expect(decodeTraces(toJson(message), 'json')).toEqual(batch);
    expect(batch.resources.map(({ attributes }) => attributes['service.name'])).toEqual(['a', 'b']);
    expect(batch.scopes.map(({ name }) => name)).toEqual(['s']);
    expect(batch.spans.map(({ resource, scope: of }) => [resource, of])).toEqual([
      [0, 0],
      [1, 0],
      [0, 0],
    ]);
  });

  test('a resource that follows its spans is theirs', () => {
    const before = encode(REQUESTS.traces, { resourceSpans: [{ scopeSpans: [{ spans: [span(1)] }] }] });
    const after = encode(REQUESTS.traces, { resourceSpans: [{ resource: service('a') }] });
    // The contents of both in this order, in one message.
    const content = [...before.subarray(2), ...after.subarray(2)];
    const { resources, spans } = decodeTraces(Uint8Array.from([10, content.length, ...content]), 'protobuf');
    expect([spans.length, resources[0]?.attributes]).toEqual([1, { 'service.name': 'a' }]);
  });

  test('an empty request has no rows', () => {
    expect(decodeTraces(new Uint8Array(), 'protobuf')).toEqual({ resources: [], scopes: [], spans: [] });
    expect(decodeLogs(toBytes('{}'), 'json')).toEqual({ resources: [], scopes: [], logs: [] });
    expect(decodeMetrics(new Uint8Array(), 'protobuf')).toMatchObject({ metrics: [], points: [] });
  });
});

describe('log bodies', () => {
  test.each([
    [{ stringValue: 'plain' }, 'plain'],
    [{ intValue: '3' }, 3],
    [{ kvlistValue: { values: [{ key: 'a', value: { boolValue: true } }] } }, { a: true }],
    [{ bytesValue: new Uint8Array([1]) }, 'AQ=='],
    [undefined, null],
  ])('%j', (body, value) => {
    expect(readLog({ body, severityNumber: 17, severityText: 'ERROR' }).log).toMatchObject({
      body: value,
      severityNumber: 17,
      severityText: 'ERROR',
    });
  });

  test('one longer than 64 KiB is cut, and counted', () => {
    const { log, partial } = readLog({ body: { stringValue: 'x'.repeat(70_000) } });
    expect(log?.body).toBe('x'.repeat(65_536));
    expect(partial).toEqual({ rejected: 0, message: 'Shortened: 1 log bodies cut to 64 KiB.' });
  });
});

describe('spans', () => {
  test('events, links and status', () => {
    const { span } = readSpan({
      flags: 0x301,
      kind: 2,
      status: { code: 2, message: 'no' },
      events: [{ timeUnixNano: '4', name: 'exception', droppedAttributesCount: 1 }],
      links: [{ ...IDS, traceState: 'a=b', flags: 1 }],
      droppedEventsCount: 2,
    });
    expect(span).toMatchObject({
      flags: 0x301,
      kind: 2,
      statusCode: 2,
      statusMessage: 'no',
      events: [{ name: 'exception', timeNano: '4', attributes: {}, droppedAttributes: 1 }],
      links: [{ ...HEX, traceState: 'a=b', flags: 1 }],
      droppedEvents: 2,
    });
  });

  test('an enum value that is not known yet is unspecified', () => {
    expect(readSpan({ kind: 9, status: { code: -1 } }).span).toMatchObject({ kind: 0, statusCode: 0 });
  });
});
