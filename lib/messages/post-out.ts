/** Requests to addresses that users chose. */
import * as v from 'valibot';
import { type Loopback, refusalOfUrl } from './receiver-address.ts';

export interface OutgoingRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** What came of a request. */
export const Answer = v.object({
  /** Null: there was no answer. */
  status: v.nullable(v.number()),
  /** The first 1,024 bytes of the body. */
  body: v.string(),
  /** Why there was no answer, in a sentence. */
  fault: v.nullable(v.string()),
  /** The receiver said that it takes more messages (`WebHook-Allowed-Origin`). */
  allowsMore: v.boolean(),
});
export type Answer = v.InferOutput<typeof Answer>;

/** Sends one POST, follows no redirect, and waits 10 seconds at most. Never throws. */
export type PostOut = (request: OutgoingRequest) => Promise<Answer>;

export const ANSWER_MS = 10_000;
export const MAX_ANSWER_BYTES = 1024;

export const noAnswer = (fault: string): Answer => ({ status: null, body: '', fault, allowsMore: false });

/** Whether a receiver consents to more messages of the sender `origin` (a host), as CloudEvents' web hooks do. */
export const consents = (allowed: string | null | undefined, origin: string): boolean =>
  allowed === '*' || (allowed ?? '').toLowerCase() === origin;

/** Asks another service for the request instead, which checks what the name resolves to: `tooling/egress.ts`. */
export interface Egress {
  url: string;
  token: string;
}

interface PostOptions {
  loopback: Loopback;
  egress: Egress | undefined;
  /** The host that the requests come from. */
  origin: string;
}

/** Checks each address again before the request: the rules may be newer than the channel. */
export function connectReceivers({ loopback, egress, origin }: PostOptions): PostOut {
  const post = egress === undefined ? postDirectly(origin) : postThrough(egress);
  return async (request) => {
    const refusal = refusalOfUrl(request.url, loopback);
    if (refusal !== undefined) return noAnswer(`The address ${refusal}.`);
    try {
      return await post({
        ...request,
        headers: { ...request.headers, 'WebHook-Request-Origin': origin },
      });
    } catch (error) {
      return noAnswer(faultOf(error));
    }
  };
}

function faultOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'There was no answer in 10 seconds.';
  return 'There was no connection.';
}

const postDirectly =
  (origin: string): PostOut =>
  async ({ url, headers, body }) => {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const response = await fetch(url, { method: 'POST', redirect: 'manual', headers, body, signal });
    return {
      status: response.status,
      body: await firstBytes(response.body),
      fault: null,
      allowsMore: consents(response.headers.get('WebHook-Allowed-Origin'), origin),
    };
  };

/** The beginning of a body as text. What follows isn't read. */
async function firstBytes(stream: ReadableStream<Uint8Array> | null): Promise<string> {
  if (stream === null) return '';
  const bytes = new Uint8Array(MAX_ANSWER_BYTES);
  let length = 0;
  const reader = stream.getReader();
  while (length < MAX_ANSWER_BYTES) {
    const { done, value } = await reader.read();
    if (done) break;
    const part = value.subarray(0, MAX_ANSWER_BYTES - length);
    bytes.set(part, length);
    length += part.length;
  }
  await reader.cancel().catch(() => undefined);
  return storable(bytes.subarray(0, length));
}

/** PostgreSQL stores no zero byte. */
export const storable = (bytes: Uint8Array): string =>
  new TextDecoder().decode(bytes).replaceAll('\0', '\uFFFD');

const postThrough =
  ({ url, token }: Egress): PostOut =>
  async (request) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(request),
      signal: AbortSignal.timeout(ANSWER_MS + 2_000),
    });
    if (!response.ok) return noAnswer('The requests’ way out of the service answered with an error.');
    return v.parse(Answer, await response.json());
  };
