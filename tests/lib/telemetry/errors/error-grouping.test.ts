/** Which errors are one group: by where in the code they began, or by the text without its variable parts. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Attributes, SpanRow } from '../../../../lib/otlp/rows.ts';
import { errorOfLog, errorsOfSpan } from '../../../../lib/telemetry/errors/error-grouping.ts';
import { errorPartsOf } from '../../../../lib/telemetry/errors/error-parts.ts';
import { readStack } from '../../../../lib/telemetry/errors/stack-frames.ts';
import { operationOf, templateOf } from '../../../../lib/telemetry/errors/text-template.ts';
import { STACKS } from './stacks.ts';

const span = (fields: Partial<SpanRow>): SpanRow => ({
  ...{
    traceId: '1'.repeat(32),
    spanId: '2'.repeat(16),
    parentSpanId: null,
    traceState: '',
    flags: 0,
    name: 'GET /orders',
  },
  ...{
    kind: 2,
    startNano: '1800000000000000000',
    durationNano: 5,
    statusCode: 2,
    statusMessage: '',
    attributes: {},
  },
  ...{
    events: [],
    links: [],
    droppedAttributes: 0,
    droppedEvents: 0,
    droppedLinks: 0,
    cutAttributes: 0,
    resource: 0,
    scope: 0,
  },
  ...fields,
});
const exception = (attributes: Attributes) => ({
  name: 'exception',
  timeNano: '1800000000000000001',
  attributes,
  droppedAttributes: 0,
});
const log = (fields: object) => ({ severityNumber: 17, body: '', attributes: {}, eventName: '', ...fields });

describe('the location in the code', () => {
  test.each(STACKS)('$name', ({ stack, location, cause, isOwn = true }) => {
    const { frame, cause: read } = readStack(stack);
    expect([frame?.name, frame?.file].filter(Boolean).join(' · ')).toBe(location);
    expect([frame?.isOwn, read]).toEqual([isOwn, cause ?? null]);
  });

  test.each(STACKS)('$name: numbers of lines don’t matter', ({ stack }) => {
    const moved = stack
      .replaceAll(/:(\d+):(\d+)/g, (_, line) => `:${Number(line) + 7}:3`)
      .replaceAll(/(line |\.(?:go|java|kt|rb):)(\d+)/g, (_, before, line) => `${before}${Number(line) + 7}`);
    expect(readStack(moved).frame).toEqual(readStack(stack).frame);
  });

  test('of a long stack of Python that was cut, it is the last one', () => {
    const frame = (file: string, name: string) =>
      `  File "${file}", line 12, in ${name}\n    return call(request)`;
    const middleware = (at: number) =>
      frame(`/usr/lib/python3/site-packages/django/core/step${at}.py`, 'inner');
    const cut = [
      'Traceback (most recent call last):',
      ...Array.from({ length: 15 }, (_, at) => middleware(at)),
      '…',
      ...Array.from({ length: 12 }, (_, at) => middleware(90 + at)),
      frame('/app/shop/orders.py', 'pay'),
      'ValueError: no such order',
    ].join('\n');
    expect(readStack(cut)).toMatchObject({ type: 'ValueError', frame: { name: 'pay', isOwn: true } });
  });

  test('what is deployed elsewhere, or built again, has the same location', () => {
    const at = (file: string) => readStack(`Error: x\n    at pay (${file}:1:2)`).frame;
    expect(at('/srv/releases/20261124/app/src/pay.js')).toEqual(at('/home/me/app/src/pay.js'));
    expect(at('https://a.example/assets/pay-BZx81kQe.js')).toEqual(
      at('https://b.example/assets/pay-3f2a9c1b.js?v=1'),
    );
    expect(at('C:\\shop\\app\\src\\pay.js')).toEqual(at('/x/app/src/pay.js'));
  });

  test('errors of one function are one group, whatever their text; errors of a file without a function aren’t', () => {
    const keys = (at: string) =>
      ['no user 5', 'no room left'].map((message) =>
        errorOfLog(
          log({
            attributes: {
              'exception.type': 'Error',
              'exception.message': message,
              'exception.stacktrace': `Error: ${message}\n    at ${at}`,
            },
          }),
        ),
      );
    const [one, other] = keys('pay (/app/src/pay.js:1:2)');
    expect(one).toEqual(other);
    expect(one).toEqual({ type: 'Error', cause: '', location: 'pay · app/src/pay.js', template: '' });
    expect(keys('/app/src/pay.js:1:2').map((key) => key?.template)).toEqual(['no user *', 'no room left']);
  });
});

describe('a text without its variable parts', () => {
  test.each([
    ['connect ECONNREFUSED 127.0.0.1:5432', 'connect ECONNREFUSED *'],
    [
      "Cannot read properties of undefined (reading 'total')",
      'Cannot read properties of undefined reading *',
    ],
    ['order 4711 of maria@shop.example not found', 'order * of * not found'],
    ['user 7f9c24e8-3b12-4fef-91e0-1c8a6a1f5b20 is gone', 'user * is gone'],
    [
      "ENOENT: no such file or directory, open '/srv/data/7.json'",
      'ENOENT: no such file or directory open *',
    ],
    ['ENOENT: no such file, open /srv/data/maria.json', 'ENOENT: no such file open *'],
    [
      'duplicate key value violates unique constraint "orders_pkey"',
      'duplicate key value violates unique constraint *',
    ],
    ['timeout of 5000ms exceeded', 'timeout of * exceeded'],
    ['customer Maria Gomez, 12 Main Street, has no card', 'customer * has no card'],
    ['Unexpected token < in JSON at position 12', 'Unexpected token in JSON at position *'],
    ["can’t pay: card isn't valid", "can’t pay: card isn't valid"],
    ['it failed at 0xdeadbeef with deadbeef', 'it failed at * with *'],
    ['wrong token AbXcQzRwTyUi', 'wrong token *'],
    ['GET https://pay.example/v1/cards?id=7 failed', 'GET * failed'],
    ['first line\nsecond line of maria', 'first line'],
    ['el pedido «Maria» no está', 'el pedido * no está'],
    ["the name 'Maria is open", 'the name * is open'],
    ['name="Maria Gomez" is open', '* is open'],
    ['', ''],
  ])('%s', (text, template) => {
    expect(templateOf(text)).toBe(template);
  });

  const variable = fc.oneof(
    fc.integer().map(String),
    fc.double({ noNaN: true }).map(String),
    fc.uuid(),
    fc.ipV4(),
    fc.ipV6(),
    // A quotation mark in a local part looks like one around a value.
    fc.emailAddress().filter((address) => !/['`]/.test(address)),
    fc.webUrl(),
    fc.bigInt({ min: 2n ** 40n, max: 2n ** 64n }).map((id) => id.toString(16)),
    fc.bigInt({ min: 2n ** 40n, max: 2n ** 64n }).map((id) => `0x${id.toString(16)}`),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.string().map((text) => `"${text.replaceAll(/["\r\n\u2028\u2029]/g, '')}"`),
    fc.integer({ min: 0 }).map((id) => `user-${id}`),
    fc.integer({ min: 0 }).map((id) => `/api/users/${id}/orders`),
    fc.integer({ min: 0 }).map((id) => `${id}ms`),
  );
  const word = fc.constantFrom('order', 'of', 'failed', 'timeout', 'in', 'queue', 'is', 'gone', 'no', 'card');

  test('numbers, ids and addresses part no groups', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(word, fc.option(fc.tuple(variable, variable))), { minLength: 1, maxLength: 8 }),
        fc.constantFrom('', ',', ':', ')'),
        (parts, mark) => {
          const written = (which: 0 | 1) =>
            parts
              .map(([text, values]) => (values === null ? text : `${text} ${values[which]}${mark}`))
              .join(' ');
          expect(templateOf(written(0))).toBe(templateOf(written(1)));
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('no number, address or quoted value is left', () => {
    fc.assert(
      fc.property(word, variable, word, (before, value, after) => {
        expect(templateOf(`${before} ${value} ${after}`)).toBe(`${before} * ${after}`);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ['GET /orders/:id', 'GET /orders/:id'],
    ['GET /orders/4711/lines', 'GET /orders/*/lines'],
    ['POST /api/v1/pay', 'POST /api/v1/pay'],
    ['GET /users/{userId}/[slug]', 'GET /users/{userId}/[slug]'],
    ['SELECT shop.orders', 'SELECT shop.orders'],
  ])('the operation %s', (name, operation) => {
    expect(operationOf(name)).toBe(operation);
  });
});

