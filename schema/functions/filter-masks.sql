-- Which visits a filter keeps, for functions that sum visits. Reports say the same in
-- lib/analytics/reading/filters.ts.

-- The bit of a visit's kind: its tier, and whether it counts. Some dimensions are only of visits that count, or of
-- higher tiers. All bits together are 63.
create or replace function kind_of_visit(tier smallint, counted boolean) returns smallint
language sql immutable parallel safe as $$
  select (1 << (2 * tier - 2 + counted::integer))::smallint
$$;

-- The kinds of visits that can have a dimension.
create or replace function kinds_with(lowest_tier smallint, arrives boolean) returns smallint
language sql immutable parallel safe as $$
  select bit_or(kind_of_visit(tier::smallint, counted))
  from generate_series(lowest_tier, 3) as tier, unnest(array[false, true]) as counted
  where counted or not arrives
$$;

-- Whether a value is one that a clause wants.
create or replace function is_wanted(value text, operator text, wanted text[]) returns boolean
language sql immutable parallel safe as $$
  select case operator
    when 'contains' then exists (
      select from unnest(wanted) as part where position(lower(part) in lower(value)) > 0
    )
    else value = any (wanted)
  end
$$;

-- Clauses as sums are kept by them: a goal is what reaches it, `kind pattern`. So sums end with a goal that is
-- changed.
create or replace function meant_clauses(of_site integer, clauses jsonb) returns jsonb
language sql stable as $$
  select coalesce(
    jsonb_agg(
      case when clause ->> 'dimension' = 'goal' then clause || (
        select jsonb_build_object(
          'operator', case clause ->> 'operator' when 'not' then 'not' else 'is' end,
          'wanted', coalesce(jsonb_agg(distinct kind || ' ' || pattern), '[]')
        )
        from site_goals, jsonb_to_record(clause) as asked(operator text, wanted text[])
        where site_id = (select id from sites where key = of_site)
          and (is_wanted(name, operator, wanted) or id::text = any (wanted))
      )
      else clause end
      order by n
    ),
    '[]'
  )
  from jsonb_array_elements(clauses) with ordinality as listed(clause, n)
$$;

-- The mask of the clauses about a dictionary, or about the entry or exit page. Null: there are none.
create or replace function filter_mask(of_site integer, clauses jsonb, of_source text) returns smallint[]
language plpgsql stable as $$
begin
  return (
    with asked as materialized (
      select
        row_number() over () as clause, dimension, operator, wanted, d.dictionary,
        kinds_with(d.lowest_tier, d.arrives) as kinds
      from jsonb_to_recordset(clauses) as c(dimension text, operator text, wanted text[])
      join dimensions d on d.name = c.dimension and coalesce(d.dictionary, d.name) = of_source
    ),
    matching as materialized (
      select clause, e.id
      from asked
      join entry_values e on e.site_key = of_site and e.dictionary = of_source and e.dimension = asked.dimension
      where is_wanted(e.value, operator, wanted)
      union
      select clause, t.id
      from asked join site_texts t on t.site_key = of_site and t.id > 0
      where asked.dictionary is null and is_wanted(t.value, operator, wanted)
    )
    select array_agg(mask order by id)
    from (
      select
        id,
        bit_and(
          case
            when operator = 'not' then 63 - case when m.id is null then 0 else kinds end
            when m.id is null then 0
            else kinds
          end
        )::smallint as mask
      from generate_series(0, last_id_of(of_site, of_source)) as id
      cross join asked
      left join matching m using (clause, id)
      group by id
    ) masks
  );
end
$$;

-- The largest id of a dictionary of a site; of pages, that of its texts.
create or replace function last_id_of(of_site integer, of_source text) returns integer
language sql stable as $$
  select coalesce(
    case of_source
      when 'profile' then (select max(id) from site_profiles where site_key = of_site and id > 0)
      when 'place' then (select max(id) from site_places where site_key = of_site and id > 0)
      when 'origin' then (select max(id) from site_origins where site_key = of_site and id > 0)
      else (select max(id) from site_texts where site_key = of_site and id > 0)
    end,
    0
  )
$$;

-- The pages of each clause about any page of a visit, of those that negate or of the others. Null: there are none.
create or replace function pages_of_filter(of_site integer, clauses jsonb, negated boolean) returns int4multirange[]
language sql stable as $$
  select array_agg(
    (
      select coalesce(range_agg(int4range(id, id + 1)), '{}')
      from site_texts
      where site_key = of_site and id > 0 and is_wanted(value, operator, wanted)
    )
  )
  from jsonb_to_recordset(clauses) as c(dimension text, operator text, wanted text[])
  where dimension = 'page' and (operator = 'not') = negated
$$;

-- What reaches the goals of each clause about goals, as `meant_clauses` writes it: pages, custom events, and whether
-- the clause negates. Nulls: there are none.
create or replace function goals_of_filter(
  of_site integer, clauses jsonb, out pages int4multirange[], out events int4multirange[], out negated boolean[]
)
language sql stable as $$
  select
    array_agg(reached.pages order by clause), array_agg(reached.events order by clause),
    array_agg(operator = 'not' order by clause)
  from (
    select row_number() over () as clause, operator, wanted
    from jsonb_to_recordset(clauses) as c(dimension text, operator text, wanted text[])
    where dimension = 'goal'
  ) asked
  cross join lateral (
    select
      coalesce(range_agg(int4range(id, id + 1)) filter (where kind = 1), '{}') as pages,
      coalesce(range_agg(int4range(id, id + 1)) filter (where kind = 2), '{}') as events
    from (
      select split_part(target, ' ', 1)::smallint as kind, substr(target, 3) as pattern from unnest(wanted) as target
    ) targets
    join site_texts text on text.site_key = of_site
      and text.id > 0
      and case kind when 1 then page_matches(text.value, pattern) else text.value = pattern end
  ) reached
