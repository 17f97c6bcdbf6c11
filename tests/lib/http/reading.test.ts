import fc from 'fast-check';
import { Hono } from 'hono';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../../lib/errors.ts';
import { envelopeOf, statusOf } from '../../../lib/http/http-errors.ts';
import { parseJson } from '../../../lib/http/json.ts';
import { type BodyOptions, readJson, readQuery } from '../../../lib/http/read.ts';
import { MAX_BODY_BYTES, readBody } from '../../../lib/http/read-body.ts';

const Body = v.strictObject({
  name: v.pipe(v.string(), v.minLength(2), v.maxLength(5)),
  kind: v.optional(v.picklist(['a', 'b'])),
  list: v.optional(v.array(v.strictObject({ n: v.pipe(v.number(), v.integer(), v.minValue(1)) }))),
  bag: v.optional(v.record(v.pipe(v.string(), v.maxLength(8)), v.boolean())),
});
const Query = v.strictObject({
  period: v.optional(v.picklist(['24h', '7d'])),
  __proto__x: v.optional(v.string()),
});

function appWith(options: BodyOptions = {}) {
  const app = new Hono();
  app.post('/', async (c) => c.json(await readJson(c, Body, options)));
  app.get('/', (c) => c.json(readQuery(c, Query)));
  app.onError((error, c) => {
    if (!(error instanceof DomainError)) throw error;
    return c.json(envelopeOf(error), statusOf(error.code));
  });
  return app;
}

