/** CPU time of a page view, for `npm run bench -- cost`. Only on Linux, with PostgreSQL on the same machine. */
import { join } from 'node:path';
import { type Stack, startStack } from '../dev/stack.ts';
import { type FunctionSpec, ROOT, readDeployment } from '../tooling/deployment.ts';
import type { Benchmark } from './benchmark.ts';
import { measureBatches } from './cpu/measure-batches.ts';
import { measureRequests } from './cpu/measure-requests.ts';
import { withDatabase } from './with-database.ts';

export const cpu: Benchmark = {
  name: 'cpu',
  summary:
    'CPU of a request, of folding it at once and of a queue batch in workerd and PostgreSQL, from /proc',
  run: ({ database, redis }) =>
    withDatabase(database, async (url) => {
      const shared = { database: { url }, redis };
      const functions = replaced(readDeployment(), { sites: 'policies', ingest: 'tally' });
      const withoutWork = replaced(functions, { docs: 'empty', ingest: 'empty' });
      await withStack({ ...shared, functions: withoutWork }, async (empty) => {
        const name = new URL(url).pathname.slice(1);
        await measureRequests(empty, name);
        await withStack({ ...shared, functions }, (ingest) => measureBatches(ingest, empty, name));
      });
    }),
};

/** Replaces some functions by Workers of `bench/`; `docs` has `/api/*`. */
const replaced = (functions: FunctionSpec[], by: Record<string, string>): FunctionSpec[] =>
  functions.map((spec) =>
    spec.fn in by ? { ...spec, main: join(ROOT, `bench/${by[spec.fn]}/index.ts`) } : spec,
  );

async function withStack(
  options: Parameters<typeof startStack>[0],
  use: (stack: Stack) => Promise<void>,
): Promise<void> {
  const stack = await startStack(options);
  try {
    await use(stack);
  } finally {
    await stack.close();
  }
}
