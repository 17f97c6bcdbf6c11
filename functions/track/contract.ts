import type { ErrorCode } from '../../lib/errors.ts';
import type { Contracts } from '../../lib/http/contract.ts';
import { TRACKING } from './limits.ts';
import { PolicyAnswer, PolicyQuery, TrackAnswer, TrackRequest } from './schemas.ts';

const shared = { tag: 'Tracker', auth: 'public', limit: TRACKING } as const;
const both: readonly ErrorCode[] = ['NOT_FOUND'];

/** The tracker's endpoints for the OpenAPI document. */
export const routes = {
  getPolicyAnswer: {
    ...shared,
    method: 'GET',
    path: '/api/v1/policy',
    summary: 'What the server may store for this visitor',
    description:
      'The tracker asks this before it collects. The server obeys `Sec-GPC: 1` and `DNT: 1`; the country comes from the edge. ' +
      'A saved policy takes effect within 5 minutes.',
    input: PolicyQuery,
    responses: { 200: { description: 'The answer, without an envelope.', schema: PolicyAnswer } },
    errors: both,
  },
  track: {
    ...shared,
    method: 'POST',
    path: '/api/v1/track',
    summary: 'Send events of a page',
    description:
      'The server decides the tier and drops data beyond it. Dropped events are counted by reason, here and for the owner. An event ' +
      'that breaks a rule takes no other with it: what is right of it is kept, and `warnings` say what isn’t. A repeated `id` counts ' +
      'once. While the store of the day’s salts is out of reach, anonymous sessions are stored as anonymous counts. Once the site is ' +
      'known, errors have `policy` too.',
    body: { schema: TrackRequest, contentTypes: ['application/json', 'text/plain'] },
    responses: {
      202: { description: 'The events are durable; reports show them within seconds.', schema: TrackAnswer },
      204: { description: 'Global Privacy Control: nothing was read or stored.' },
    },
    errors: both,
  },
} as const satisfies Contracts;
