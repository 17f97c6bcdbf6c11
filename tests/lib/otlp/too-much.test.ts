/** Items, buckets, texts and values of as much as is kept, and of one more. */
import { describe, expect, test } from 'vitest';
import { IDS, readLog, readMetric, readSpan } from './one-item.ts';

describe('too much', () => {
  const point = (buckets: object) => ({ timeUnixNano: '9', ...buckets });
  const bounds = (count: number) => Array.from({ length: count }, (_, at) => at);
  const counts = (count: number) => Array<string>(count).fill('1');

  test('a histogram has at most 4096 buckets, on each side', () => {
    const explicit = (count: number) =>
      readMetric({
        histogram: {
          dataPoints: [point({ bucketCounts: counts(count), explicitBounds: bounds(count - 1) })],
        },
      });
    expect(explicit(4096).points[0]?.distribution).toMatchObject({ counts: { length: 4096 } });
    expect(explicit(4097).partial).toMatchObject({ rejected: 1, dropped: { point: 1 } });
    for (const side of ['positive', 'negative']) {
      const exponential = (count: number) =>
        readMetric({
          exponentialHistogram: { dataPoints: [point({ [side]: { bucketCounts: counts(count) } })] },
        });
      expect(exponential(4096).points[0]?.distribution).toMatchObject({
        [side]: { counts: { length: 4096 } },
      });
      expect(exponential(4097).partial).toMatchObject({ rejected: 1, dropped: { point: 1 } });
    }
  });

  test('more bounds than buckets are noticed, however many', () => {
    const body = (more: number) =>
      readMetric({
        histogram: {
          dataPoints: [point({ bucketCounts: counts(4096), explicitBounds: bounds(4095 + more) })],
        },
      });
    expect([0, 1, 2].map((more) => body(more).partial?.rejected ?? 0)).toEqual([0, 1, 1]);
  });

  test.each([
    ['equal bounds', { bucketCounts: counts(3), explicitBounds: [1, 1] }, 1],
    ['an infinite bound', { bucketCounts: counts(2), explicitBounds: [Number.NEGATIVE_INFINITY] }, 1],
    ['a bound without counts', { explicitBounds: [1] }, 1],
    ['one bucket without bounds', { bucketCounts: counts(1) }, 0],
    ['neither', {}, 0],
  ])('a histogram of %s', (_, buckets, rejected) => {
    expect(readMetric({ histogram: { dataPoints: [point(buckets)] } }).partial?.rejected ?? 0).toBe(rejected);
  });

  const TOO_MANY = '9007199254740992';
  test.each<[what: string, metric: object]>([
    ['histogram', { histogram: { dataPoints: [point({ count: TOO_MANY })] } }],
    ['summary', { summary: { dataPoints: [point({ count: TOO_MANY })] } }],
    ['exponential histogram', { exponentialHistogram: { dataPoints: [point({ count: TOO_MANY })] } }],
    ['zero count', { exponentialHistogram: { dataPoints: [point({ zeroCount: TOO_MANY })] } }],
    [
      'positive bucket',
      { exponentialHistogram: { dataPoints: [point({ positive: { bucketCounts: [TOO_MANY] } })] } },
    ],
    [
      'negative bucket',
      { exponentialHistogram: { dataPoints: [point({ negative: { bucketCounts: [TOO_MANY] } })] } },
    ],
  ])('a count above 2^53 - 1: %s', (_, metric) => {
    expect(readMetric(metric).partial?.message).toBe('Refused 1: 1 for counts above 2^53 - 1.');
  });

  test.each(['startTimeUnixNano', 'timeUnixNano'])('a point whose %s no bigint holds', (name) => {
    const late = { asInt: '1', [name]: '9223372036854775808' };
    expect(readMetric({ gauge: { dataPoints: [late] } }).partial?.dropped).toEqual({ time: 1 });
  });

  test.each(['timeUnixNano', 'observedTimeUnixNano'])('a log record whose %s no bigint holds', (name) => {
    expect(readLog({ [name]: '9223372036854775808' })).toMatchObject({
      log: undefined,
      partial: { rejected: 1, dropped: { time: 1 } },
    });
  });

  test('a span has at most 128 events and as many links', () => {
    const items = (count: number) => Array.from({ length: count }, () => ({ ...IDS }));
    const most = readSpan({ endTimeUnixNano: '1', events: items(128).map(() => ({})), links: items(128) });
    expect([most.span?.events.length, most.span?.links.length, most.partial]).toEqual([128, 128, undefined]);
    const more = readSpan({
      ...{ endTimeUnixNano: '1', events: items(130).map(() => ({})), links: items(129) },
      ...{ droppedEventsCount: 3, droppedLinksCount: 4 },
    });
    expect(more.span).toMatchObject({ droppedEvents: 5, droppedLinks: 5 });
    expect([more.span?.events.length, more.span?.links.length]).toEqual([128, 128]);
  });

  test('maps, like lists, nest 32 deep', () => {
    let value: object = { stringValue: 'core' };
    for (let level = 0; level < 40; level += 1) value = { kvlistValue: { values: [{ key: 'k', value }] } };
    const { span, partial } = readSpan({ attributes: [{ key: 'k', value }], endTimeUnixNano: '1' });
    expect(JSON.stringify(span?.attributes)).toBe(`{"k":${'{"k":'.repeat(32)}null${'}'.repeat(32)}}`);
    expect(partial?.message).toContain('1 attributes cut');
    expect(span?.cutAttributes).toBe(1);
  });

  test('elements take 8 bytes of a value’s 4 KiB each, and keys and texts their own', () => {
    const attribute = (value: object) =>
      readSpan({ endTimeUnixNano: '1', attributes: [{ key: 'k', value }] });
    const list = (count: number, last: object = { boolValue: true }) =>
      attribute({ arrayValue: { values: [...Array(count - 1).fill({ boolValue: true }), last] } });
    expect(list(512)).toMatchObject({ span: { attributes: { k: { length: 512 } } }, partial: undefined });
    expect(list(513).span).toMatchObject({ attributes: { k: { length: 512 } }, cutAttributes: 1 });
    expect(list(511, { stringValue: '12345678' }).partial).toBeUndefined();
    expect(list(511, { stringValue: '123456789' }).span?.cutAttributes).toBe(1);
    expect(list(511, { bytesValue: new Uint8Array(8) }).partial).toBeUndefined();
    expect(list(511, { bytesValue: new Uint8Array(9) }).span?.cutAttributes).toBe(1);
    const map = (count: number) =>
      attribute({
        kvlistValue: {
          values: Array.from({ length: count }, (_, at) => ({
            key: String(at).padStart(8, '0'),
            value: { boolValue: true },
          })),
        },
      });
    expect(map(256).partial).toBeUndefined();
    const { span } = map(257);
    expect([Object.keys(span?.attributes.k ?? {}).length, span?.cutAttributes]).toEqual([256, 1]);
  });

  test.each(['a', 'é', '日', '😀'])('a name of %s is cut at 1 KiB, a key and a message at 4', (letter) => {
    const filled = (bytes: number) => letter.repeat(Math.floor(bytes / Buffer.byteLength(letter)));
    const read = (bytes: number, more: string) => {
      const long = filled(bytes) + more;
      return {
        name: filled(1024) + more,
        status: { message: long },
        attributes: [{ key: long }],
        endTimeUnixNano: '1',
      };
    };
    const kept = { name: filled(1024), statusMessage: filled(4096), attributes: { [filled(4096)]: null } };
    expect(readSpan(read(4096, ''))).toMatchObject({ span: kept, partial: undefined });
    const { span, partial } = readSpan(read(4096, letter));
    expect(span).toMatchObject({ ...kept, cutAttributes: 1 });
    expect(partial?.message).toBe('Shortened: 1 attributes cut to 4 KiB, 2 names or texts cut.');
  });

  test.each(['a', 'é', '日', '😀'])('a stack of %s without lines keeps both its ends whole', (letter) => {
    for (const before of ['', 'x', 'xx', 'xxx']) {
      const stringValue = before + letter.repeat(4100);
      const attributes = [{ key: 'exception.stacktrace', value: { stringValue } }];
      const stack = String(
        readSpan({ endTimeUnixNano: '1', attributes }).span?.attributes['exception.stacktrace'],
      );
      const [head = '', seam, tail = ''] = stack.split('\n');
      expect(seam).toBe('…');
      expect([stringValue.startsWith(head), stringValue.endsWith(tail)]).toEqual([true, true]);
      expect(Buffer.byteLength(stack)).toBeGreaterThan(4096 - 2 * 4);
      expect(Buffer.byteLength(stack)).toBeLessThanOrEqual(4096);
    }
  });
});
