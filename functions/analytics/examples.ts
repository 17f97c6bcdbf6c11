import type { Examples } from '../../lib/http/examples.ts';
import { annotationExamples } from './annotation-examples.ts';
import { batchExamples } from './batch-examples.ts';
import type { routes } from './contract.ts';
import { exportExamples } from './export-examples.ts';
import { goalExamples } from './goal-examples.ts';
import { privacyExamples } from './privacy-examples.ts';
import { reportExamples } from './report-examples.ts';
import { shareExamples } from './shared-report-examples.ts';

export const examples: Examples<typeof routes> = {
  ...reportExamples,
  ...batchExamples,
  ...annotationExamples,
  ...goalExamples,
  ...shareExamples,
  ...exportExamples,
  ...privacyExamples,
};
