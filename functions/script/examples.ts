import type { Examples } from '../../lib/http/examples.ts';
import type { routes } from './contract.ts';

export const examples: Examples<typeof routes> = {
  getTracker: [{ summary: 'The script', status: 200 }],
};
