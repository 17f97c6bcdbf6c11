import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RouteContract } from '../../lib/http/contract.ts';
import { ROOT } from '../../tooling/deployment.ts';
import type { NamedSchemas } from './schema.ts';
import type { Service } from './services.ts';

/** What a `functions/<function>/contract.ts` exports. */
export interface FunctionContract {
  fn: string;
  routes: RouteContract[];
  /** Schemas that the document names under `components`. */
  components?: NamedSchemas;
}

/** The contracts of all functions of a service that have routes for the public, in alphabetical order. */
export async function readContracts({ owns }: Service): Promise<FunctionContract[]> {
  const found = await readdir(join(ROOT, 'functions'), { recursive: true });
  const files = found.filter((path) => /^[a-z-]+\/contract\.ts$/.test(path)).sort();
  const contracts = files.map((path) => ({ path, fn: path.slice(0, path.indexOf('/')) }));
  return Promise.all(
    contracts
      .filter(({ fn }) => owns(fn))
      .map(async ({ path, fn }) => ({
        ...((await import(pathToFileURL(join(ROOT, 'functions', path)).href)) as Omit<
          FunctionContract,
          'fn'
        >),
        fn,
      })),
  );
}
