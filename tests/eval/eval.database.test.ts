/** Official clients of both eras get every question of eval/ right, in few calls and short results. */
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ALL_QUESTIONS } from '../../eval/all-questions.ts';
import { askAgent } from '../../eval/ask-agent.ts';
import { HELD_BACK } from '../../eval/held-back.ts';
import { QUESTIONS } from '../../eval/questions.ts';
import { expectedOf, isEnough, isRight, runEval } from '../../eval/run-eval.ts';
import { createTruth, type Truth } from '../../eval/truth.ts';
import { createEvalWorld, type EvalWorld, ORIGIN } from '../../eval/world.ts';
import { addQueryToken } from '../security/session.ts';
import { addMember } from '../security/tenant.ts';
import { useDatabase } from '../services/database.ts';

/** Ends what hangs: filling takes half a minute on a quiet machine. */
const FILL_TIMEOUT_MS = 900_000;
const IDENTITY = { name: 'eval', version: '1.0.0' };

const database = useDatabase();
let world: EvalWorld;
let truth: Truth;
beforeAll(async () => {
  const { sql, address } = database();
  world = await createEvalWorld({ sql, ...address });
  truth = createTruth(world.siteId);
  for (const question of ALL_QUESTIONS) expectedOf(question, truth);
}, FILL_TIMEOUT_MS);
afterAll(() => world?.close());

interface AnyClient {
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<object>;
  close(): Promise<void>;
}

/** Each client is of a person of its own, whose limit it doesn't share. */
async function newOptions() {
  const { sql } = database();
  const [site] = await sql`select project_id from sites where id = ${world.siteId}`;
  const { userId } = await addMember(sql, site?.project_id, 'viewer');
  const { token } = await addQueryToken(sql, userId);
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
] as const)(
  'a client %s',
  async (_, connect) => {
    const client = await connect();
    const outcomes = await runEval(truth, async (name, args) => {
      const { content } = (await client.callTool({ name, arguments: args })) as {
        content: { text: string }[];
      };
      return content[0]?.text ?? '';
    });
    await client.close();
    expect(outcomes.filter((outcome) => !outcome.isRight)).toEqual([]);
    expect(outcomes).toHaveLength(ALL_QUESTIONS.length);
    expect(
      isEnough(outcomes),
      JSON.stringify(outcomes.map(({ id, calls, tokens }) => [id, calls, tokens])),
    ).toBe(true);
  },
  FILL_TIMEOUT_MS,
);

test('there are at least 80 questions, thirty of them held back, no two with the same id or words', () => {
  expect(ALL_QUESTIONS.length).toBeGreaterThanOrEqual(80);
  expect(HELD_BACK.length).toBeGreaterThanOrEqual(30);
  const texts = ALL_QUESTIONS.flatMap(({ id, words, again = [] }) => [id, words, again].flat());
  expect(new Set(texts).size).toBe(texts.length);
});

test('the answer of another question is wrong', () => {
  for (const question of QUESTIONS) {
    const expected = expectedOf(question, truth);
    const others = QUESTIONS.filter(({ id }) => id !== question.id).map((other) => expectedOf(other, truth));
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
