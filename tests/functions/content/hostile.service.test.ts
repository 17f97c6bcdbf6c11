/** Some thousand hostile requests: each gets a clear 4xx error that repeats nothing that was sent and shows no internals. */
import { expect, test } from 'vitest';
import { useStack } from '../../services/use-stack.ts';
import { askRest, nextAddress, searchPath } from './client.ts';
import { SAMPLE_GUIDES } from './content-samples.ts';
import { type HostileRequest, hostileRequests } from './hostile-requests.ts';
import { CANARY } from './hostile-values.ts';

const COUNT = 3000;
const SEED = 20_261_121;
const AT_ONCE = 20;
/** Text from a stack trace, from the runtime or from a library. */
const INTERNALS =
  /\bat \S+ \(|\.ts\b|\.js:|node_modules|TypeError|SyntaxError|RangeError|ZodError|valibot|invalid_type|Redis/;
const CODES = [
  'invalid_input',
  'invalid_cursor',
  'not_found',
  'method_not_allowed',
  'revision_changed',
  'body_too_large',
];

const log: string[] = [];
const stack = useStack({ guides: SAMPLE_GUIDES, log: (line) => log.push(line) });

interface Answer {
  error?: { code: unknown; message: unknown };
  result?: { isError?: boolean; content?: { text: string }[] };
}

/** The fault of the answer to a request, or undefined. */
async function judge(request: HostileRequest): Promise<string | undefined> {
  const { path, init, expected, mayEcho = false } = request;
  const response = await stack().fetchContent(path, { ...init, address: nextAddress() });
  const text = await response.text();
  const fault = faultOf(response.status, text, expected);
  if (fault === undefined && INTERNALS.test(text)) return tell('tells of itself');
  if (fault === undefined && !mayEcho && text.includes(CANARY)) return tell('echoes');
  return fault && tell(fault);

  function tell(what: string): string {
    const sent = `${init.method ?? 'GET'} ${path.slice(0, 300)} ${String(init.body).slice(0, 300)}`;
    return `${what}: ${sent} -> ${response.status} ${text.slice(0, 300)}`;
  }
}

function faultOf(status: number, text: string, expected: HostileRequest['expected']): string | undefined {
  if (status >= 500) return 'a fault of ours';
  if (text === '') return status === 202 ? undefined : 'no answer';
  const answer = JSON.parse(text) as Answer;
  if (expected === 'refused') return status >= 400 && isOurs(answer) ? undefined : 'not refused';
  if (expected === 'tool') {
    const toolError = answer.result?.isError === true ? answer.result.content?.[0]?.text : undefined;
    if (toolError !== undefined && isOurs(JSON.parse(toolError) as Answer)) return undefined;
    return 'not a tool’s error';
  }
  if (answer.result !== undefined) return undefined;
  const { code, message } = answer.error ?? {};
  const isProtocol = typeof code === 'number' && typeof message === 'string' && code !== -32603;
  return isProtocol || isOurs(answer) ? undefined : 'no error of the protocol';
}

const isOurs = ({ error }: Answer): boolean =>
  typeof error?.code === 'string' && CODES.includes(error.code) && typeof error.message === 'string';

test(`${COUNT} hostile requests`, { timeout: 360_000 }, async () => {
  const requests = hostileRequests(COUNT, SEED);
  const faults: string[] = [];
  const work = async () => {
    for (let request = requests.pop(); request !== undefined; request = requests.pop()) {
      const fault = await judge(request);
      if (fault !== undefined) faults.push(fault);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  expect(faults.slice(0, 8)).toEqual([]);
  expect((await askRest(stack().fetchContent, searchPath())).status).toBe(200);
});

test('the log tells what failed, and nothing of what was sent', () => {
  const lines = log.filter((line) => line.startsWith('content'));
  expect(lines.length).toBeGreaterThan(COUNT / 2);
  expect(lines.filter((line) => line.includes(CANARY)).slice(0, 3)).toEqual([]);
});
