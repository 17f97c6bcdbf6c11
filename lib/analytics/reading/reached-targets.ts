import type { Fragment, Sql } from '../../db.ts';
import type { ReportParts } from './run-report.ts';
import { textsOfTargets } from './targets.ts';

/**
 * Which targets each of the site's texts reaches, as one JSON object: `"<kind> <text id>": [targets]`. A look-up in this object costs the same with every plan. The planner can't
 * estimate how many texts match a pattern, so joins might get very slow plans.
 */
const targetsByText = (sql: Sql, targets: Fragment): Fragment => sql`
  select jsonb_object_agg(kind || ' ' || text_id, targets)
  from (
    select kind, text_id, jsonb_agg(target) as targets from (${textsOfTargets(sql, targets)}) pair group by kind, text_id
  ) text`;

/**
 * Tables `begun` and `reached` for a statement with `range` (the fragment begins with a comma). `begun`: the `visits`, which are selected
 * with a number `visit` of each and with `seen`. `reached`: their page views and custom events, one row for each of the `targets` that
 * they reach, with the time `ms` from the visit's start and the data of a custom event. `withConsent`: the page of consent counts as if it
 * was viewed.
 */
export function reachedBy(
  sql: Sql,
  visits: Fragment,
  targets: Fragment,
  { withConsent = false }: { withConsent?: boolean } = {},
): Fragment {
  const consent = sql`union all select 1::smallint, begun.consent_page, 0, null where begun.consent_page is not null`;
  return sql`,
    begun as materialized (
      select *, entry_page is not null or custom_events is not null or consent_page is not null as has_hits from (${visits}) v
    ),
    by_text as materialized (select (${targetsByText(sql, targets)}) as targets),
    hits as (
      select begun.visit, begun.tier, begun.visitor_id, begun.seen, hit.ms, hit.data,
        (select targets from by_text) -> (hit.kind || ' ' || hit.text_id) as targets
      from begun
      cross join lateral (
        select 1::smallint as kind, begun.entry_page as text_id, coalesce(begun.entry_ms, 0) as ms, null::jsonb as data
        where begun.entry_page is not null
        union all select 1::smallint, text_id, ms, null from hits_of(begun.later_pages)
        union all select 2::smallint, text_id, ms, data from events_of(begun.custom_events, begun.event_data)
        ${withConsent ? consent : sql``}
      ) hit
      offset 0
    ),
    reached as materialized (
      select visit, tier, visitor_id, seen, ms, data, target
      from hits cross join lateral jsonb_array_elements_text(targets) as target
      where targets is not null
    )`;
}

/** The tables of `reachedBy`, of the visits that the report keeps and that began in the range. */
export const reachedByKept = (
  sql: Sql,
  { visits }: ReportParts,
  targets: Fragment,
  options?: { withConsent?: boolean },
): Fragment =>
  reachedBy(
    sql,
    sql`select row_number() over () as visit, * from ${visits.kept('begun')} where inside`,
    targets,
    options,
  );

/**
 * The reasons why a report on goals or funnels may be approximate (docs/counting.md#goals): a select of one array. Visits at tier 1 are
 * single page views, a continued visit is the second part of a visit that counts elsewhere, and a server's event may belong to no visit.
 */
export function reasonsOf(sql: Sql): Fragment {
  return sql`
    select array_remove(array[
      case when bool_or(tier = 1) then 'anonymousCounts' end,
      case when bool_or(continued) then 'continuations' end,
      case when bool_or(tier > 1 and not seen) then 'serverEvents' end], null)
    from begun where has_hits`;
}
