import { setTimeout as wait } from 'node:timers/promises';
import { isSpanContextValid, TraceFlags, trace } from '@opentelemetry/api';
import type { Outcome, OutcomeResult } from '../../index.d.ts';
import { type Answer, post } from '../send/post.ts';
import type { Settings } from '../settings.ts';
import { OutcomeError } from './outcome-error.ts';

const ATTEMPTS = 5;
const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 3000;
const REQUEST_MS = 5000;
const PASSING = new Set([429, 500, 502, 503, 504]);

/** Sends the outcome until the service says what became of it, five times at most. The same outcome sent again counts once. */
export async function confirmOutcome(
  { endpoint, apiKey }: Settings,
  outcome: Outcome,
): Promise<OutcomeResult> {
  const body = encode(outcome);
  let why = 'the service is out of reach';
  for (let attempt = 1, pause = FIRST_WAIT_MS; attempt <= ATTEMPTS; attempt += 1, pause *= 3) {
    const answer = await ask(`${endpoint}/api/v1/telemetry/outcomes`, apiKey, body);
    if (answer !== undefined && !PASSING.has(answer.status)) return readAnswer(answer);
    if (answer !== undefined) why = `the service answers ${answer.status}`;
    if (attempt < ATTEMPTS) await wait(Math.min(answer?.retryAfterMs ?? pause, MAX_WAIT_MS));
  }
  throw new OutcomeError('unavailable', `${why}. The outcome may have been stored; send it again.`);
}

function encode(outcome: Outcome): string {
  try {
    return JSON.stringify({ ...outcome, ...(outcome.traceId === undefined && activeIds()) });
  } catch {
    throw new OutcomeError('invalid', 'The outcome cannot be written as JSON.');
  }
}

/** The trace that the reader will find, one that is sent, and the span in it that confirms the outcome. */
function activeIds(): { traceId: string; spanId: string } | undefined {
  const span = trace.getActiveSpan()?.spanContext();
  if (!span || !isSpanContextValid(span) || !(span.traceFlags & TraceFlags.SAMPLED)) return undefined;
  return { traceId: span.traceId, spanId: span.spanId };
}

async function ask(url: string, apiKey: string, body: string): Promise<Answer | undefined> {
  try {
    return await post({
      url,
      body,
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      timeoutMs: REQUEST_MS,
      signal: new AbortController().signal,
    });
  } catch {
    return undefined;
  }
}

function readAnswer({ status, body }: Answer): OutcomeResult {
  if (status === 201) return { status: 'created' };
  if (status === 200) return { status: 'duplicate' };
  const message = messageOf(body) ?? `The service answers ${status}.`;
  if (status === 409) throw new OutcomeError('conflict', message);
  if (status === 401 || status === 403) throw new OutcomeError('refused', message);
  throw new OutcomeError('invalid', message);
}

function messageOf(body: Buffer): string | undefined {
  try {
    const { message, details } = JSON.parse(body.toString());
    const rules = Array.isArray(details) ? details.map(({ path, message }) => `${path} ${message}`) : [];
    return [message, ...rules].join(' ').slice(0, 1000);
  } catch {
    return undefined;
  }
}
