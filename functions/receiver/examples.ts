import type { Examples, RouteExample } from '../../lib/http/examples.ts';
import type { routes } from './contract.ts';
import { outcomeExamples } from './sent-outcome-examples.ts';

const RESOURCE = { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] };
const SCOPE = { name: 'shop' };
const IDS = { traceId: '5b8efff798038103d269b633813fc60c', spanId: 'eee19b7ec3c1b174' };

const nothing: RouteExample = { summary: 'Nothing', status: 200, body: {}, response: {} };
const wrong: RouteExample[] = [
  {
    summary: 'What is no such request',
    status: 400,
    body: { resourceSpans: 1, resourceLogs: 1, resourceMetrics: 1 },
  },
  { summary: 'Without a key', status: 401, headers: { Authorization: '' }, body: {} },
  { summary: 'Another type', status: 415, headers: { 'Content-Type': 'text/plain' }, body: {} },
  { summary: 'Another compression', status: 415, headers: { 'Content-Encoding': 'br' }, body: {} },
];

export const examples: Examples<typeof routes> = {
  exportTraces: [
    nothing,
    {
      summary: 'A span without a time: refused',
      status: 200,
      body: {
        resourceSpans: [
          {
            resource: RESOURCE,
            scopeSpans: [{ scope: SCOPE, spans: [{ ...IDS, name: 'GET /cart', kind: 2 }] }],
          },
        ],
      },
    },
    ...wrong,
  ],
  exportLogs: [
    nothing,
    {
      summary: 'A log record, at the time it is received',
      status: 200,
      body: {
        resourceLogs: [
          {
            resource: RESOURCE,
            scopeLogs: [
              {
                scope: SCOPE,
                logRecords: [{ ...IDS, severityNumber: 17, body: { stringValue: 'card declined' } }],
              },
            ],
          },
        ],
      },
    },
    ...wrong,
  ],
  exportMetrics: [
    nothing,
    {
      summary: 'A point without a time: refused',
      status: 200,
      body: {
        resourceMetrics: [
          {
            resource: RESOURCE,
            scopeMetrics: [
              { scope: SCOPE, metrics: [{ name: 'carts', gauge: { dataPoints: [{ asInt: '3' }] } }] },
            ],
          },
        ],
      },
    },
    ...wrong,
  ],
  ...outcomeExamples,
};
