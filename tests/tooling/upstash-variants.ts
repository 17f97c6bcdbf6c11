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

/** The real client with our settings: unchanged values, no retries. */
export const connect = (to: Upstash): Redis =>
  new Redis({
    url: to.url,
    token: to.token,
    retry: { retries: 0 },
    automaticDeserialization: false,
    enableTelemetry: false,
  });

/** A unique prefix for keys. The keys expire, or the test deletes them. */
export const uniquePrefix = (): string => `test:${randomBytes(8).toString('hex')}:`;

/** Sends a raw body, which the client itself would never send. */
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
