import type { Examples } from '../../lib/http/examples.ts';
import type { routes } from './contract.ts';

export const examples: Examples<typeof routes> = {
  getOpenapi: [{ summary: 'The document', status: 200 }],
};
