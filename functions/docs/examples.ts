import type { Examples } from '../../lib/http/examples.ts';
import type { routes } from './contract.ts';

export const examples: Examples<typeof routes> = {
  getOpenapi: [{ summary: 'The document', status: 200 }],
  getHealth: [
    {
      summary: 'All of one version',
      status: 200,
      response: {
        data: {
          status: 'ok',
          version: '0.2.0',
          database: { version: '0.2.0', migration: 11 },
          functions: [
            { name: 'track', version: '0.2.0', status: 'ok' },
            { name: 'gateway', version: '0.2.0', status: 'ok' },
          ],
        },
      },
    },
  ],
};
