-- How the fold merges events into visits.

-- Each event as a visit of its own. At tier 1 it stays one; at tiers 2 and 3 `merge_visits` merges it with others.
create or replace function single_visits(fresh events[]) returns setof visits
language sql stable as $$
  select (
    visit_row(
      started_at => occurred_at, visitor_id => visitor_id, site_key => site_key,
      engaged_ms => case when tier > 1 then engaged_ms end,
      entry_page => case when kind = 1 then path_id end,
      profile_id => profile_id, place_id => place_id, origin_id => origin_id, tier => tier, continued => continued,
      counted => case when tier = 1 then kind = 1 and entry else kind = 1 or (kind = 2 and entry is null) end,
      custom_events => case when kind = 2 then array[0, name_id] end,
      event_data => case when kind = 2 and data is not null then jsonb_build_array(data) end,
      page_data => case when kind = 1
        and data ? 'props' then jsonb_build_array(jsonb_build_object('ms', 0, 'props', data -> 'props'))
      end,
      consent_page => case when kind = 6 then path_id end,
      vitals => case when kind = 4 and tier = 3 then load_of_event(path_id, data) end
    )
  ).*
  from unnest(fresh)
  where kind in (1, 2) or (tier > 1 and kind > 0)
$$;

-- The visits that the events may join, and where they are stored.
drop function if exists take_visits(events[]);
create or replace function take_visits(fresh events[], out taken visits[], out places tid[])
language plpgsql as $$
begin
  with visitors as (
    select site_key, tier, visitor_id, min(occurred_at) as first_at, max(occurred_at) as last_at
    from unnest(fresh)
    where tier > 1 and kind > 0
    group by site_key, tier, visitor_id
  )
  select coalesce(array_agg(near.visit), '{}'), coalesce(array_agg(near.row_id), '{}')
  into taken, places
  from visitors
  cross join lateral (
    select v as visit, v.ctid as row_id
    from visits v
    where v.site_key = visitors.site_key
      and v.visitor_id = visitors.visitor_id
      and v.tier = visitors.tier
      and v.started_at < visitors.last_at + session_gap()
      and v.started_at > visitors.first_at - longest_visit()
      and visit_time(v.started_at, v.duration_ms) > visitors.first_at - session_gap()
    offset 0
  ) near;
end
$$;

-- The taken visits and the events in chains with less than the session gap between neighbours. Rank 1 of a chain is
-- the entry: the first page view, or without one the first event. `shift_ms`: how long after its chain a part began.
create or replace function chained_visits(taken visits[], fresh events[])
returns table (
  part visits, chain bigint, ended_at timestamptz, chain_start timestamptz, chain_engaged bigint, rank bigint,
  shift_ms bigint
)
language sql stable as $$
  select part, chain, ended_at, chain_start, chain_engaged, rank, ms_between(chain_start, (part).started_at)::bigint
  from (
    select
      part, chain, ended_at,
      min((part).started_at) over chain_of as chain_start,
      sum((part).engaged_ms) over chain_of as chain_engaged,
      row_number() over (partition by chain order by entry_at, (part).started_at) as rank
    from (
      select
        *,
        count(*) filter (where begins) over (
          order by (part).site_key,
            (part).tier, (part).visitor_id, (part).started_at, ended_at rows unbounded preceding
        ) as chain
      from (
        select *, coalesce((part).started_at >= max(ended_at) over before + session_gap(), true) as begins
        from (
          select
            part,
            visit_time((part).started_at, (part).duration_ms) as ended_at,
            case when (part).entry_page is not null then visit_time((part).started_at, (part).entry_ms)
            end as entry_at
          from (
            select part
            from unnest(taken) as part
            union all
            select part
            from single_visits(fresh) as part
            where part.tier > 1
          ) parts
        ) timed
        window before as (
          partition by (part).site_key, (part).tier, (part).visitor_id
          order by (part).started_at, ended_at rows between unbounded preceding and 1 preceding
        )
      ) linked
    ) chained
    window chain_of as (partition by chain)
  ) ranked
  offset 0
