import type { ErrorCode } from '../../lib/errors.ts';
import type { Contracts } from '../../lib/http/contract.ts';
import { TRACKING } from './limits.ts';
import { PolicyAnswer, PolicyQuery, TrackAnswer, TrackRequest } from './schemas.ts';

const shared = { tag: 'Tracker', auth: 'public', limit: TRACKING } as const;
const both: readonly ErrorCode[] = ['NOT_FOUND'];

/** What the OpenAPI document says of the tracker's endpoints. */
export const routes = {
  getPolicyAnswer: {
    ...shared,
    method: 'GET',
    path: '/api/v1/policy',
    summary: 'What the server would store of this visitor',
    description:
      'Asked by the tracker before it collects. `Sec-GPC: 1` and `DNT: 1` are obeyed; the country comes from the edge. ' +
      'A saved policy is in effect within 5 minutes.',
    input: PolicyQuery,
    responses: { 200: { description: 'The answer, without an envelope.', schema: PolicyAnswer } },
    errors: both,
  },
  track: {
    ...shared,
    method: 'POST',
    path: '/api/v1/track',
    summary: 'Send what happened on a page',
    description:
      'The server decides the tier and drops what is beyond it. Dropped events are counted for the owner by reason: robots, ' +
      'rented servers, spam by referrer, pages of other hosts, events beyond the tier. An `id` that comes again counts once. While the store of the day’s ' +
      'salts is out of reach, anonymous sessions are stored as anonymous counts. Errors bear `policy` too once the site is known.',
    body: { schema: TrackRequest, contentTypes: ['application/json', 'text/plain'] },
    responses: {
      202: { description: 'Durable; it shows in reports within seconds.', schema: TrackAnswer },
      204: { description: 'Global Privacy Control: nothing was read or stored.' },
    },
    errors: both,
  },
} as const satisfies Contracts;
