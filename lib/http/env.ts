import * as v from 'valibot';

/** The variables and secrets of a function, as its `env.ts` declares them. */
export type EnvSchema = v.GenericSchema<unknown, object>;

/** A function was deployed without variables that it needs. `names` are the variables' names, never their values. */
export class EnvError extends Error {
  readonly names: readonly string[];

  constructor(names: readonly string[]) {
    super(`Missing or malformed variables: ${names.join(', ')}`);
    this.name = 'EnvError';
    this.names = names;
  }
}

/** Checks a Worker's raw `env` against its schema. Throws `EnvError` with the names of missing and malformed variables. */
export function parseEnv<Schema extends EnvSchema>(schema: Schema, raw: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, raw ?? {});
  if (result.success) return result.output;
  throw new EnvError([...new Set(result.issues.map((issue) => v.getDotPath(issue) ?? 'env'))]);
}

export interface Prepared<Env, Resources> {
  env: Env;
  resources: Resources;
}

/**
 * Parses the env and makes a function's long-lived resources (database, limiters, caches) once per isolate. The runtime passes the same
 * `env` object to every request of an isolate, so that object is the key.
 */
export function prepareOnce<Schema extends EnvSchema, Resources, Bindings extends object>(
  schema: Schema,
  make: (env: v.InferOutput<Schema>, bindings: Bindings) => Resources,
): (raw: Bindings) => Prepared<v.InferOutput<Schema>, Resources> {
  const known = new WeakMap<Bindings, Prepared<v.InferOutput<Schema>, Resources>>();
  return (raw) => {
    const found = known.get(raw);
    if (found !== undefined) return found;
    const env = parseEnv(schema, raw);
    const prepared = { env, resources: make(env, raw) };
    known.set(raw, prepared);
    return prepared;
  };
}
