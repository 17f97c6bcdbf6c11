import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RouteContract } from '../../../lib/http/contract.ts';
import { ROOT } from '../deployment.ts';
import type { NamedSchemas } from './schema.ts';

/** What a `functions/<function>/contract.ts` exports. */
export interface FunctionContract {
  fn: string;
  routes: RouteContract[];
  /** Schemas that the document names under `components`. */
  components?: NamedSchemas;
}

/** The contracts of all functions that have routes for the public, in alphabetical order. */
export async function readContracts(): Promise<FunctionContract[]> {
  const found = await readdir(join(ROOT, 'functions'), { recursive: true });
  const files = found.filter((path) => /^[a-z-]+\/contract\.ts$/.test(path)).sort();
  return Promise.all(
    files.map(async (path) => ({
      ...((await import(pathToFileURL(join(ROOT, 'functions', path)).href)) as Omit<FunctionContract, 'fn'>),
      fn: path.slice(0, path.indexOf('/')),
    })),
  );
}
