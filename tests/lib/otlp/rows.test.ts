import { describe, expect, test } from 'vitest';
import type { DomainError } from '../../../lib/errors.ts';
import { decodeLogs, decodeMetrics, decodeTraces } from '../../../lib/otlp/index.ts';
import { encode, REQUESTS } from './generated-messages.ts';
import { HEX, IDS, readLog, readSpan, toBytes, toJson } from './one-item.ts';

const jsonSpan = (members: string) =>
  decodeTraces(toBytes(`{"resourceSpans":[{"scopeSpans":[{"spans":[{${members}}]}]}]}`), 'json');
const SPAN = 'resourceSpans[0].scopeSpans[0].spans[0]';
const TIMES = { startTimeUnixNano: '5', endTimeUnixNano: '6' };
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
    expect(partial).toEqual({
      rejected: 1,
      message: expect.stringContaining(`Refused 1: 1 for ${reason}`),
      dropped: { ids: 1 },
    });
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

  test('a log record with invalid ids is kept without them, and warns', () => {
    const { log, partial } = readLog({
      traceId: new Uint8Array(3).fill(1),
      spanId: new Uint8Array(8).fill(2),
    });
    expect([log?.traceId, log?.spanId]).toEqual([null, HEX.spanId.replaceAll('cd', '02')]);
    const message = 'Shortened: 1 invalid trace or span ids of log records and exemplars left out.';
    expect(partial).toEqual({ rejected: 0, message });
    const json = `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"traceId":"xyz","spanId":"1"},{"spanId":"12"}]}]}]}`;
    expect(decodeLogs(toBytes(json), 'json').partial?.message).toMatch(/^Shortened: 3 invalid /);
  });

  test('a log record whose ids are zero has none, and that is nothing to warn of', () => {
    const { log, partial } = readLog({ traceId: new Uint8Array(16), spanId: new Uint8Array(8) });
    expect([log?.traceId, log?.spanId, partial]).toEqual([null, null, undefined]);
  });

  test('a link with invalid ids is left out, and the span warns', () => {
    const { span, partial } = readSpan({ links: [IDS, { ...IDS, traceId: new Uint8Array(16) }] });
    expect(span).toMatchObject({ links: [HEX], droppedLinks: 1 });
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
    ['9007199254740993', '9007199254740993'],
    ['-9223372036854775807', '-9223372036854775807'],
    ['  9223372036854775807 ', '9223372036854775807'],
    ['9007199254740993.0', '9007199254740993'],
    ['9.007199254740993e15', '9007199254740993'],
    ['922337203685477e4', '9223372036854770000'],
    ['"1e3"', 1000],
    ['1e3', 1000],
    ['"-1.5E+1"', -15],
    ['"5.0"', 5],
    ['"1200e-2"', 12],
    ['"0e99"', 0],
    ['"9007199254740993e0"', '9007199254740993'],
    ['"-9223372036854775808"', '-9223372036854775808'],
  ])('of 64 bits are read from %s', (written, value) => {
    expect(attribute(written)).toEqual({ k: value });
  });

  test.each([
    '1e19',
    '9223372036854775808',
    '"1e19"',
    '"1e999"',
    '"15e-1"',
    '"1e"',
    '"e3"',
    '1.5',
    '"1.5"',
    '"x"',
    '""',
    '"9223372036854775808"',
    'true',
    '[]',
  ])('%s is none', (written) => {
    expect(() => attribute(written)).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        details: [{ path: `${SPAN}.attributes[0].value.intValue`, message: 'must be an integer of 64 bits' }],
      }),
    );
  });

  test('an enum by its name is refused', () => {
    expect(jsonSpan(`${jsonIds},"kind":3`).spans[0]?.kind).toBe(3);
    expect(() => jsonSpan(`${jsonIds},"kind":"SPAN_KIND_CLIENT"`)).toThrow(
      expect.objectContaining({
        details: [{ path: `${SPAN}.kind`, message: 'must be an integer of 32 bits' }],
      }),
    );
  });

  test('unknown fields are ignored, and so are names in snake case', () => {
    const { spans, partial } = jsonSpan(
      `${jsonIds},"endTimeUnixNano":1,"new":{"x":[1]},"trace_state":"a=b","name":"n"`,
    );
    expect([spans[0]?.name, spans[0]?.traceState, partial]).toEqual(['n', '', undefined]);
  });
});

