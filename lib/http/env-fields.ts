/** Variables that several functions need, to be spread into their env schemas. */
import * as v from 'valibot';

export const databaseFields = {
  DATABASE_URL: v.pipe(v.string(), v.minLength(1)),
  /** Where the driver's HTTP protocol is spoken, if not at the provider's own address. */
  DATABASE_HTTP_ENDPOINT: v.optional(v.pipe(v.string(), v.url())),
};

export const redisFields = {
  UPSTASH_REDIS_REST_URL: v.pipe(v.string(), v.url()),
  UPSTASH_REDIS_REST_TOKEN: v.pipe(v.string(), v.minLength(1)),
};

/** The parts of a comma-separated variable, without white space around them. */
export const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