$$;

-- Data of a visit's hits, in order of time, with properties up to `max_bytes`; from there on each hit has a mark
-- instead. What no hit after the last one with data needs is left out. Null without any data.
create or replace function kept_data(data_of_hits jsonb[], max_bytes integer) returns table (kept jsonb)
language sql immutable parallel safe rows 1 as $$
  select jsonb_agg(
    case when is_over and data ? 'props' then data - 'props' || '{"cut": "visit"}' else data end
    order by n
  ) filter (where n <= last_with_data)
  from (
    select
      data, n,
      bool_or(data ->> 'cut' = 'visit') over in_time
        or sum(octet_length(data ->> 'props')) over in_time > max_bytes as is_over,
      max(n) filter (where data is not null) over () as last_with_data
    from unnest(data_of_hits) with ordinality as hit(data, n)
    where n <= kept_hits()
    window in_time as (order by n rows unbounded preceding)
  ) hit
$$;

-- The visits that the taken ones and the events make together. A visit is the longest chain of them with less than the
-- session gap between neighbours.
create or replace function merge_visits(taken visits[], fresh events[]) returns visits[]
language plpgsql as $$
begin
  return array(
    -- `offset 0`: what is sorted has a hit, and not all that its visit has.
    with hits as (
      select
        c.chain, (c.part).site_key, (c.part).tier, (c.part).visitor_id, c.chain_start, (c.part).started_at,
        c.ended_at, c.chain_engaged, (c.part).continued, (c.part).counted, (c.part).newcomer, (c.part).consent_page,
        (c.part).profile_id, (c.part).place_id, (c.part).origin_id, c.rank, hit.kind,
        most_ms(c.shift_ms + hit.ms) as ms, hit.text_id, hit.data, hit.data ->> 'cut' = 'visit' as is_cut, hit.load
      from chained_visits(taken, fresh) c
      left join lateral (
        select kind, ms, text_id, data, null::integer[] as load
        from hits_with_page_data(
          (c.part).entry_ms, (c.part).entry_page, (c.part).later_pages, (c.part).custom_events, (c.part).event_data,
          (c.part).page_data
        )
        union all
        select 4, ms, path_id, null, array[lcp, inp, cls, fcp, ttfb]
        from loads_of((c.part).vitals)
      ) hit on true
      offset 0
    ),
    -- Of events of one millisecond and name those without their properties come last, as they were when they lost
    -- them.
    merged as (
      select
        site_key, tier, visitor_id, chain_start as started_at,
        nullif(ms_between(chain_start, max(ended_at)), 0) as duration_ms,
        most_ms(max(chain_engaged)) as engaged_ms,
        bool_or(continued) as continued,
        bool_or(counted) and not bool_or(continued) as counted,
        bool_or(newcomer) filter (where started_at = chain_start) as newcomer,
        max(consent_page) filter (where started_at = chain_start) as consent_page,
        array_agg(array[ms, text_id] order by ms, text_id) filter (where kind = 1) as pages,
        array_agg(array[ms, text_id] order by ms, text_id, is_cut nulls first, data) filter (
          where kind = 2
        ) as customs,
        array_agg(data order by ms, text_id, is_cut nulls first, data) filter (where kind = 2) as custom_data,
        count(data) filter (where kind = 2) > 0 as has_data,
        array_agg(jsonb_build_object('ms', ms) || data order by ms, is_cut nulls first, data) filter (
          where kind = 3
        ) as page_data,
        array_agg(array[ms, text_id] || load order by ms, text_id, load) filter (where kind = 4) as loads,
        max(profile_id) filter (where rank = 1) as profile_id,
        max(place_id) filter (where rank = 1) as place_id,
        max(origin_id) filter (where rank = 1) as origin_id
      from hits
      group by chain, site_key, tier, visitor_id, chain_start
    )
    select visit_row(
      started_at => started_at, visitor_id => visitor_id, site_key => site_key, duration_ms => duration_ms,
      engaged_ms => engaged_ms, entry_ms => nullif(pages[1][1], 0), entry_page => pages[1][2],
      profile_id => profile_id, place_id => place_id, origin_id => origin_id, tier => tier, continued => continued,
      counted => counted, newcomer => newcomer,
      later_pages => nullif(array(select unnest(pages[2:kept_hits()])), '{}'),
      custom_events => nullif(array(select unnest(customs[1:kept_hits()])), '{}'),
      event_data => case when has_data then (select kept from kept_data(custom_data, kept_property_bytes())) end,
      page_data => case when page_data is not null then (
        select kept
        from kept_data(page_data, kept_property_bytes())
      )
      end,
      consent_page => consent_page,
      vitals => nullif(array(select unnest(loads[1:kept_hits()])), '{}')
    )
    from merged
    union all
    select visit
    from single_visits(fresh) visit
    where visit.tier = 1
  );