describe('numbers without quotes keep all digits', () => {
  test('times of spans', () => {
    const members = `${jsonIds},"startTimeUnixNano":1792000000123456789,"endTimeUnixNano" : 1792000003123456790`;
    expect(jsonSpan(members).spans[0]).toMatchObject({
      startNano: '1792000000123456789',
      durationNano: 3_000_000_001,
    });
  });

  test('values and counts of points', () => {
    const point = (name: string, members: string) =>
      decodeMetrics(
        toBytes(
          `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"m","${name}":{"dataPoints":[{${members}}]}}]}]}]}`,
        ),
        'json',
      ).points[0];
    expect(point('sum', '"timeUnixNano":1792000000123456789,"asInt":-9007199254740993')).toMatchObject({
      timeNano: '1792000000123456789',
      value: '-9007199254740993',
    });
    const counts = '"bucketCounts":[9007199254740991,1e3],"explicitBounds":[0.30000000000000004]';
    expect(point('histogram', `"count":9007199254740991,"sum":1234567890123456800,${counts}`)).toMatchObject({
      count: 9007199254740991,
      sum: 1234567890123456800,
      distribution: { counts: [9007199254740991, 1000], bounds: [0.30000000000000004] },
    });
  });

  test('nothing else changes: texts with digits, fractions, and what is no JSON', () => {
    const digits = '12345678901234567890';
    const value = `{"stringValue":"a\\\\\\",[:${digits},"}`;
    const { spans } = jsonSpan(
      `${jsonIds},"name":"${digits}","startTimeUnixNano":1792000000123456789,"attributes":[{"key":"k","value":${value}},` +
        `{"key":"d","value":{"doubleValue":-1.7976931348623157e+308}}],"unknown":[${digits},true,null,1E-3]`,
    );
    expect(spans[0]).toMatchObject({
      name: digits,
      attributes: { k: `a\\",[:${digits},`, d: -1.7976931348623157e308 },
    });
    for (const wrong of [`0${digits}`, `${digits}.`, `${digits}-1`, `--${digits}`, `${digits}e`]) {
      expect(() => jsonSpan(`${jsonIds},"x":${wrong}`)).toThrow(
        expect.objectContaining({ details: [{ path: '', message: 'must be JSON' }] }),
      );
    }
  });
});

