import * as v from 'valibot';
import type { AssociationItem } from '../../../lib/analytics/answers/association-schemas.ts';
import { readFilter } from '../../../lib/analytics/reading/filter-text.ts';
import { mayReadBothSides } from '../../../lib/associations/evidence.ts';
import { DomainError } from '../../../lib/errors.ts';
import { invalid } from '../../../lib/http/issues.ts';
import { VITAL_BOUNDS, VITALS } from '../../../lib/visits/vital-bounds.ts';
import type { AgentContext } from '../agent-context.ts';
import { reading } from '../agent-tool.ts';
import { tellReport } from '../report-rows.ts';
import { analytics, breakDown } from '../site-answer.ts';
import { askedOf, filterFields, pagingFields, siteFields, siteUntrusted } from '../site-question.ts';
import { defined, journeyOf } from '../telemetry-answer.ts';

const CONSENTED = 'Only consented page views (tier 3) are measured.';
const ATTENTION = [
  `${CONSENTED} Attention is not kept by device or country.`,
  'Sorted by how many were measured, not by the value.',
];
const VITALS_READ =
  'Each vital is the p75; `shares` are the percent of loads that were good, need improvement and were poor by the bounds of web.dev: ' +
  VITALS.map((vital) => `${vital} ${VITAL_BOUNDS[vital].join('/')}`).join(', ') +
  '. The p75 of a few `measured` loads says little.';
const REQUESTED = [
  'Only consented page views (tier 3) tell of their requests, and only of those to the origins that the page lists.',
  'Each row counts its requests by evidence. `notConfirmed`: the page reported them, and no span is there, so their latency and errors are not known.',
  'Read `slowestTraceId` or one of `failedTraceIds` by `get_trace` in the environment of the row; its view `journey` has the visit.',
];

export const ratePages = reading({
  name: 'rate_pages',
  title: 'Speed and attention',
  description:
    'Which pages are slow, for whom, and which are read? `vitals`: p75 and ratings; `sort`: slowest first. `engagement`: seconds, scroll depth; filters page, tier. `requests`: backend calls of the page in filter `page is`.',
  scopes: analytics,
  entries: {
    by: v.picklist(['vitals', 'engagement', 'requests']),
    per: v.optional(v.picklist(['page', 'site', 'device', 'browser', 'os', 'country'])),
    sort: v.optional(v.picklist(VITALS)),
    ...siteFields,
    ...filterFields,
    ...pagingFields,
  },
  run: async (ctx, { by, per, sort, limit, cursor, ...input }) => {
    const { site, fields, around } = await askedOf(ctx, input);
    const paging = { tool: 'rate_pages', limit, cursor };
    const next = [breakDown({ ...around, by: 'page' }, 'How often is each page seen?')];
    if (by !== 'vitals' && (per ?? sort) !== undefined)
      throw invalid([
        {
          path: per === undefined ? 'sort' : 'per',
          message: 'goes with `by` `vitals` alone; filter by one value instead, as `browser is Safari`',
        },
      ]);
    if (by === 'vitals')
      return tellReport(
        ctx,
        site,
        { ...paging, report: by, fields: { ...fields, ...defined({ by: per, sort }) } },
        {
          notes: [CONSENTED, VITALS_READ],
          next,
          untrusted: ['data[].path', 'data[].value', ...siteUntrusted],
        },
      );
    if (by === 'engagement')
      return tellReport(
        ctx,
        site,
        { ...paging, report: by, fields },
        { notes: ATTENTION, next, untrusted: ['data[].path', ...siteUntrusted] },
      );
    return tellReport(
      ctx,
      site,
      { ...paging, report: 'associations', fields: ofOnePage(ctx, fields) },
      {
        notes: REQUESTED,
        nextOf: failedJourney,
        next,
        untrusted: ['environment', 'origin', 'service', 'operation']
          .map((name) => `data[].${name}`)
          .concat(siteUntrusted),
      },
    );
  },
});

/** The journey of the newest failed request. */
const failedJourney = (rows: readonly unknown[]) =>
  (rows as AssociationItem[])
    .filter(({ failedTraceId }) => failedTraceId !== null)
    .slice(0, 1)
    .map(({ environmentId, failedTraceId }) =>
      journeyOf({ environment: environmentId, traceId: String(failedTraceId) }),
    );

/** The page out of the filters, as the report takes it. Throws `FORBIDDEN` and `VALIDATION_ERROR`. */
function ofOnePage({ actor }: AgentContext, fields: { filters?: Record<string, string | number> }): object {
  if (!mayReadBothSides(actor))
    throw new DomainError(
      'FORBIDDEN',
      'Requests of a page need the scopes `analytics:read` and `telemetry:read`.',
    );
  const { page, ...filters } = fields.filters ?? {};
  const { operator, values } = readFilter(String(page ?? ''));
  if (page === undefined || operator !== 'is' || values.length !== 1)
    throw invalid([
      { path: 'filters', message: 'must have one `page is /path`: the page whose requests are asked for' },
    ]);
  return { ...fields, filters, page: values[0] };
}
