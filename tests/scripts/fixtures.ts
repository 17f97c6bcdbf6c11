import type { FunctionSpec } from '../../tooling/deployment.ts';

/** A function of an invented deployment map. */
export function makeFunction(fn: string, parts: Partial<FunctionSpec> = {}): FunctionSpec {
  return {
    fn,
    name: `vendor-${fn}`,
    main: `/repo/functions/${fn}/index.ts`,
    compatibilityDate: '2026-10-01',
    compatibilityFlags: [],
    workersDev: false,
    alias: {},
    vars: {},
    routes: [],
    services: [],
    producers: [],
    consumers: [],
    crons: [],
    ...parts,
  };
}

/** A service binding in that map. */
export const bind = (fn: string): { binding: string; service: string } => ({
  binding: fn.toUpperCase(),
  service: `vendor-${fn}`,
});