describe('an error says where', () => {
  const pathOf = (decode: () => unknown): string | undefined => {
    try {
      decode();
    } catch (error) {
      return (error as DomainError).details?.[0]?.path;
    }
    return undefined;
  };
  const spans = (...items: string[]) =>
    `{"resourceSpans":[{},{"scopeSpans":[{"spans":[${items.join(',')}]}]}]}`;
  const inSpan = (members: string) =>
    pathOf(() => decodeTraces(toBytes(spans('{}', `{${members}}`)), 'json'));
  const spanPath = 'resourceSpans[1].scopeSpans[0].spans[1]';

  test.each([
    ['"kind":"x"', '.kind'],
    ['"status":{"code":"x"}', '.status.code'],
    ['"status":1', '.status'],
    ['"attributes":[{},{"key":5}]', '.attributes[1].key'],
    ['"attributes":[3]', '.attributes[0]'],
    [
      '"attributes":[{"value":{"arrayValue":{"values":[{},{"kvlistValue":{"values":[{"value":{"intValue":"x"}}]}}]}}}]',
      '.attributes[0].value.arrayValue.values[1].kvlistValue.values[0].value.intValue',
    ],
    ['"events":[{"timeUnixNano":-1}]', '.events[0].timeUnixNano'],
    ['"links":[{},{"flags":-1}]', '.links[1].flags'],
  ])('in a span with %s', (members, path) => {
    expect(inSpan(members)).toBe(`${spanPath}${path}`);
  });

  test('in a resource, a scope, a point', () => {
    const traces = (text: string) => pathOf(() => decodeTraces(toBytes(text), 'json'));
    expect(traces('{"resourceSpans":[{"resource":{"droppedAttributesCount":-1}}]}')).toBe(
      'resourceSpans[0].resource.droppedAttributesCount',
    );
    expect(traces('{"resourceSpans":[{"scopeSpans":[{"scope":{"name":1}}]}]}')).toBe(
      'resourceSpans[0].scopeSpans[0].scope.name',
    );
    const point = (members: string) =>
      pathOf(() =>
        decodeMetrics(
          toBytes(
            `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"m","histogram":{"dataPoints":[{${members}}]}}]}]}]}`,
          ),
          'json',
        ),
      );
    const histogram = 'resourceMetrics[0].scopeMetrics[0].metrics[0].histogram.dataPoints[0]';
    expect(point('"bucketCounts":[1,"x"]')).toBe(`${histogram}.bucketCounts[1]`);
    expect(point('"explicitBounds":[1,true]')).toBe(`${histogram}.explicitBounds[1]`);
    expect(point('"exemplars":[{"asInt":"x"}]')).toBe(`${histogram}.exemplars[0].asInt`);
  });

  test('in protobuf, down to the span', () => {
    const span = (name: string) => ({ ...IDS, name });
    const bytes = encode(REQUESTS.traces, {
      resourceSpans: [{}, { scopeSpans: [{ spans: [span('one'), span('two')] }] }],
    });
    // The length of the last span's name.
    bytes[bytes.length - 4] = 100;
    expect(pathOf(() => decodeTraces(bytes, 'protobuf'))).toBe(spanPath);
  });

  test('in at most 201 characters, and never by a value', () => {
    const depth = 31;
    const value = `${'{"arrayValue":{"values":['.repeat(depth)}{"intValue":"secret"}${']}}'.repeat(depth)}`;
    const path = inSpan(`"attributes":[{"key":"secret","value":${value}}]`);
    expect(path).toHaveLength(201);
    expect(path).toMatch(/^resourceSpans\[1\].*…$/);
    expect(path).not.toContain('secret');
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
    const warning = (what: string) => ({ rejected: 0, message: `Kept with a duration of 0: ${what}.` });
    const noEnd = readSpan({ startTimeUnixNano: '5' });
    expect([noEnd.span?.durationNano, noEnd.partial]).toEqual([0, warning('1 without an end')]);
    const early = readSpan({ startTimeUnixNano: '10', endTimeUnixNano: '9' });
    expect([early.span?.durationNano, early.partial]).toEqual([0, warning('1 that end before they start')]);
    expect(readSpan({ startTimeUnixNano: '10', endTimeUnixNano: '10' }).partial).toBeUndefined();
  });

  test('a time of an event that no bigint holds is unknown, and the span warns', () => {
    const { span, partial } = readSpan({ ...TIMES, events: [{ timeUnixNano: '9223372036854775808' }] });
    expect([span?.events[0]?.timeNano, partial?.message]).toEqual([
      '0',
      'Shortened: 1 times of events and exemplars after 2262 left out.',
    ]);
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
  const stringOf = (stringValue: string) =>
    readSpan({ ...TIMES, attributes: [{ key: 'k', value: { stringValue } }] });

  test('those beyond 128 are left out, and counted', () => {
    const attributes = Array.from({ length: 130 }, (_, at) => ({
      key: `k${at}`,
      value: { intValue: String(at) },
    }));
    const { span, partial } = readSpan({ ...TIMES, attributes, droppedAttributesCount: 3 });
    expect(Object.keys(span?.attributes ?? {})).toHaveLength(128);
    expect(span?.droppedAttributes).toBe(5);
    expect(partial).toEqual({ rejected: 0, message: 'Shortened: 2 attributes beyond 128 left out.' });
  });

  test('one longer than 4 KiB is cut between characters, and counted', () => {
    const whole = 'x'.repeat(4096);
    expect(stringOf(whole)).toMatchObject({ span: { attributes: { k: whole } }, partial: undefined });
    const { span, partial } = stringOf(`${'x'.repeat(4095)}é`);
    expect(span).toMatchObject({ attributes: { k: 'x'.repeat(4095) }, cutAttributes: 1 });
    expect(partial).toEqual({ rejected: 0, message: 'Shortened: 1 attributes cut to 4 KiB.' });
    expect(stringOf('😀'.repeat(1025)).span?.attributes).toEqual({ k: '😀'.repeat(1024) });
  });

  test('a stack longer than 4 KiB keeps whole lines of both its ends', () => {
    const lines = Array.from({ length: 300 }, (_, at) => `  File "/app/shop/orders.py", line ${at}, in pay`);
    const stringValue = ['Traceback (most recent call last):', ...lines, 'ValueError: no such order'].join(
      '\n',
    );
    const { span, partial } = readSpan({
      ...{ ...TIMES, attributes: [{ key: 'exception.stacktrace', value: { stringValue } }] },
    });
    const kept = String(span?.attributes['exception.stacktrace']).split('\n');
    expect(Buffer.byteLength(kept.join('\n'))).toBeGreaterThan(3900);
    expect(Buffer.byteLength(kept.join('\n'))).toBeLessThanOrEqual(4096);
    expect(kept.filter((line) => !stringValue.split('\n').includes(line))).toEqual(['…']);
    expect([kept[0], kept.at(-2), kept.at(-1)]).toEqual([
      ...['Traceback (most recent call last):', lines.at(-1), 'ValueError: no such order'],
    ]);
    expect(partial).toEqual({ rejected: 0, message: 'Shortened: 1 attributes cut to 4 KiB.' });
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
