import * as v from 'valibot';
import { ListMeta, ReportMeta, type Tier } from '../../lib/analytics/schemas.ts';
import { type RouteContract, type RouteExample, unknownSite } from '../../lib/http/contract.ts';
import { sampleMeta } from './sample-meta.ts';

type Schema = v.GenericSchema;
type Told = Pick<RouteContract, 'summary' | 'description'> & {
  query: Schema;
  data: Schema;
  sample: unknown;
  /** It has pages. */
  isList?: boolean;
  /** Parameters that it can't do without. */
  needs?: Record<string, string>;
  /** Where it isn't made of the report's path. */
  operationId?: string;
  /** What its path names beside the site, and how examples name it. */
  named?: { params: Record<string, Schema>; samples: Record<string, string> };
  /** Where it can't tell of all. */
  tiers?: Tier[];
  /** Where `meta` says more than that of others. */
  meta?: { entries: v.ObjectEntries; sample: object };
};

/** A report's route under `.../analytics/`, by its path there. */
export function report(name: string, told: Told, examples: RouteExample[]): RouteContract {
  const { summary, description, query, data, sample, isList = false, needs, named, tiers } = told;
  const scope = tiers === undefined ? sampleMeta.scope : { ...sampleMeta.scope, tiers };
  const meta = { ...sampleMeta, scope, ...told.meta?.sample };
  const known = isList ? ListMeta : ReportMeta;
  const metaSchema = told.meta === undefined ? known : v.object({ ...known.entries, ...told.meta.entries });
  const own = (example: RouteExample): RouteExample =>
    named === undefined ? example : { ...example, params: { ...named.samples, ...example.params } };
  return {
    method: 'GET',
    path: `/api/v1/sites/:siteId/analytics/${name}`,
    operationId:
      told.operationId ??
      `get${name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())}`,
    tag: 'Analytics',
    summary,
    ...(description !== undefined && { description }),
    auth: 'apiToken',
    limited: true,
    query,
    ...(named !== undefined && { params: named.params }),
    responses: {
      200: { description: 'The report.', schema: v.object({ data, meta: metaSchema }) },
    },
    errors: isList ? ['NOT_FOUND', 'CONFLICT'] : ['NOT_FOUND'],
    examples: [
      {
        summary: 'As it comes',
        status: 200,
        ...(needs !== undefined && { query: needs }),
        response: { data: sample, meta: isList ? { ...meta, nextCursor: null } : meta },
      },
      ...examples,
      { summary: 'A parameter that does not exist', status: 400, query: { page: '2' } },
      { ...unknownSite, ...(needs !== undefined && { query: needs }) },
    ].map(own),
  };
}

export const ok = (summary: string, query: Record<string, string>): RouteExample => ({
  summary,
  status: 200,
  query,
});
export const bad = (summary: string, query: Record<string, string>): RouteExample => ({
  summary,
  status: 400,
  query,
});

export const ranges = [
  ok('The last 7 days', { period: '7d' }),
  ok('Two months, by date', { from: '2026-09-01', to: '2026-10-31' }),
  ok('Only consented analytics', { period: '24h', filter_privacy_tier: '3' }),
  ok('From two countries, not by a search', { filter_country: 'PT|ES', filter_source: '!Google|Bing' }),
  ok('Visits that saw the blog', { period: '7d', filter_page: '~/blog/' }),
  bad('An empty filter', { period: '7d', filter_source: '' }),
  bad('A tier that does not exist', { period: '7d', filter_privacy_tier: '4' }),
  bad('Half a range', { from: '2026-09-01' }),
];
export const limits = [
  ok('The first 100', { period: '90d', limit: '100' }),
  bad('More than 100', { period: '90d', limit: '101' }),
];
