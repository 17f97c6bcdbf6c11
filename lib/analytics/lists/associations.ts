import { joinEnvironmentAccess } from '../../access.ts';
import { claimOrder, evidenceOf, mayReadBothSides } from '../../associations/evidence.ts';
import type { ReportContext } from '../../context.ts';
import type { Fragment, Sql } from '../../db.ts';
import { notFound } from '../../errors.ts';
import type { AssociationItem } from '../answers/association-schemas.ts';
import type { ReportMeta } from '../answers/schemas.ts';
import { looseBounds } from '../reading/report-range.ts';
import { type ListInput, type ListReport, pageOfRows, runList } from '../reading/run-report.ts';

export interface AssociationsInput extends ListInput {
  /** The path of the page. */
  page: string;
}

/** The newest are read, if a page has more in the range. */
const MAX_READ = 20_000;

type Row = AssociationItem & { read: number };

/**
 * What visits of tier 3 asked of backends on a page in the range, by environment and operation: only of environments that the caller may
 * read and whose origins are tied to the site. Shares and tokens without both scopes have no such report.
 *
 * Reads the newest associations of the page by `associations_page`, in its order and at most 20,000, each with a probe of its trace's
 * spans and one of the trace's other associations: some 50 µs. With filters it reads the visits of the range too.
 */
export async function reportAssociations(
  ctx: ReportContext,
  { page, ...input }: AssociationsInput,
): Promise<ListReport<AssociationItem> & { meta: ReportMeta & { approximate?: string } }> {
  const { sql, actor } = ctx;
  if (!mayReadBothSides(actor)) throw notFound('report');
  const { filters = [], tier } = input;
  const { data, meta, more } = await runList<Row>(ctx, { ...input, tiers: [3] }, ({ range, now, visits }) => {
    const { after, before } = looseBounds(input.range, now);
    return sql`
      with range as materialized (${range}),
      tied as materialized (
        select environment.id, environment.key, environment.name, environment_origins.origin,
          array[site.domain] || site.domains as domains
        from range
        join sites site on site.key = range.site_key
        join environments environment on environment.project_id = site.project_id
        ${joinEnvironmentAccess(sql, actor)}
        join environment_origins on environment_origins.environment_id = environment.id
          and (site_ids is null or site.id = any (site_ids))
      ),
      -- Of every site that is tied to these environments, whoever may read it: one page has a trace.
      rival as materialized (
        select tied.id, tied.origin as tied_origin, site.key as site_key, environment_origins.origin
        from tied
        join environment_origins on environment_origins.environment_id = tied.id
        join environments environment on environment.id = tied.id
        join sites site on site.project_id = environment.project_id and (site_ids is null or site.id = any (site_ids))
      ),
      reported as materialized (
        select a.*, count(*) over () as read
        from range
        -- Of one site and page the index has them in order of time, so that no others are read.
        cross join lateral (
          select associations.*
          from associations
          where associations.site_key = range.site_key and page_hash = md5(${page}::text)::uuid
            and occurred_at >= from_at and occurred_at < to_at
            and month >= date_trunc('month', ${after}::timestamptz, 'UTC') and month < ${before}::timestamptz
            and origin in (select origin from tied) ${filters.length === 0 ? sql`` : inVisits(sql, visits.kept('lasting'))}
            and ${tier === undefined || tier === 3}
          order by occurred_at desc
          limit ${MAX_READ + 1}
        ) a
      ),
      answered as (
        select distinct on (reported.trace_id, reported.page_id, reported.visitor_id) tied.id, tied.name as environment, reported.origin, reported.trace_id,
          reported.occurred_at, read, span.name as operation, duration_nano, status = 2 as failed, resource_id, tied.key,
          ${evidenceOf(sql)} as evidence
        from (select reported.occurred_at, reported.site_key, reported.visitor_id, reported.page_id, reported.trace_id, reported.month, reported.origin, reported.sent, read from reported) reported
        join tied using (origin)
        left join lateral span_of_association(tied.key, reported.trace_id, reported.occurred_at, tied.domains) span on true
        where not exists (
          select
          from rival
          join associations other on other.site_key = rival.site_key and other.trace_id = reported.trace_id and other.origin = rival.origin
            and other.month <= reported.month and other.month >= reported.month - interval '1 month'
          where rival.id = tied.id and rival.tied_origin = tied.origin
            and (${claimOrder(sql, sql`other`)}) < (${claimOrder(sql, sql`reported`)})
        )
        order by reported.trace_id, reported.page_id, reported.visitor_id, mark is null or mark = 2, mark, tied.name, tied.id
      ),
      named as (
        select answered.*, evidence <> 'not confirmed' as confirmed,
          case when evidence <> 'not confirmed' then service end as service
        from answered left join otlp_resources on environment_key = answered.key and otlp_resources.id = resource_id
      )
      select id as "environmentId", environment, origin, service, case when confirmed then operation end as operation,
        count(*)::float8 as requests, case when confirmed then count(*) filter (where failed) end::float8 as failed,
        case when confirmed then round((percentile_disc(0.5) within group (order by duration_nano) / 1e6)::numeric, 3) end::float8 as "p50Ms",
        case when confirmed then round((percentile_disc(0.95) within group (order by duration_nano) / 1e6)::numeric, 3) end::float8 as "p95Ms",
        count(*) filter (where evidence = 'both sides')::float8 as "bothSides",
        count(*) filter (where evidence = 'response context')::float8 as "responseContext",
        count(*) filter (where evidence = 'traceparent sent')::float8 as "traceparentSent",
        count(*) filter (where evidence = 'not confirmed')::float8 as "notConfirmed",
        case when confirmed then replace((array_agg(trace_id order by duration_nano desc, trace_id))[1]::text, '-', '') end as "slowestTraceId",
        case when confirmed then replace((array_agg(trace_id order by occurred_at desc, trace_id) filter (where failed))[1]::text, '-', '') end as "failedTraceId",
        coalesce((
          select jsonb_agg(replace(trace::text, '-', '') order by n)
          from unnest((array_agg(trace_id order by occurred_at desc, trace_id) filter (where failed and confirmed))[1:3])
            with ordinality as listed(trace, n)
        ), '[]') as "failedTraceIds",
        max(read)::integer as read
      from named
      group by id, environment, origin, service, confirmed, case when confirmed then operation end
      order by requests desc, environment, origin, service nulls last, operation nulls last
      ${pageOfRows(sql, input)}`;
  });
  const isCut = data.some(({ read }) => read > MAX_READ);
  return {
    data: data.map(({ read: _, ...item }) => item),
    meta: {
      ...meta,
      ...(isCut && {
        approximate: `Only the newest ${MAX_READ.toLocaleString('en')} requests of the range are counted.`,
      }),
    },
    more,
  };
}

const inVisits = (sql: Sql, visits: Fragment): Fragment => sql`
  and exists (
    select from ${visits} kept
    where kept.visitor_id = associations.visitor_id and kept.tier = 3 and kept.started_at <= associations.occurred_at
      and visit_time(kept.started_at, kept.duration_ms) >= associations.occurred_at)`;
