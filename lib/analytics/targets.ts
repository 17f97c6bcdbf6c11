import type { Sql } from '../db.ts';
import type { Fragment } from './range.ts';

/**
 * Which targets each of the site's texts reaches: selects one JSON object, `"<kind> <text id>": [targets]`, from a relation `target,
 * kind, pattern` (schema/migrations/0002-sites.sql, `site_goals`), for a statement with a `range`. A look-up in this object costs the
 * same with every plan. The planner can't estimate how many texts match a pattern, so joins might get very slow plans.
 *
 * Patterns with wildcards are compared with every text of the site, first by their constant `like`; others are looked up by the primary
 * key of `site_texts`.
 */
export function targetsByText(sql: Sql, targets: Fragment): Fragment {
  const isWild = sql`kind = 1 and position('*' in pattern) > 0`;
  return sql`
    select jsonb_object_agg(kind || ' ' || text_id, targets)
    from (
      select kind, text_id, jsonb_agg(target) as targets
      from (
        select wanted.target, wanted.kind, text.id as text_id
        from (${targets}) wanted
        join site_texts text on text.site_key = (select site_key from range) and text.value = wanted.pattern
        where (${isWild}) is not true
        union all
        select wanted.target, wanted.kind, text.id
        from (select *, as_like(pattern) as likeness from (${targets}) wild where ${isWild} offset 0) wanted
        join site_texts text on text.site_key = (select site_key from range)
          and text.value like wanted.likeness and page_matches(text.value, wanted.pattern)
      ) pair
      group by kind, text_id
    ) text`;
}

/** A condition on `site_goals goal`: the goals of the range's site. */
export const ofSite = (sql: Sql): Fragment =>
  sql`site_id = (select id from sites where key = (select site_key from range))`;

/**
 * Table `reached` for a statement with `kept` (the fragment begins with a comma): the page views and custom events of the visits that
 * began in the range, one row for each of the `targets` that they reach, with the time `ms` from the visit's start and the data of a
 * custom event. A filter on pages selects visits, so all hits of a visit are included.
 */
export function reachedBy(sql: Sql, targets: Fragment): Fragment {
  return sql`,
    by_text as materialized (select (${targetsByText(sql, targets)}) as targets),
    hits as (
      select kept.visit, kept.tier, kept.visitor_id, kept.seen, hit.ms, hit.data,
        (select targets from by_text) -> (hit.kind || ' ' || hit.text_id) as targets
      from kept
      cross join lateral (
        select 1::smallint as kind, kept.entry_page as text_id, coalesce(kept.entry_ms, 0) as ms, null::jsonb as data
        where kept.entry_page is not null
        union all select 1::smallint, text_id, ms, null from hits_of(kept.later_pages)
        union all select 2::smallint, text_id, ms, data from events_of(kept.custom_events, kept.event_data)
      ) hit
      where kept.inside
      offset 0
    ),
    reached as materialized (
      select visit, tier, visitor_id, seen, ms, data, target
      from hits cross join lateral jsonb_array_elements_text(targets) as target
      where targets is not null
    )`;
}

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
    from kept where inside and has_hits`;
}
