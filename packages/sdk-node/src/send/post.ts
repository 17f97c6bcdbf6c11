import { Buffer } from 'node:buffer';
import * as http from 'node:http';
import * as https from 'node:https';
import { context } from '@opentelemetry/api';
import { suppressTracing } from '@opentelemetry/core';

// Taken before the instrumentation wraps them.
const REQUEST = { 'http:': http.request, 'https:': https.request };

/** Connections stay open between requests. Idle ones don't keep the process alive. */
const AGENTS = {
  'http:': new http.Agent({ keepAlive: true }),
  'https:': new https.Agent({ keepAlive: true }),
};

/** Closes the idle connections. Later requests open new ones. */
export function closeConnections(): void {
  for (const agent of Object.values(AGENTS)) agent.destroy();
}

export interface Answer {
  status: number;
  body: Buffer;
  /** What `Retry-After` says, in milliseconds. */
  retryAfterMs: number | undefined;
}

export interface Post {
  url: string;
  headers: Record<string, string>;
  body: Uint8Array | string;
  timeoutMs: number;
  /** Ends the request at once. */
  signal: AbortSignal;
}

/** An answer is never longer, unless something else than the service answers. */
const MAX_ANSWER_BYTES = 65_536;

/** Rejects if there is no answer. It makes no span, follows no redirect, and doesn't keep the process alive. */
export const post = (request: Post): Promise<Answer> =>
  context.with(suppressTracing(context.active()), async () => {
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(request.timeoutMs)]);
    try {
      return await send(request, signal);
    } catch (error) {
      // The service closed an idle connection just when it was used: that says nothing of the service.
      if (!(error instanceof StaleConnection) || signal.aborted) throw error;
      return await send(request, signal, false);
    }
  });

class StaleConnection extends Error {}

const send = (
  { url, headers, body }: Post,
  signal: AbortSignal,
  agent: http.Agent | false = AGENTS[new URL(url).protocol as keyof typeof AGENTS],
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { protocol } = new URL(url);
    let answered = false;
    const request = REQUEST[protocol as keyof typeof REQUEST](
      url,
      {
        method: 'POST',
        headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
        signal,
        agent,
      },
      (response) => {
        answered = true;
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes <= MAX_ANSWER_BYTES) chunks.push(chunk);
        });
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            body: Buffer.concat(chunks),
            retryAfterMs: readRetryAfter(response.headers['retry-after']),
          }),
        );
        response.on('error', reject);
      },
    );
    request.on('socket', (socket) => socket.unref());
    request.on('error', (error) =>
      reject(request.reusedSocket && !answered ? new StaleConnection(error.message) : error),
    );
    request.end(body);
  });

function readRetryAfter(value: string | undefined): number | undefined {
  const seconds = Number(value);
  return value !== undefined && seconds >= 0 ? seconds * 1000 : undefined;
}
