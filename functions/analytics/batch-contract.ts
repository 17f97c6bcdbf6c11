import * as v from 'valibot';
import { ListMeta, ReportMeta } from '../../lib/analytics/answers/schemas.ts';
import { BATCHED, countAsked, ReportBatch } from '../../lib/analytics/report-batch.ts';
import type { Contracts } from '../../lib/http/contract.ts';
import { ErrorBody } from '../../lib/http/error-envelope.ts';
import { QUERIES } from './limits.ts';
import { answerOf } from './report-contract.ts';

const OwnMeta = v.partial(ReportMeta);
const OwnListMeta = v.partial(ListMeta);

/** The fields of a report's `meta` that differ from the batch's. The usual ones are named in the document. */
function ownMetaOf(meta: v.ObjectSchema<v.ObjectEntries, undefined>) {
  if (meta === ReportMeta) return OwnMeta;
  return meta === ListMeta ? OwnListMeta : v.partial(meta);
}

/** What a batch says of a report: its answer or its error. */
function entryOf(report: string) {
  const { data, meta } = answerOf(report);
  return v.optional(v.union([v.object({ data, meta: v.optional(ownMetaOf(meta)) }), ErrorBody]));
}

const DESCRIPTION =
  'The answers to 1 to 16 reports, by name: what each report alone answers to the same parameters at the same instant. `period`, `from`, ' +
  '`to` and filters are common to all; a report’s own parameters go to the reports that have them. `{...meta, ...data.pages.meta}` is ' +
  'the `meta` of `pages`. A report that refuses a parameter has the body of its error instead of an answer. Counts as one request, and each report among the reports of a minute.';

/** Several reports by one request. */
export const batchRoutes = {
  getReports: {
    method: 'GET',
    path: '/api/v1/sites/:siteId/analytics/reports',
    tag: 'Batches',
    summary: 'Several reports at once',
    description: DESCRIPTION,
    auth: 'member',
    input: ReportBatch,
    limit: QUERIES,
    reportsAsked: countAsked,
    responses: {
      200: {
        description: 'The reports.',
        schema: v.object({
          data: v.object(
            Object.fromEntries([...BATCHED].map(([name, { report }]) => [name, entryOf(report)])),
          ),
          meta: ReportMeta,
        }),
      },
    },
    errors: ['NOT_FOUND'],
  },
} as const satisfies Contracts;

export const batchComponents = { OwnMeta, OwnListMeta };
