/** Official clients of both eras get every question of eval/ right, in few calls and short results. */
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askAgent } from '../../eval/ask-agent.ts';
import { QUESTIONS, UNANSWERABLE } from '../../eval/questions.ts';
import { isRight, MAX_MEDIAN_CALLS, MAX_TOKENS, medianOf, runEval } from '../../eval/run-eval.ts';
import { createTruth, type Truth } from '../../eval/truth.ts';
import { createEvalWorld, type EvalWorld, ORIGIN } from '../../eval/world.ts';
import { addQueryToken } from '../security/session.ts';
import { useDatabase } from '../services/database.ts';

const FILL_TIMEOUT_MS = 300_000;
const IDENTITY = { name: 'eval', version: '1.0.0' };

const database = useDatabase();
let world: EvalWorld;
let truth: Truth;
beforeAll(async () => {
  const { sql, address } = database();
  world = await createEvalWorld({ sql, ...address });
  truth = createTruth(world.siteId);
}, FILL_TIMEOUT_MS);
afterAll(() => world?.close());

interface AnyClient {
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<object>;
  close(): Promise<void>;
}

/** Each client has a token of its own, whose limit it doesn't share. */
async function newOptions() {
  const { token } = await addQueryToken(database().sql, world.userId);
  return { fetch: world.fetch, requestInit: { headers: { Authorization: `Bearer ${token}` } } };
}

async function connect2(mode: 'auto' | 'legacy'): Promise<AnyClient> {
  const client = new Client(IDENTITY, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', ORIGIN), await newOptions()));
  return client;
}

async function connect1(): Promise<AnyClient> {
  const client = new Client1(IDENTITY);
  // The SDK's own types contradict each other about optional properties.
  await client.connect(new Transport1(new URL('/mcp', ORIGIN), await newOptions()) as Transport);
  return client;
}

test.each([
  ['of 2026-07-28', () => connect2('auto')],
  ['of 2026-07-28, held to 2025-11-25', () => connect2('legacy')],
  ['of 2025-11-25', connect1],
] as const)('a client %s', async (_, connect) => {
  const client = await connect();
  const outcomes = await runEval(truth, async (name, args) => {
    const { content } = (await client.callTool({ name, arguments: args })) as { content: { text: string }[] };
    return content[0]?.text ?? '';
  });
  await client.close();
  expect(outcomes.filter((outcome) => !outcome.isRight)).toEqual([]);
  expect(outcomes).toHaveLength(QUESTIONS.length + UNANSWERABLE.length);
  expect(medianOf(outcomes.map(({ calls }) => calls))).toBeLessThanOrEqual(MAX_MEDIAN_CALLS);
  expect(Math.max(...outcomes.map(({ tokens }) => tokens))).toBeLessThanOrEqual(MAX_TOKENS);
});

test('there are twenty questions, each in two wordings, and five without an answer', () => {
  expect([QUESTIONS.length, UNANSWERABLE.length]).toEqual([20, 5]);
  const all = [...QUESTIONS, ...UNANSWERABLE];
  expect(new Set(all.flatMap(({ id, words, again }) => [id, words, again])).size).toBe(3 * all.length);
});

test('the answer of another question is wrong', () => {
  for (const question of QUESTIONS) {
    const expected = question.expected(truth);
    const others = QUESTIONS.filter(({ id }) => id !== question.id).map((other) => other.expected(truth));
    expect(others.filter((other) => isRight(question, expected, other))).toEqual([]);
    expect(JSON.stringify(expected) ?? '').not.toMatch(/^$|null|NaN/);
  }
});

test('a program is asked both wordings, and its calls are counted', async () => {
  const agent = fileURLToPath(new URL('agents/first-question.ts', import.meta.url));
  const lines: string[] = [];
  const questions = QUESTIONS.filter(({ id }) => ['visitors', 'pages'].includes(id));
  const good = await askAgent(
    `${process.execPath} ${agent}`,
    world,
    truth,
    (line) => lines.push(line),
    questions,
  );
  expect(good).toBe(false);
  expect(lines.map((line) => line.slice(0, 33))).toEqual([
    'right  visitors           1 calls',
    'right  visitors           1 calls',
    'WRONG  pages              1 calls',
    expect.stringContaining('expected'),
    'WRONG  pages              1 calls',
    expect.stringContaining('expected'),
    '2 of 4 right, 1 calls in the medi',
  ]);
});
