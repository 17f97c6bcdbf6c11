import type { Examples } from '../../lib/http/examples.ts';
import type { routes } from './contract.ts';

export const examples: Examples<typeof routes> = {
  postMcp: [
    { summary: 'The tools', status: 200, body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
    {
      summary: 'How a website is doing',
      status: 200,
      body: {
        jsonrpc: '2.0',
        id: 2,
        method: 'tools/call',
        params: { name: 'summarize_site', arguments: { period: '7d' } },
      },
    },
    {
      summary: 'A notification',
      status: 202,
      body: { jsonrpc: '2.0', method: 'notifications/initialized' },
    },
    { summary: 'A batch', status: 400, body: [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }] },
    {
      summary: 'Without a token',
      status: 401,
      headers: { Authorization: '' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    },
  ],
};
