import type { RouteContract } from '../../lib/http/contract.ts';
import { controlComponents, controlRoutes } from './control-contract.ts';
import { keyComponents, keyRoutes } from './key-contract.ts';
import { logComponents, logRoutes } from './log-contract.ts';
import { metricComponents, metricRoutes } from './metric-contract.ts';
import { outcomeComponents, outcomeRoutes } from './outcome-contract.ts';
import { serviceComponents, serviceRoutes } from './service-contract.ts';
import { traceComponents, traceRoutes } from './trace-contract.ts';

/** What the OpenAPI document says of backend telemetry's queries and control. */
export const routes: RouteContract[] = [
  ...keyRoutes,
  ...controlRoutes,
  ...serviceRoutes,
  ...traceRoutes,
  ...outcomeRoutes,
  ...logRoutes,
  ...metricRoutes,
];

export const components = {
  ...keyComponents,
  ...controlComponents,
  ...serviceComponents,
  ...traceComponents,
  ...outcomeComponents,
  ...logComponents,
  ...metricComponents,
};
