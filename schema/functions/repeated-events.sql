-- At tier 1 a goal counts once per page view, but no stored value links the events of a page view for long. So the
-- fold marks repeats: custom events of the same page view (`events.page_id`) and name, less than a day after the
-- previous one. The result depends only on the set of events, not on their order of arrival. Needs the sites' locks.

create or replace function repeat_gap() returns interval
language sql immutable parallel safe as $$
  select interval '1 day'
$$;

-- Whether a custom event with this data is a repeat.
create or replace function is_repeated(data jsonb) returns boolean
language sql immutable parallel safe as $$
  select coalesce(data ? 'repeated', false)
$$;
create or replace function as_repeated(data jsonb) returns jsonb
language sql immutable parallel safe as $$
  select coalesce(data, '{}') || '{"repeated": true}'
$$;

-- The new events with the repeats among them marked. Costs two probes of `events_repeats` a custom event of tier 1.
create or replace function mark_repeats(fresh events[]) returns events[]
language plpgsql set enable_seqscan = off as $$
declare
  changed jsonb;
begin
  if not exists (select from unnest(fresh) where kind = 2 and tier = 1 and page_id is not null) then
    return fresh;
  end if;
  perform mark_stored_repeats(fresh);
  select jsonb_object_agg(ordinality, as_repeated(data))
  into changed
  from (
    select
      *,
      occurred_at < lag(occurred_at) over (
        partition by site_key, page_id order by occurred_at, event_id
      ) + repeat_gap() as follows
    from unnest(fresh) with ordinality
    where kind = 2 and tier = 1 and page_id is not null
  ) e
  where follows
    or exists (
      select
      from events before
      where before.site_key = e.site_key
        and before.page_id = e.page_id
        and before.kind = 2
        and before.tier = 1
        and before.occurred_at > e.occurred_at - repeat_gap()
        and (before.occurred_at, before.event_id) < (e.occurred_at, e.event_id)
    );
  return case when changed is null then fresh else with_data(fresh, changed) end;
end
$$;

-- Marks stored events that late events turn into repeats, and one visit for each: any visit with the same stored
-- values.
create or replace function mark_stored_repeats(fresh events[]) returns void
language plpgsql set enable_seqscan = off as $$
declare
  late events;
  was visits;
  changed visits;
begin
  for late in
    select distinct after.*
    from unnest(fresh) e
    cross join lateral (
      select *
      from events after
      where after.site_key = e.site_key
        and after.page_id = e.page_id
        and after.kind = 2
        and after.tier = 1
        and after.occurred_at < e.occurred_at + repeat_gap()
        and (after.occurred_at, after.event_id) > (e.occurred_at, e.event_id)
      order by after.occurred_at, after.event_id
      limit 1
    ) after
    where e.kind = 2 and e.tier = 1 and e.page_id is not null and not is_repeated(after.data)
  loop
    update events
    set data = as_repeated(data)
    where site_key = late.site_key and event_id = late.event_id and occurred_at = late.occurred_at;
    update visits v
    set event_data = jsonb_build_array(as_repeated(late.data))
    where v.started_at = late.occurred_at
      and v.ctid = (
        select ctid
        from visits
        where site_key = late.site_key
          and profile_id = late.profile_id
          and profile_id > 0
          and place_id = late.place_id
          and origin_id = late.origin_id
          and tier = 1
          and started_at = late.occurred_at
          and quarter_hour(started_at) = quarter_hour(late.occurred_at)
          and custom_events = array[0, late.name_id]
          and event_data is not distinct from case when late.data is not null then jsonb_build_array(late.data) end
        limit 1
      )
    returning v.* into changed;
    if found then
      was := changed;
      was.event_data := case when late.data is not null then jsonb_build_array(late.data) end;
      perform add_site_minutes(array[was], array[changed], null, null);
      perform break_seals('{}', array[changed]);
    end if;
  end loop;
end
$$;