describe('which errors there are', () => {
  test('a span that failed without an exception is one of its operation and status', () => {
    const key = { cause: '', location: 'GET /orders', template: '' };
    expect(errorsOfSpan(span({}))).toEqual([{ ...key, type: 'Error' }]);
    expect(errorsOfSpan(span({ attributes: { 'http.response.status_code': 503 } }))).toEqual([
      { ...key, type: '503' },
    ]);
    expect(errorsOfSpan(span({ attributes: { 'error.type': '42P01' } }))).toEqual([
      { ...key, type: '42P01' },
    ]);
    expect(errorsOfSpan(span({ attributes: { 'error.type': 'user 4711' } }))).toEqual([
      { ...key, type: 'user *' },
    ]);
    expect(errorsOfSpan(span({ statusCode: 1 }))).toEqual([]);
  });

  test('a span with exceptions is one of each group, failed or not', () => {
    const events = [
      exception({ 'exception.type': 'A', 'exception.message': 'no user 1' }),
      exception({ 'exception.type': 'A', 'exception.message': 'no user 2' }),
      exception({ 'exception.type': 'B' }),
    ];
    const keys = [
      { type: 'A', cause: '', location: '', template: 'no user *' },
      { type: 'B', cause: '', location: '', template: '' },
    ];
    expect(errorsOfSpan(span({ events }))).toEqual(keys);
    expect(errorsOfSpan(span({ events, statusCode: 0 }))).toEqual(keys);
  });

  test('a record is one from severity ERROR on, or with an exception', () => {
    expect(errorOfLog(log({ severityNumber: 13, body: 'slow' }))).toBeNull();
    expect(errorOfLog(log({ body: 'card 7 declined' }))).toEqual({
      type: 'Error',
      cause: '',
      location: '',
      template: 'card * declined',
    });
    expect(errorOfLog(log({ severityNumber: 9, attributes: { 'exception.type': 'A' } }))?.type).toBe('A');
    expect(errorOfLog(log({ body: { msg: 'card 7 declined' } }))?.template).toBe('card * declined');
  });

  test.each([
    ['in the body', { body: 'TypeError: x\n    at pay (/app/src/pay.js:1:2)' }],
    [
      'by pino',
      {
        body: 'failed',
        attributes: {
          err: { type: 'TypeError', message: 'x', stack: 'TypeError: x\n    at pay (/app/src/pay.js:1:2)' },
        },
      },
    ],
    [
      'flat',
      {
        body: 'failed',
        attributes: {
          'error.name': 'TypeError',
          'error.stack': 'TypeError: x\n    at pay (/app/src/pay.js:1:2)',
        },
      },
    ],
  ])('a stack %s is read', (_, fields) => {
    expect(errorOfLog(log(fields))).toEqual({
      type: 'TypeError',
      cause: '',
      location: 'pay · app/src/pay.js',
      template: '',
    });
  });

  test('equal errors of an hour and release are one part, with examples of other traces', () => {
    const spans = ['1', '1', '3', '4', '5'].map((digit, index) =>
      span({ traceId: digit.repeat(32), startNano: `180000000000000000${index}` }),
    );
    const resources = [{ attributes: { 'service.version': '1.2.3' }, schemaUrl: '', droppedAttributes: 0 }];
    const parts = errorPartsOf(resources, [...spans, span({ startNano: '1800003600000000000' })]);
    expect(parts?.map(({ occurrences, hour, release }) => [occurrences, hour, release])).toEqual([
      [5, 1_800_000_000, '1.2.3'],
      [1, 1_800_003_600, '1.2.3'],
    ]);
    expect(parts?.[0]).toMatchObject({ firstNano: '1800000000000000000', lastNano: '1800000000000000004' });
    expect(parts?.[0]?.examples.map(({ trace }) => trace[0])).toEqual(['1', '3', '4']);
    expect(errorPartsOf(resources, [span({ statusCode: 1 })])).toBeUndefined();
  });
});

