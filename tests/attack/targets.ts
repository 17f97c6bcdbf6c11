/** The documented routes of both services. */
import { isReadByQuery } from '../../lib/http/contract.ts';
import { readContracts } from '../../scripts/openapi/contracts.ts';
import { bodyInput, queryInputs } from '../../scripts/openapi/inputs.ts';
import { services } from '../../scripts/openapi/services.ts';
import type { Target } from './attempt.ts';

const read = await Promise.all(
  services.map(async (service) =>
    (await readContracts(service)).flatMap(({ routes }) => routes.map((route) => ({ route, service }))),
  ),
);

export const TARGETS: readonly Target[] = read.flat();

const isOf = (path: RegExp) => (target: Target) => path.test(target.route.path);
const isOtlp = isOf(/^\/v1\//);

export const WRITING = TARGETS.filter(
  (target) =>
    bodyInput(target.route) !== undefined && !isOtlp(target) && target.route.errorBody === undefined,
);
export const READING = TARGETS.filter(
  ({ route }) => isReadByQuery(route.method) && Object.keys(queryInputs(route)).length > 0,
);
export const LISTS = READING.filter(({ route }) => 'cursor' in queryInputs(route));
export const OTLP = TARGETS.filter(isOtlp);
/** Routes that need a credential. */
export const PRIVATE = TARGETS.filter(({ route }) => route.auth !== 'public');
/** Routes whose path contains the id of something that a tenant owns. */
export const OWNED = PRIVATE.filter(({ route }) => route.path.includes(':'));

export const targetOf = (operationId: string): Target => {
  const target = TARGETS.find(({ route }) => route.operationId === operationId);
  if (target === undefined) throw new Error(`no route is called ${operationId}`);
  return target;
};
