import type { Examples } from '../../lib/http/examples.ts';
import type { routes } from './contract.ts';

export const examples: Examples<typeof routes> = {
  getSdkManifest: [{ summary: 'The versions', status: 200 }],
};