describe('hostile input', () => {
  const BOUNDS = { type: 200, cause: 200, location: 600, template: 200 };
  const expectBounded = (key: object | null): void => {
    for (const [field, most] of Object.entries(BOUNDS)) {
      const text = (key as Record<string, string> | null)?.[field] ?? '';
      expect(text.length).toBeLessThanOrEqual(most);
      expect(text.isWellFormed()).toBe(true);
    }
  };
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 3000 }),
    fc
      .array(
        fc.constantFrom(
          'at ',
          ' (',
          ')',
          ':1:2',
          '\n',
          '@',
          'File "',
          '", line 1, in ',
          '#0 ',
          '(1): ',
          'Caused by: ',
          "'",
          '"',
          '.go:',
          '\t',
          '---> ',
          '\ud83d',
          '\ude00',
          'a',
          '<',
          '>',
          '$$',
          ' ',
        ),
        { maxLength: 600 },
      )
      .map((parts) => parts.join('')),
  );

  test('any text gives a bounded key that can be stored', () => {
    fc.assert(
      fc.property(text, text, text, (type, message, stack) => {
        expectBounded(
          errorOfLog(
            log({
              attributes: {
                'exception.type': type,
                'exception.message': message,
                'exception.stacktrace': stack,
              },
            }),
          ),
        );
        expectBounded(errorOfLog(log({ body: message })));
        for (const key of errorsOfSpan(span({ name: type, statusMessage: message }))) expectBounded(key);
      }),
    );
  });

  /** Characters that patterns with repetition in repetition would try in all ways: they wouldn't end. */
  test.each([
    'a',
    'A',
    ' ',
    '.',
    '-',
    '(',
    ':1',
    '\n',
    '"',
    "'",
    'a.',
    'at ',
    '@',
    'x@',
    '$',
    '$$',
    '<>',
    '#0 ',
    '/',
    '_',
    '’a',
    '---> ',
    'at a (',
    '\tat ',
  ])('a million times %j is read in bounded steps', (part) => {
    const long = part.repeat(1_000_000);
    expectBounded(
      errorOfLog(
        log({
          body: long,
          attributes: {
            'exception.type': long,
            'exception.message': long,
            'exception.stacktrace': `at ${long}`,
          },
        }),
      ),
    );
    expectBounded(errorOfLog(log({ body: `${long}\n${long}` })));
    for (const key of errorsOfSpan(span({ name: long, statusMessage: long }))) expectBounded(key);
  });
});
