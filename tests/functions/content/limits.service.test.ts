/** Every limit of docs/content.md, at its bounds, over REST and MCP. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { useStack } from '../../services/use-stack.ts';
import {
  askRest,
  callTool,
  contentPath,
  ERAS,
  expectCommonHeaders,
  expectError,
  expectToolError,
  type Fetch,
  mcpRequest,
  nextAddress,
  searchPath,
} from './client.ts';
import { SAMPLE_GUIDES, sampleGuide } from './content-samples.ts';

const MAX_BODY_BYTES = 65_536;
const QUOTA = 60;

/** More guides than fit on a page of maximum length. */
const MANY = Array.from({ length: 21 }, (_, n) => sampleGuide(`number-${n}`));
const stack = useStack({ guides: [...SAMPLE_GUIDES, ...MANY] });
const fetch: Fetch = (path, init) => stack().fetchContent(path, { address: nextAddress(), ...init });

describe('results a page', () => {
  test('10 by default', async () => {
    const { items } = (await askRest(fetch, searchPath())).answer;
    expect(items).toHaveLength(10);
    expect((await callTool(fetch, 'search_content')).answer.items).toEqual(items);
  });

  test.each([1, 10, 20])('%i', async (limit) => {
    const { answer } = await askRest(fetch, searchPath({ limit }));
    expect(answer.items).toHaveLength(limit);
    expect((await callTool(fetch, 'search_content', { limit })).answer).toEqual(answer);
  });

  test.each([0, 21, -1, 1.5, 'x', '', '010', '1e1', ' 5', '+5', '٥', 'NaN'])('not %s', async (limit) => {
    await expectError(await fetch(searchPath({ limit })), 400, 'invalid_input');
    await expectToolError(fetch, 'search_content', { limit }, 'invalid_input');
  });

  test('a number in text is none to a tool', () =>
    expectToolError(fetch, 'search_content', { limit: '5' }, 'invalid_input'));
});

describe.each(['é', '\u{10330}'])('characters of a query of %s, however they are encoded', (letter) => {
  test.each([2, 200])('%i', async (length) => {
    const query = letter.repeat(length);
    expect((await askRest(fetch, searchPath({ query }))).status).toBe(200);
    expect((await callTool(fetch, 'search_content', { query })).isError).toBe(false);
  });

  test.each([0, 1, 201])('not %i', async (length) => {
    const query = letter.repeat(length);
    await expectError(await fetch(searchPath({ query })), 400, 'invalid_input');
    await expectToolError(fetch, 'search_content', { query }, 'invalid_input');
  });
});

describe('characters of an id or a slug', () => {
  const tools = (text: string) => [
    { name: 'get_content', args: { id: text } },
    { name: 'get_service', args: { slug: text } },
    { name: 'get_case_study', args: { slug: text } },
  ];

  test.each([1, 200])('%i may be one', async (length) => {
    const text = 'ñ'.repeat(length);
    await expectError(await fetch(contentPath(text)), 404, 'not_found');
    for (const { name, args } of tools(text)) await expectToolError(fetch, name, args, 'not_found');
  });

  test('201 are none', async () => {
    const text = 'ñ'.repeat(201);
    await expectError(await fetch(contentPath(text)), 400, 'invalid_input');
    for (const { name, args } of tools(text)) await expectToolError(fetch, name, args, 'invalid_input');
  });

  test('a guide’s', async () => {
    const id = (length: number) => `guide:${'a'.repeat(length - 6)}`;
    await expectToolError(fetch, 'get_guide', { id: id(200) }, 'not_found');
    await expectToolError(fetch, 'get_guide', { id: id(201) }, 'invalid_input');
  });

  test('an empty one', async () => {
    for (const { name, args } of tools('')) await expectToolError(fetch, name, args, 'invalid_input');
    await expectError(await fetch(contentPath('')), 404, 'not_found');
  });

  test('letters and digits of any script, underscores, colons and hyphens', async () => {
    await expectError(await fetch(contentPath('a_1:ü-漢-٣-𝒜')), 404, 'not_found');
    await expectToolError(fetch, 'get_content', { id: 'a_1:ü-漢-٣-𝒜' }, 'not_found');
  });
});

test('a cursor of ours is at most 512 characters long', async () => {
  for (const path of [
    searchPath({ limit: 1, query: 'a'.repeat(200) }),
    searchPath({ limit: 1 }),
    contentPath('guide:tides'),
  ]) {
    const { nextCursor } = (await askRest(fetch, path)).answer;
    if (nextCursor !== null) expect((nextCursor as string).length).toBeLessThanOrEqual(512);
  }
});

test('a detail page is at most 20,000 characters long', async () => {
  const { text } = (await askRest(fetch, contentPath('guide:tides'))).answer;
  expect((text as string).length).toBeLessThanOrEqual(20_000);
  expect((text as string).length).toBeGreaterThan(10_000);
});

