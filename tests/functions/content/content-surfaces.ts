/** What every surface must answer while guides can't be read, and while they can (docs/content.md#guides). */
import { expect } from 'vitest';
import {
  askMcp,
  askRest,
  callTool,
  contentPath,
  expectError,
  type Fetch,
  nextAddress,
  searchPath,
} from './client.ts';

/** The service promises that no caller waits longer than this for Redis. */
export const MAX_WAIT_MS = 1500;
const AWAY = { code: 'guides_unavailable', message: expect.stringMatching(/\.$/) };
/** Details of an outage that the log may contain and answers may not. */
const INTERNALS = /redis|upstash|127\.0\.0\.1|econn|fetch|abort|syntaxerror|<html|\.ts\b|\bat \w+ \(/i;

/** A `fetch` that expects the answer within `MAX_WAIT_MS`. */
export const impatient =
  (fetch: Fetch): Fetch =>
  async (path, init) => {
    const start = performance.now();
    const response = await fetch(path, init);
    const text = await response.clone().text();
    expect(performance.now() - start).toBeLessThan(MAX_WAIT_MS);
    expect(response.status === 503 || response.status < 500).toBe(true);
    if (text.includes('"error"')) expect(text).not.toMatch(INTERNALS);
    return response;
  };

type Item = { type: string };
const typesOf = (answer: Record<string, unknown>): Set<string> =>
  new Set((answer.items as Item[]).map(({ type }) => type));

/** Searches for guides only fail. Searches for other types too are answered without guides. */
export async function expectSearchAway(patient: Fetch): Promise<void> {
  const fetch = impatient(patient);
  // Beside `nothing_found`, if only guides have what was asked for.
  const warnings = expect.arrayContaining([expect.objectContaining(AWAY)]);
  const mixed = async (args: Record<string, string>) => {
    const { status, answer } = await askRest(fetch, searchPath(args));
    expect([status, answer]).toMatchObject([200, { warnings }]);
    expect(typesOf(answer)).not.toContain('guide');
    expect(await callTool(fetch, 'search_content', args)).toMatchObject({
      isError: false,
      answer: { warnings, items: answer.items },
    });
    return answer;
  };
  const guidesOnly = async () => {
    const response = await fetch(searchPath({ type: 'guide' }), { address: nextAddress() });
    expectRetry(response);
    await expectError(response, 503, 'content_unavailable');
    const { isError, answer } = await callTool(fetch, 'search_content', { type: 'guide' });
    expect([isError, answer]).toMatchObject([true, { error: { code: 'content_unavailable' } }]);
  };
  const completion = async () => {
    const { result } = await askMcp(fetch, 'completion/complete', completionOf('en'));
    expect(result?.completion).toMatchObject({ values: [] });
  };
  const [everything] = await Promise.all([mixed({}), mixed({ query: 'site' }), guidesOnly(), completion()]);
  expect((everything.items as Item[]).length).toBeGreaterThan(0);
}

/** A request for a guide by id fails, but not as `NOT_FOUND`. */
export async function expectDetailAway(patient: Fetch, id = 'guide:tides'): Promise<void> {
  const fetch = impatient(patient);
  const rest = async () => {
    const response = await fetch(contentPath(id), { address: nextAddress() });
    expectRetry(response);
    await expectError(response, 503, 'content_unavailable');
  };
  const tool = async (name: string) =>
    expect(await callTool(fetch, name, { id })).toMatchObject({
      isError: true,
      answer: { error: { code: 'content_unavailable' } },
    });
  const resource = async () => {
    const uri = `vendor://guides/en/${encodeURIComponent(id)}`;
    const { error, result } = await askMcp(fetch, 'resources/read', { uri });
    expect(result).toBeUndefined();
    expect(error).toEqual({
      code: -32603,
      message: expect.stringMatching(/^Guides can’t be read at the moment/),
      data: { code: 'content_unavailable' },
    });
  };
  await Promise.all([rest(), tool('get_guide'), tool('get_content'), resource()]);
}

/** The catalogue is available whatever happens to Redis. */
export async function expectStaticUnaffected(patient: Fetch): Promise<void> {
  const fetch = impatient(patient);
  const [search, detail, list, facts, resource] = await Promise.all([
    askRest(fetch, searchPath({ type: 'service' })),
    askRest(fetch, contentPath('business:facts:en')),
    callTool(fetch, 'list_services'),
    callTool(fetch, 'get_business_info', { language: 'es' }),
    askMcp(fetch, 'resources/read', { uri: 'vendor://services/pt-PT' }),
  ]);
  expect([search.status, search.answer]).toMatchObject([200, { warnings: [] }]);
  expect(typesOf(search.answer)).toEqual(new Set(['service']));
  expect([detail.status, detail.answer]).toMatchObject([
    200,
    { freshness: { status: 'fresh', cachedAt: null } },
  ]);
  expect([list.isError, facts.isError, resource.error]).toEqual([false, false, undefined]);
}

/** Expects the guides on every surface. */
export async function expectGuidesThere(fetch: Fetch): Promise<void> {
  const { status, answer } = await askRest(fetch, contentPath('guide:tides'));
  expect([status, answer]).toMatchObject([200, { id: 'guide:tides', freshness: { status: 'fresh' } }]);
  const found = await askRest(fetch, searchPath({ type: 'guide' }));
  expect([found.status, found.answer]).toMatchObject([200, { warnings: [] }]);
  expect(typesOf(found.answer)).toEqual(new Set(['guide']));
  expect((await askRest(fetch, searchPath())).answer.warnings).toEqual([]);
  const { result } = await askMcp(fetch, 'completion/complete', completionOf('en'));
  expect(result?.completion).toMatchObject({ values: ['guide:tides', 'guide:knots'] });
  const uri = 'vendor://guides/en/guide%3Atides';
  expect((await askMcp(fetch, 'resources/read', { uri })).error).toBeUndefined();
}

const completionOf = (language: string) => ({
  ref: { type: 'ref/resource', uri: 'vendor://guides/{language}/{id}' },
  argument: { name: 'id', value: 'guide:' },
  context: { arguments: { language } },
});

function expectRetry({ headers }: Response): void {
  expect(headers.get('Retry-After')).toMatch(/^[1-9]\d*$/);
}
