import type { Examples } from '../../lib/http/examples.ts';
import type { routes } from './contract.ts';
import { controlExamples } from './control-examples.ts';
import { alertExamples } from './environment-alert-examples.ts';
import { errorExamples } from './error-examples.ts';
import { logExamples } from './log-examples.ts';
import { metricExamples } from './metric-examples.ts';
import { outcomeExamples } from './outcome-examples.ts';
import { serviceExamples } from './service-examples.ts';
import { traceExamples } from './trace-examples.ts';

export const examples: Examples<typeof routes> = {
  ...controlExamples,
  ...errorExamples,
  ...alertExamples,
  ...serviceExamples,
  ...traceExamples,
  ...outcomeExamples,
  ...logExamples,
  ...metricExamples,
};