$$;

-- What a filter of a site keeps.
create or replace function masks_of_filter(of_site integer, clauses jsonb) returns filter_masks
language sql stable as $$
  select
    filter_mask(of_site, clauses, 'profile'), filter_mask(of_site, clauses, 'place'),
    filter_mask(of_site, clauses, 'origin'), filter_mask(of_site, clauses, 'entry_page'),
    filter_mask(of_site, clauses, 'exit_page'), pages_of_filter(of_site, clauses, false),
    pages_of_filter(of_site, clauses, true), goals.pages, goals.events, goals.negated,
    (select jsonb_agg(clause) from jsonb_array_elements(clauses) as clause where clause ->> 'dimension' = 'prop')
  from goals_of_filter(of_site, clauses) as goals
$$;

-- Whether one of the ids is in pairs of milliseconds and id. Steps, since a select takes longer to begin than these.
create or replace function has_hit(ids int4multirange, pairs integer[]) returns boolean
language plpgsql immutable parallel safe as $$
begin
  for nth in 1..coalesce(cardinality(pairs), 0) / 2 loop
    if ids @> pairs[2 * nth] then
      return true;
    end if;
  end loop;
  return false;
end
$$;

-- Whether a visit has one of the pages.
create or replace function has_page(pages int4multirange, entry_page integer, later_pages integer[]) returns boolean
language plpgsql immutable parallel safe as $$
begin
  if pages @> entry_page then
    return true;
  end if;
  return later_pages is not null and has_hit(pages, later_pages);
end
$$;

-- Whether one of the hits with this data brings a property that a clause wants.
create or replace function brings_prop(data jsonb, of_key text, operator text, wanted text[]) returns boolean
language sql immutable parallel safe as $$
  select data is not null
    and exists (
      select
      from jsonb_array_elements(data) as hit
      where is_wanted(hit -> 'props' ->> of_key, operator, wanted)
    )
$$;

-- Whether a visit has a page of each of these sets (`wanted`), or of none of them.
create or replace function has_pages(
  sets int4multirange[], entry_page integer, later_pages integer[], wanted boolean
)
returns boolean
language plpgsql immutable parallel safe as $$
begin
  for nth in 1..cardinality(sets) loop
    if has_page(sets[nth], entry_page, later_pages) <> wanted then
      return false;
    end if;
  end loop;
  return true;
end
$$;

-- Whether a visit reaches the goals of each clause, or doesn't if the clause negates.
create or replace function reaches_goals(
  kept filter_masks, entry_page integer, later_pages integer[], custom_events integer[]
)
returns boolean
language plpgsql immutable parallel safe as $$
begin
  for nth in 1..cardinality(kept.goal_pages) loop
    if (has_page(kept.goal_pages[nth], entry_page, later_pages) or has_hit(kept.goal_events[nth], custom_events))
      = kept.without_goal[nth]
    then
      return false;
    end if;
  end loop;
  return true;
end
$$;

-- Whether a visit brings what each clause about a property wants, or doesn't if the clause negates.
create or replace function brings_props(props jsonb, event_data jsonb, page_data jsonb) returns boolean
language sql immutable parallel safe as $$
  select true = all (
    select
      (brings_prop(event_data, key, operator, wanted) or brings_prop(page_data, key, operator, wanted))
        <> (operator = 'not')
    from jsonb_to_recordset(props) as c(key text, operator text, wanted text[])
  )
$$;

-- Whether a filter keeps a visit. 0 stands for no page. It is asked of each visit of a day, so it is without selects:
-- then it is a part of the statement that asks, which takes a tenth of the time of a call.
drop function if exists is_kept(filter_masks, smallint, boolean, integer, integer, integer, integer, integer[]);
create or replace function is_kept(
  kept filter_masks, tier smallint, counted boolean, profile_id integer, place_id integer, origin_id integer,
  entry_page integer, later_pages integer[], custom_events integer[], event_data jsonb, page_data jsonb
)
returns boolean
language sql immutable parallel safe as $$
  select kind_of_visit(tier, counted)
    & coalesce((kept).profiles[profile_id + 1], 63::smallint)
    & coalesce((kept).places[place_id + 1], 63::smallint)
    & coalesce((kept).origins[origin_id + 1], 63::smallint)
    & coalesce((kept).entries[coalesce(entry_page, 0) + 1], 63::smallint)
    & coalesce(
      (kept).exits[coalesce(later_pages[cardinality(later_pages)], entry_page, 0) + 1], 63::smallint
    ) > 0
    and ((kept).pages is null or has_pages((kept).pages, entry_page, later_pages, true))
    and ((kept).without_pages is null or has_pages((kept).without_pages, entry_page, later_pages, false))
    and ((kept).goal_pages is null or reaches_goals(kept, entry_page, later_pages, custom_events))
    and ((kept).props is null or brings_props((kept).props, event_data, page_data))
$$;
