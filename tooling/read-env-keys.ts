/** Reads what a function needs from its environment: the schema `Env` of `functions/<fn>/env.ts`. */
import { dirname, join } from 'node:path';
import { bundleWorker } from './bundle-worker.ts';
import type { FunctionSpec } from './deployment.ts';

export interface EnvKeys {
  required: string[];
  optional: string[];
}

interface ObjectSchema {
  entries: Record<string, { type: string }>;
}

/** The keys of a function's vars and secrets. Reads the current file; an import would return the first version for ever. */
export async function readEnvKeys(spec: FunctionSpec, bundle = bundleWorker): Promise<EnvKeys> {
  const code = await bundle(join(dirname(spec.main), 'env.ts'), { alias: spec.alias });
  const url = `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`;
  const { Env } = (await import(url)) as { Env?: ObjectSchema };
  if (Env?.entries === undefined)
    throw new Error(`functions/${spec.fn}/env.ts must export the object schema Env`);
  const keys = Object.keys(Env.entries);
  const isOptional = (key: string): boolean => Env.entries[key]?.type === 'optional';
  return { required: keys.filter((key) => !isOptional(key)), optional: keys.filter(isOptional) };
}
