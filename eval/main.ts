/**
 * `npm run eval`: fills a database, asks every question by its plain script, and prints calls, tokens and whether the answer is right.
 * `--agent PROGRAM` asks an agent; `--serve PORT` keeps the endpoint for any other; `--check FILE` compares its answers (eval/README.md).
 */
import { parseArgs } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { connectDatabase } from '../lib/db.ts';
import { startNeon } from '../tooling/neon/start-neon.ts';
import { applySchema } from '../tooling/schema/apply-schema.ts';
import { ALL_QUESTIONS } from './all-questions.ts';
import { askAgent } from './ask-agent.ts';
import { checkAnswers } from './check-answers.ts';
import { isEnough, medianOf, type Outcome, runEval } from './run-eval.ts';
import { serveWorld } from './serve-world.ts';
import { createTruth } from './truth.ts';
import { createEvalWorld, type EvalWorld, ORIGIN } from './world.ts';

const { values } = parseArgs({
  options: { serve: { type: 'string' }, check: { type: 'string' }, agent: { type: 'string' } },
});

async function connect({ fetch, token }: EvalWorld): Promise<Client> {
  const client = new Client({ name: 'eval', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', ORIGIN), { fetch, requestInit }));
  return client;
}

function printOutcomes(outcomes: readonly Outcome[]): void {
  for (const { id, calls, tokens, isRight, expected, answer } of outcomes) {
    console.log(
      `${isRight ? 'right' : 'WRONG'}  ${id.padEnd(22)} ${calls} calls, ${String(tokens).padStart(5)} tokens`,
    );
    if (!isRight) console.log(`       expected ${JSON.stringify(expected)}, got ${JSON.stringify(answer)}`);
  }
  const calls = medianOf(outcomes.map((outcome) => outcome.calls));
  const all = outcomes.map((outcome) => outcome.tokens);
  const tokens = Math.max(...all);
  const right = outcomes.filter(({ isRight }) => isRight).length;
  console.log(
    `${right} of ${outcomes.length} right, ${calls} calls in the median, ${medianOf(all)} tokens a result in the median and at most ${tokens}`,
  );
  if (!isEnough(outcomes)) process.exitCode = 1;
}

/** Answers on a port of this machine until the process ends. */
async function keepServing(world: EvalWorld, port: number): Promise<void> {
  const { url, close } = await serveWorld(world, port);
  const questions = ALL_QUESTIONS.map(({ id, words, again }) => ({ id, words, again }));
  console.log(JSON.stringify({ url, token: world.token, questions }, null, 2));
  await new Promise((resolve) => process.once('SIGINT', resolve));
  close();
}

const neon = await startNeon({ database: 'memory' });
try {
  await neon.withClient(applySchema);
  const { url, endpoint } = neon;
  const sql = connectDatabase({ url, endpoint });
  const world = await createEvalWorld({ sql, url, endpoint }, (line) => process.stderr.write(`\r${line}   `));
  process.stderr.write('\n');
  try {
    const truth = createTruth(world.siteId);
    if (values.check !== undefined) process.exitCode = (await checkAnswers(values.check, truth)) ? 0 : 1;
    else if (values.serve !== undefined) await keepServing(world, Number(values.serve));
    else if (values.agent !== undefined)
      process.exitCode = (await askAgent(values.agent, world, truth)) ? 0 : 1;
    else {
      const client = await connect(world);
      const outcomes = await runEval(truth, async (name, args) => {
        const { content } = (await client.callTool({ name, arguments: args })) as {
          content: { text: string }[];
        };
        return content[0]?.text ?? '';
      });
      await client.close();
      printOutcomes(outcomes);
    }
  } finally {
    await world.close();
  }
} finally {
  await neon.close();
}
