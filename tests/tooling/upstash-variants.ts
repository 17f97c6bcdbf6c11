import { randomBytes } from 'node:crypto';
import { Redis } from '@upstash/redis';
import { startUpstash, type Upstash } from '../../tooling/upstash/start-upstash.ts';

export interface Variant {
  name: string;
  start(): Promise<Upstash>;
}

export const realUrl = process.env.TEST_REDIS_URL;
if (realUrl === undefined && process.env.CI !== undefined) throw new Error('TEST_REDIS_URL is not set');

const embedded: Variant = { name: 'embedded', start: () => startUpstash({ redis: 'memory' }) };

export const variants: Variant[] =
  realUrl === undefined
    ? [embedded]
    : [embedded, { name: 'real', start: () => startUpstash({ redis: { url: realUrl } }) }];

/** The real client, as strict as ours: values as they are, no retries. */
export const connect = (to: Upstash): Redis =>
  new Redis({
    url: to.url,
    token: to.token,
    retry: { retries: 0 },
    automaticDeserialization: false,
    enableTelemetry: false,
  });

/** Names nobody else has; what is stored under them ends by itself or is deleted by the test. */
export const uniquePrefix = (): string => `test:${randomBytes(8).toString('hex')}:`;

/** Sends a body as it is, for what the client never sends. */
export const post = (
  to: Upstash,
  path: string,
  body: BodyInit,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(to.url + path, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${to.token}`, ...headers },
  });
