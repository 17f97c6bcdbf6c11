-- The targets of goals and funnels: pages and custom events.

-- Counts a change of a site's targets, after which sealed days are updated (`reseal_day`). The minutes of a goal are
-- counted anew from now on.
create or replace function note_targets() returns trigger
language plpgsql as $$
begin
  if tg_table_name = 'site_goals' then
    perform recount_goal((select key from sites where id = new.site_id), new.key);
  end if;
  update site_seals set targets = targets + 1 where site_key = (select key from sites where id = new.site_id);
  return null;
end
$$;
-- Forgets the minutes of a goal that changed, if its site is watched.
create or replace function recount_goal(site integer, goal integer) returns void
language plpgsql as $$
begin
  update site_watches
  set goals = goals || jsonb_build_object(goal::text, date_trunc('minute', now()) + interval '1 minute')
  where site_key = site;
  if found then
    delete from site_minutes where site_key = site and series = 6 and name = goal::text;
  end if;
end
$$;
create or replace trigger site_goals_meant
after insert or update of kind,
pattern on site_goals for each row
execute function note_targets();
create or replace trigger site_funnels_meant
after insert or update of steps on site_funnels for each row
execute function note_targets();

-- The targets of a site's goals and of each step of its funnels (steps from 1; 0 for a goal).
create or replace function targets_of(of_site integer)
returns table (kind smallint, pattern text, goal integer, funnel integer, step integer)
language sql stable as $$
  select kind, pattern, goals.key, null::integer, 0
  from site_goals goals
  where site_id = (select id from sites where key = of_site)
  union all
  select item.kind, item.pattern, null, funnels.key, item.step::integer
  from site_funnels funnels,
    rows from (jsonb_to_recordset(funnels.steps) as (kind smallint, pattern text)) with ordinality as item(
      kind, pattern, step
    )
  where site_id = (select id from sites where key = of_site)
$$;

-- The texts of a site that match its targets.
create or replace function texts_of_targets(of_site integer)
returns table (kind smallint, text_id integer, goal integer, funnel integer, step integer)
language sql stable as $$
  with targets as materialized (select * from targets_of(of_site))
  select t.kind, text.id, t.goal, t.funnel, t.step
  from targets t join site_texts text on text.site_key = of_site and text.value = t.pattern
  where not (t.kind = 1 and position('*' in t.pattern) > 0)
  union all
  select t.kind, text.id, t.goal, t.funnel, t.step
  from (
    select *, as_like(pattern) as likeness
    from targets
    where kind = 1 and position('*' in pattern) > 0
    offset 0
  ) t
  join site_texts text on text.site_key = of_site
    and text.value like t.likeness
    and page_matches(text.value, t.pattern)
$$;