describe('a request’s body', () => {
  const headers = { 'Content-Type': 'application/json' };
  const { body: call, ...init } = mcpRequest(
    'tools/call',
    { name: 'list_services', arguments: {} },
    '2025-11-25',
  );
  const padded = (length: number) => String(call).padEnd(length, ' ');
  /** A body without `Content-Length`, in pieces that don't end at the limit. */
  const chunked = (text: string, size = 10_007) => {
    const bytes = new TextEncoder().encode(text);
    let at = 0;
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        if (at >= bytes.byteLength) return controller.close();
        controller.enqueue(bytes.slice(at, at + size));
        at += size;
      },
    });
  };
  const sendChunked = (path: string, text: string, method = 'POST') => {
    const streamed: RequestInit & { duplex: 'half' } = {
      ...init,
      method,
      body: chunked(text),
      duplex: 'half',
    };
    return fetch(path, streamed);
  };

  test('of 65,536 bytes passes, with and without its length', async () => {
    const text = padded(MAX_BODY_BYTES);
    for (const response of [await fetch('/mcp', { ...init, body: text }), await sendChunked('/mcp', text)]) {
      expect([response.status, await response.json()]).toMatchObject([
        200,
        { result: { structuredContent: { language: 'en' } } },
      ]);
    }
  });

  test.each([MAX_BODY_BYTES + 1, 10 * MAX_BODY_BYTES])('of %i bytes does not', async (length) => {
    const text = padded(length);
    await expectError(await fetch('/mcp', { ...init, body: text }), 413, 'body_too_large');
    await expectError(await sendChunked('/mcp', text), 413, 'body_too_large');
  });

  test('is counted in bytes, not characters', async () => {
    const text = JSON.stringify({ text: 'é'.repeat(MAX_BODY_BYTES / 2) });
    await expectError(await fetch('/mcp', { ...init, body: text }), 413, 'body_too_large');
    await expectError(await sendChunked('/mcp', text), 413, 'body_too_large');
  });

  test('is refused on every path and with every method', async () => {
    const text = ' '.repeat(MAX_BODY_BYTES + 1);
    for (const [path, method] of [
      ['/api/agent/search', 'POST'],
      ['/nowhere', 'PUT'],
      ['/mcp', 'DELETE'],
    ] as const) {
      await expectError(await fetch(path, { method, headers, body: text }), 413, 'body_too_large');
      await expectError(await sendChunked(path, text, method), 413, 'body_too_large');
    }
  });

  test('is refused of a GET too, and a small one makes no difference', async () => {
    expect(await getWithBody(MAX_BODY_BYTES)).toMatchObject({ status: 200 });
    expect(await getWithBody(MAX_BODY_BYTES + 1)).toEqual({
      status: 413,
      answer: { error: { code: 'body_too_large', message: expect.any(String) } },
    });
  });

  /** `fetch` refuses to send a body with GET. */
  async function getWithBody(length: number): Promise<{ status: number | undefined; answer: unknown }> {
    const sent = httpRequest(new URL(searchPath(), stack().contentUrl), {
      headers: { 'Content-Length': length, 'X-Forwarded-For': nextAddress() },
    });
    sent.end(' '.repeat(length));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: response.statusCode, answer: await json(response) };
  }
});

describe('60 requests a minute by address', () => {
  const calls: Record<string, [string, RequestInit]> = {
    REST: [searchPath({ limit: 1 }), {}],
    'an unknown path': ['/nowhere', {}],
    'another method': ['/mcp', {}],
    'a denied origin': ['/mcp', { method: 'POST', headers: { Origin: 'https://evil.example' }, body: '{}' }],
  };
  for (const era of ERAS) calls[`MCP ${era}`] = ['/mcp', mcpRequest('tools/list', {}, era)];

  test.each(Object.entries(calls))('%s', async (_, [path, init]) => {
    const address = nextAddress();
    const seen: Response[] = [];
    // Up to twice the quota, because the first requests leave the window when this takes long.
    while (seen.length <= 2 * QUOTA && seen.at(-1)?.status !== 429) {
      const response = await stack().fetchContent(path, { ...init, address });
      expectCommonHeaders(response);
      await response.clone().arrayBuffer();
      seen.push(response);
    }
    expect(seen.length).toBeGreaterThan(QUOTA);
    expect(seen[0]?.headers.get('RateLimit')).toMatch(/;r=59;/);
    const last = seen.at(-1) as Response;
    const wait = Number(last.headers.get('Retry-After'));
    expect(Number.isInteger(wait) && wait >= 1 && wait <= 60).toBe(true);
    expect(last.headers.get('RateLimit')).toMatch(/;r=0;/);
    await expectError(last, 429, 'rate_limited');
    expect((await fetch(path, init)).status).toBe(seen[0]?.status);
  });

  test('over all surfaces together, refused before the body is looked at', async () => {
    const address = nextAddress();
    const statuses: number[] = [];
    while (statuses.length <= 2 * QUOTA && statuses.at(-1) !== 429) {
      const [path, init] = Object.values(calls)[statuses.length % 6] ?? ['/', {}];
      statuses.push((await stack().fetchContent(path, { ...init, address })).status);
    }
    expect(statuses.length).toBeGreaterThan(QUOTA);
    for (const [path, init] of Object.values(calls)) {
      await expectError(await stack().fetchContent(path, { ...init, address }), 429, 'rate_limited');
    }
    const large = { method: 'POST', body: 'x'.repeat(70_000), address };
    await expectError(await stack().fetchContent('/mcp', large), 429, 'rate_limited');
  });
});
