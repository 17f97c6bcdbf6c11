/** What a function asks of its environment, read from the schema `Env` of `functions/<fn>/env.ts`. */
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FunctionSpec } from './deployment.ts';

export interface EnvKeys {
  required: string[];
  optional: string[];
}

interface ObjectSchema {
  entries: Record<string, { type: string }>;
}

/** The keys of a function's vars and secrets. Reads the file anew when it has changed. */
export async function readEnvKeys(spec: FunctionSpec): Promise<EnvKeys> {
  const path = join(dirname(spec.main), 'env.ts');
  const { Env } = (await import(`${pathToFileURL(path)}?${statSync(path).mtimeMs}`)) as {
    Env?: ObjectSchema;
  };
  if (Env?.entries === undefined)
    throw new Error(`functions/${spec.fn}/env.ts must export the object schema Env`);
  const keys = Object.keys(Env.entries);
  const isOptional = (key: string): boolean => Env.entries[key]?.type === 'optional';
  return { required: keys.filter((key) => !isOptional(key)), optional: keys.filter(isOptional) };
}
