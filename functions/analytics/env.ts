import * as v from 'valibot';

export const Env = v.object({
  DATABASE_URL: v.pipe(v.string(), v.minLength(1)),
  DATABASE_HTTP_ENDPOINT: v.optional(v.pipe(v.string(), v.url())),
  UPSTASH_REDIS_REST_URL: v.pipe(v.string(), v.url()),
  UPSTASH_REDIS_REST_TOKEN: v.pipe(v.string(), v.minLength(1)),
});
export type Env = v.InferOutput<typeof Env>;
