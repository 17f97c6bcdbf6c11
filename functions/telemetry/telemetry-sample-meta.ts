import { SAMPLE } from '../../lib/http/examples.ts';

/** `meta` of documented examples. */
export const sampleMeta = {
  scope: { projectId: SAMPLE.projectId, environmentId: SAMPLE.environmentId, filters: {} },
  range: { from: '2026-11-21T09:00:00.000Z', to: '2026-11-21T10:00:00.000Z', timezone: 'UTC' },
  coverage: { observed: true, since: '2026-10-22T09:59:12.000Z', observedShare: 0.983, dropped: { time: 2 } },
  freshness: {
    lastReceivedAt: '2026-11-21T09:59:58.412Z',
    lastEventAt: '2026-11-21T09:59:57.004Z',
    foldedAt: '2026-11-21T09:59:59.000Z',
    evaluatedAt: '2026-11-21T09:59:59.000Z',
  },
};
