import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Contracts, RouteContract } from '../../lib/http/contract.ts';
import type { Examples, RouteExample } from '../../lib/http/examples.ts';
import { ROOT } from '../../tooling/deployment.ts';
import type { NamedSchemas } from './schema.ts';
import type { Service } from './services.ts';

/** A route with its name and its examples. */
export type DocumentedRoute = RouteContract & { operationId: string; examples: readonly RouteExample[] };

export interface FunctionContract {
  fn: string;
  routes: DocumentedRoute[];
  /** Schemas that the document lists under `components`. */
  components?: NamedSchemas;
}

/** The contracts of all functions of a service with public routes, in alphabetical order. */
export async function readContracts({ owns }: Service): Promise<FunctionContract[]> {
  const found = await readdir(join(ROOT, 'functions'), { recursive: true });
  const files = found.filter((path) => /^[a-z-]+\/contract\.ts$/.test(path)).sort();
  const names = files.map((path) => path.slice(0, path.indexOf('/')));
  return Promise.all(names.filter((fn) => owns(fn)).map(readContract));
}

async function readContract(fn: string): Promise<FunctionContract> {
  const load = (file: string): Promise<object> =>
    import(pathToFileURL(join(ROOT, 'functions', fn, file)).href);
  const [contract, { examples }] = (await Promise.all([load('contract.ts'), load('examples.ts')])) as [
    { routes: Contracts; components?: NamedSchemas },
    { examples: Examples<Contracts> },
  ];
  const routes = Object.entries(contract.routes).map(([operationId, route]) => ({
    ...route,
    operationId,
    examples: examples[operationId] ?? [],
  }));
  return { ...contract, fn, routes };
}