const json = { 'Content-Type': 'application/json' };
const post = (body: BodyInit, headers: Record<string, string> = json, options: BodyOptions = {}) =>
  appWith(options).request('/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit);
const detailsOf = async (response: Response) =>
  ((await response.json()) as { details: { path: string; message: string }[] }).details;

describe('a body', () => {
  test.each<[string, string | undefined, number]>([
    ['JSON', 'application/json', 200],
    ['JSON with a charset', 'Application/JSON; charset="UTF-8"', 200],
    ['another charset', 'application/json; charset=latin1', 415],
    ['a form', 'application/x-www-form-urlencoded', 415],
    ['text', 'text/plain', 415],
    ['a type that begins alike', 'application/jsonp', 415],
    ['nothing', '', 415],
  ])('called %s is answered with %s', async (_, type, status) => {
    expect((await post('{"name":"abc"}', { 'Content-Type': type ?? '' })).status).toBe(status);
  });

  test('may be called what the endpoint accepts besides', async () => {
    const options = { accept: ['application/json', 'text/plain'] };
    expect(
      (await post('{"name":"abc"}', { 'Content-Type': 'text/plain;charset=UTF-8' }, options)).status,
    ).toBe(200);
    expect((await post('{"name":"abc"}', { 'Content-Type': 'text/html' }, options)).status).toBe(415);
  });

  test('must not be compressed', async () => {
    expect((await post('{"name":"abc"}', { ...json, 'Content-Encoding': 'gzip' })).status).toBe(415);
  });

  test.each<[string, BodyInit]>([
    ['empty', ''],
    ['cut off', '{"name":'],
    ['of broken UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['of an overlong UTF-8 slash', new Uint8Array([0x22, 0xc0, 0xaf, 0x22])],
    ['in UTF-16', new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])],
    ['a list', '[]'],
    ['null', 'null'],
    ['a number', '1'],
    ['nested deeply', `{"name":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
    ['with __proto__', '{"name":"abc","__proto__":{"kind":"a"}}'],
    ['with a deep __proto__', '{"name":"abc","bag":{"__proto__":true}}'],
    ['with constructor', '{"name":"abc","constructor":1}'],
    ['with toString', '{"name":"abc","toString":1}'],
    ['with NUL', '{"name":"a\\u0000c"}'],
    ['with a lone surrogate', '{"name":"a\\ud800c"}'],
    ['with NUL in a key', '{"name":"abc","bag":{"\\u0000":true}}'],
  ])('%s is a validation error', async (_, body) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'VALIDATION_ERROR' });
    expect(({} as Record<string, unknown>).kind).toBeUndefined();
  });

  test('may begin with a byte order mark', async () => {
    expect((await post('\ufeff{"name":"abc"}')).status).toBe(200);
  });

  test('keeps ill-formed text only where it is asked for', () => {
    const bytes = new TextEncoder().encode('"\\ud800"');
    expect(parseJson(bytes, { keepIllFormedText: true })).toBe('\ud800');
    expect(() => parseJson(bytes)).toThrow(DomainError);
  });
});

type Next = () => Uint8Array<ArrayBuffer> | undefined;

/** Bodies from a library and from a runtime. */
const STREAMS = {
  chunks: (next: Next) =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = next();
        if (chunk === undefined) controller.close();
        else controller.enqueue(chunk);
      },
    }),
  bytes: (next: Next) =>
    new ReadableStream({
      type: 'bytes',
      pull(controller) {
        const chunk = next();
        if (chunk !== undefined) return controller.enqueue(chunk.slice());
        controller.close();
        controller.byobRequest?.respond(0);
      },
    }),
};

describe.each(Object.entries(STREAMS))('the body limit, by a stream of %s', (_, stream) => {
  const streamed = (size: number, onPull: () => void = () => {}) => {
    let left = size;
    return stream(() => {
      onPull();
      const chunk = new Uint8Array(Math.min(1024, left)).fill(0x20);
      left -= chunk.length;
      return chunk.length > 0 ? chunk : undefined;
    });
  };
  const request = (body: BodyInit, headers: Record<string, string> = {}) =>
    new Request('http://localhost/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit);

  test('is exact', async () => {
    expect((await readBody(request(streamed(MAX_BODY_BYTES)))).length).toBe(MAX_BODY_BYTES);
    await expect(readBody(request(streamed(MAX_BODY_BYTES + 1)))).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
    });
  });

  test('takes what Content-Length says, and not a byte beyond', async () => {
    const body = await readBody(request(streamed(3000), { 'Content-Length': '3000' }));
    expect(body).toEqual(new Uint8Array(3000).fill(0x20));
    await expect(readBody(request(streamed(3001), { 'Content-Length': '3000' }))).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
    });
  });

  test('counts bytes whatever Content-Length says, and stops reading', async () => {
    let pulls = 0;
    const endless = streamed(1e9, () => pulls++);
    await expect(readBody(request(endless, { 'Content-Length': '10' }))).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
    });
    expect(pulls).toBeLessThan(80);
  });

  test('refuses an honest length before reading', async () => {
    const large = request('{}', { 'Content-Length': '99999999' });
    await expect(readBody(large)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    expect(large.bodyUsed).toBe(false);
  });

  test('joins chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ minLength: 1, maxLength: 50 }), { maxLength: 8 }),
        async (chunks) => {
          const left = chunks.map((chunk) => chunk.slice());
          const body = stream(() => left.shift());
          expect([...(await readBody(request(body)))]).toEqual(chunks.flatMap((chunk) => [...chunk]));
        },
      ),
    );
  });
});

describe('details', () => {
  test.each<[unknown, string, RegExp]>([
    [{}, 'name', /^is required$/],
    [{ name: 1 }, 'name', /^must be a string$/],
    [{ name: 'x' }, 'name', /at least 2/],
    [{ name: 'secret' }, 'name', /at most 5/],
    [{ name: 'abc', kind: 'secret' }, 'kind', /^must be one of "a", "b"$/],
    [{ name: 'abc', list: 'secret' }, 'list', /^must be a list$/],
    [{ name: 'abc', list: [{ n: 1 }, { n: 0.5 }] }, 'list.1.n', /^must be a whole number$/],
    [{ name: 'abc', list: [{ n: 0 }] }, 'list.0.n', /^must be at least 1$/],
    [{ name: 'abc', bag: { secret: 'secret' } }, 'bag.secret', /^must be true or false$/],
    [{ name: 'abc', bag: { '<b>': 1 } }, 'bag.*', /^must be true or false$/],
    [{ name: 'abc', other: 'secret' }, 'other', /^is not a known field$/],
    [{ name: 'abc', '<script>': 'secret' }, '*', /^is not a known field$/],
  ])('of %j name the field and the rule', async (body, path, rule) => {
    const [detail] = await detailsOf(await post(JSON.stringify(body)));
    expect(detail?.path).toBe(path);
    expect(detail?.message).toMatch(rule);
    expect(detail?.message).not.toContain('secret');
  });

  test('never hold a value of the input, and are few', async () => {
    const secret = fc.string({ minLength: 1, maxLength: 12 }).map((text) => `S3CRET${text}`);
    const value = fc.oneof(secret, fc.array(secret), fc.dictionary(fc.constantFrom('n', 'x'), secret));
    const body = fc.record({
      name: value,
      kind: value,
      list: fc.array(value, { maxLength: 99 }),
      bag: value,
    });
    await fc.assert(
      fc.asyncProperty(body, async (input) => {
        const response = await post(JSON.stringify(input));
        expect(response.status).toBe(400);
        const text = await response.text();
        expect(text).not.toContain('S3CRET');
        expect((JSON.parse(text).details ?? []).length).toBeLessThanOrEqual(20);
      }),
    );
  });
});

describe('a query', () => {
  test.each<[string, number]>([
    ['', 200],
    ['?period=7d', 200],
    ['?period=1d', 400],
    ['?period=', 400],
    ['?period=7d&period=7d', 400],
    ['?unknown=1', 400],
    ['?__proto__=1', 400],
    ['?constructor=1', 400],
    ['?toString=1', 400],
    ['?%00=1', 400],
    ['?period=%F0%28', 400],
  ])('%s is answered with %i', async (query, status) => {
    const response = await appWith().request(`/${query}`);
    expect(response.status).toBe(status);
    expect(await response.text()).not.toContain('1d"');
  });
});