end
$$;

-- Writes the merged visits instead of the taken ones. A visit that begins when it began before is updated: what
-- didn't change of a long visit's hits stays where it is stored, out of the row.
drop function if exists write_visits(visits[], visits[], visits[]);
create or replace function write_visits(taken visits[], places tid[], merged visits[]) returns void
language plpgsql set enable_seqscan = off set enable_indexscan = off set enable_bitmapscan = off as $$
declare
  updated integer := 0;
begin
  if cardinality(taken) > 0 then
    update visits v
    set
      duration_ms = m.duration_ms, engaged_ms = m.engaged_ms, entry_ms = m.entry_ms, entry_page = m.entry_page,
      profile_id = m.profile_id, place_id = m.place_id, origin_id = m.origin_id, continued = m.continued,
      counted = m.counted, newcomer = m.newcomer, consent_page = m.consent_page,
      later_pages = case when m.later_pages = v.later_pages then v.later_pages else m.later_pages end,
      custom_events = case when m.custom_events = v.custom_events then v.custom_events else m.custom_events end,
      event_data = case when m.event_data = v.event_data then v.event_data else m.event_data end,
      page_data = case when m.page_data = v.page_data then v.page_data else m.page_data end,
      vitals = case when m.vitals = v.vitals then v.vitals else m.vitals end
    from unnest(merged) m
    where v.ctid = any (places)
      and v.started_at >= (select min(started_at) from unnest(taken))
      and v.started_at <= (select max(started_at) from unnest(taken))
      and v.site_key = m.site_key
      and v.tier = m.tier
      and v.visitor_id = m.visitor_id
      and v.started_at = m.started_at;
    get diagnostics updated = row_count;
  end if;
  if updated < cardinality(merged) then
    insert into visits
    select *
    from unnest(merged) m
    where tier = 1
      or not exists (
        select
        from unnest(taken) t
        where t.site_key = m.site_key
          and t.tier = m.tier
          and t.visitor_id = m.visitor_id
          and t.started_at = m.started_at
      );
  end if;
  if updated < cardinality(taken) then
    perform delete_visits(taken, places, merged);
  end if;
end
$$;

-- Deletes the taken visits that begin when no merged one begins.
create or replace function delete_visits(taken visits[], places tid[], merged visits[]) returns void
language plpgsql set enable_seqscan = off set enable_indexscan = off set enable_bitmapscan = off as $$
begin
  with gone as materialized (
    select site_key, tier, visitor_id, started_at
    from unnest(taken)
    except
    select site_key, tier, visitor_id, started_at
    from unnest(merged)
  )
  delete from visits v using gone
  where v.ctid = any (places)
    and v.started_at >= (select min(started_at) from gone)
    and v.started_at <= (select max(started_at) from gone)
    and v.site_key = gone.site_key
    and v.tier = gone.tier
    and v.visitor_id = gone.visitor_id
    and v.started_at = gone.started_at;
end
$$;
