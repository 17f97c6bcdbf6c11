import { joinSiteAccess, type TelemetryActor } from '../access.ts';
import type { Fragment, Sql } from '../db.ts';
import type { OneEnvironment } from '../projects/schemas.ts';
import { claimOrder, type Evidence, evidenceOf, mayReadBothSides } from './evidence.ts';

/** Spans are kept for 90 days at most, and a page tells of a trace within minutes. */
const LOOKED_BACK_DAYS = 100;

/** What a page reported of a trace, and the visit around it. */
export interface VisitAround {
  evidence: Evidence;
  origin: string;
  status: number | null;
  toldAt: string;
  spanId: string | null;
  /** Null: the visit isn't kept any more. */
  visit: { siteId: string; domain: string; startedAt: string; source: string } | null;
  /** `asked`: the association belongs to this page view. */
  pageViews: { time: string; path: string; asked: boolean }[];
}

/**
 * Selects one JSON value about a trace, for a statement with `environment`: `{isPermitted, around}`. `isPermitted` is false if sites are
 * tied to the environment's origins and the actor may read none of them. `around` is a `VisitAround`, null if no page reported the trace:
 * of the sites that the environment's origins are tied to, the first page that reported it has it. Sites that the actor may not read
 * decide that too, and are never shown.
 *
 * Costs a probe of `associations_trace` a tied site and month, a probe of the trace's spans, and one of `visits_by_visitor` a month.
 */
export function selectVisitAround(
  sql: Sql,
  actor: TelemetryActor,
  { projectId, environmentId, traceId }: OneEnvironment & { traceId: string | Fragment },
  now: number,
): Fragment {
  if (!mayReadBothSides(actor))
    return sql`
      select jsonb_build_object('isPermitted', not exists (
        select from environment_origins where environment_id = ${environmentId}::uuid), 'around', null)`;
  const since = new Date(now - LOOKED_BACK_DAYS * 86_400_000).toISOString();
  return sql`
    with tied as materialized (
      select sites.id, sites.key, sites.domain, sites.first_domain, sites.domains, environment_origins.origin,
        readable.id is not null as is_readable
      from environment_origins
      join sites on sites.project_id = ${projectId}::uuid and (site_ids is null or sites.id = any (site_ids))
      left join lateral (select site.id from sites site ${joinSiteAccess(sql, actor)} where site.id = sites.id) readable on true
      where environment_origins.environment_id = ${environmentId}::uuid
    ),
    claim as (
      select a.*, tied.id as site_id, domain, domains, is_readable
      from tied
      cross join lateral (
        select * from associations a
        where a.site_key = tied.key and a.trace_id = ${traceId}::uuid and a.origin = tied.origin
          and a.month >= date_trunc('month', ${since}::timestamptz, 'UTC')
      ) a
      order by ${claimOrder(sql, sql`a`)} limit 1
    ),
    answered as (
      select claim.*, span.span_id, span.mark
      from claim
      left join lateral span_of_association(
        (select key from environment), ${traceId}::uuid, claim.occurred_at, array[claim.domain] || claim.domains
      ) span on true
      where is_readable
    ),
    visit as (
      select v.site_key, v.started_at, v.entry_ms, v.entry_page, v.later_pages, v.origin_id
      from answered
      join visits v on v.site_key = answered.site_key and v.visitor_id = answered.visitor_id and v.tier = 3
        and v.started_at <= answered.occurred_at and v.started_at > answered.occurred_at - longest_visit()
        and visit_time(v.started_at, v.duration_ms) >= answered.occurred_at
      order by v.started_at desc limit 1
    ),
    viewed as (
      select visit.started_at + page.ms * interval '1 millisecond' as at, text.value as path
      from visit
      cross join lateral (
        select coalesce(entry_ms, 0) as ms, entry_page as text_id where entry_page is not null
        union all select ms, text_id from hits_of(later_pages)
      ) page
      join site_texts text on text.site_key = visit.site_key and text.id = page.text_id and text.id > 0
    )
    select jsonb_build_object(
      'isPermitted', not exists (select from tied) or exists (select from tied where is_readable),
      'around', (
        select jsonb_build_object('evidence', ${evidenceOf(sql)}, 'origin', origin, 'status', status,
          'toldAt', wire_instant(occurred_at),
          'spanId', case when mark <> 2 then span_id_text(span_id) end,
          'visit', (
            select jsonb_build_object('siteId', answered.site_id, 'domain', answered.domain,
              'startedAt', wire_instant(visit.started_at), 'source', coalesce(source, 'Direct'))
            from visit
            left join site_origins on site_origins.site_key = visit.site_key and site_origins.id = visit.origin_id
              and site_origins.id > 0
          ),
          'pageViews', (
            select coalesce(jsonb_agg(jsonb_build_object('time', wire_instant(at), 'path', path,
              'asked', at is not distinct from answered.viewed_at and md5(path)::uuid = answered.page_hash)
              order by at, path collate "C"), '[]')
            from viewed
          ))
        from answered
      ))`;
}
