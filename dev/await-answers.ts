import type { FunctionSpec } from '../tooling/deployment.ts';
import type { Stack } from './stack.ts';

/** The request id of the first requests. It is in their log lines. */
const STARTING = 'dev-start';

/** Whether a log line is of a first request that was answered, which tells a developer nothing. */
export const isOfStart = (line: string): boolean =>
  line.includes(`"${STARTING}"`) && !line.includes('"error"');

/** Resolves when every function answers. Throws, with the functions' names, if one answers with a server error; its log has the cause. */
export async function awaitAnswers(stack: Stack): Promise<void> {
  const reachable = stack.functions.filter((spec) => isReachable(spec, stack.functions));
  const init = { headers: { 'X-Request-Id': STARTING } };
  const statuses = await Promise.all(
    reachable.map(async ({ fn }) => (await stack.call(fn, '/', init)).status),
  );
  const faulty = reachable.filter((_, index) => statuses[index] === 500);
  if (faulty.length > 0)
    throw new Error(`These functions don't work: ${faulty.map(({ fn }) => fn).join(', ')}`);
}

/** Whether a function receives requests. A function that only consumes a queue may have no `fetch`. */
function isReachable({ name, routes, workersDev }: FunctionSpec, functions: FunctionSpec[]): boolean {
  const isBound = functions.some(({ services }) => services.some(({ service }) => service === name));
  return isBound || workersDev || routes.length > 0;
}
