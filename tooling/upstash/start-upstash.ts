import { randomBytes } from 'node:crypto';
import { readBody } from '../endpoint/receive-body.ts';
import { type Answer, serve } from '../endpoint/serve.ts';
import { openEmbedded } from './embedded/embedded-redis.ts';
import { BadRequest, parseRequest } from './parse-commands.ts';
import { openReal, type RealRedis } from './real-redis.ts';
import { Discarded, Failure, OutOfReach, type Redis, textOf } from './redis-reply.ts';
import { type Encoding, responseBody } from './response-body.ts';

/** Upstash's own limit for a request. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;

export interface Upstash {
  /** The REST address to give the client. */
  url: string;
  token: string;
  close(): Promise<void>;
}

/**
 * Upstash's REST protocol on a loopback address, over an embedded Redis or a real one. Throws if the real one can't be
 * reached; later it may come and go, and the client then sees 503.
 */
export async function startUpstash(options: {
  redis: 'memory' | RealRedis;
  port?: number;
}): Promise<Upstash> {
  const redis = options.redis === 'memory' ? openEmbedded() : await openReal(options.redis);
  const token = randomBytes(16).toString('hex');

  const endpoint = await serve(options.port ?? 0, async (request) => {
    if (request.headers.authorization !== `Bearer ${token}`)
      return failure(401, 'WRONGPASS invalid or missing auth token');
    if (request.method !== 'POST') return failure(404, UNKNOWN_PATH);
    const body = await readBody(request, MAX_BODY_BYTES);
    if ('text' in body)
      return answerUpstash(redis, request.url, body.text, request.headers['upstash-encoding']);
    return body.refused === 'size'
      ? failure(413, `ERR max request size exceeded: ${MAX_BODY_BYTES} bytes`)
      : failure(400, 'ERR failed to parse the body as UTF-8');
  }).catch(async (error: unknown) => {
    await redis.close();
    throw error;
  });

  return {
    url: endpoint.origin,
    token,
    close: async () => {
      await endpoint.close();
      await redis.close();
    },
  };
}

/** Answers one request of the client, within this process. `encoding` is its header `Upstash-Encoding`. */
export async function answerUpstash(
  redis: Redis,
  path: string | undefined,
  body: string,
  encoding: unknown,
): Promise<Answer> {
  const asEncoded: Encoding = encoding === 'base64' ? 'base64' : 'text';
  try {
    const parsed = parseRequest(path, body);
    if (parsed === undefined) return failure(404, UNKNOWN_PATH);
    if (parsed.kind === 'many') {
      const replies = await redis.run(parsed.commands, parsed.atomic);
      return { status: 200, body: JSON.stringify(replies.map((reply) => responseBody(reply, asEncoded))) };
    }
    const [reply = null] = await redis.run(parsed.commands, false);
    const status = reply instanceof Failure ? 400 : 200;
    return { status, body: JSON.stringify(responseBody(reply, asEncoded)) };
  } catch (error) {
    if (error instanceof BadRequest) return failure(400, error.message);
    if (error instanceof Discarded) return failure(400, textOf(error.message));
    if (error instanceof OutOfReach) return failure(503, error.message);
    throw error;
  }
}

const UNKNOWN_PATH = 'ERR only POST /, /pipeline and /multi-exec are here';
const failure = (status: number, error: string): Answer => ({ status, body: JSON.stringify({ error }) });
