-- The texts of dictionary entries. The list of dimensions is lib/visits/dimensions.ts; dimensions.generated.sql is
-- made from it.

-- Gives ids in site_texts to the texts under which a site's entries are listed, for the entries that are new since the
-- last call. Needs the site's lock, which the fold holds.
create or replace function name_values(of_site integer) returns void
language plpgsql as $$
declare
  done integer[];
begin
  insert into site_seals (site_key, named) values (of_site, '{0,0,0}') on conflict (site_key) do nothing;
  select named into done from site_seals where site_key = of_site;
  perform name_texts(of_site, array_agg(value), array_agg(first_day), array_agg(last_day))
  from (
    select value, least(min(first_day), max(last_day)) as first_day, max(last_day) as last_day
    from entry_values
    where site_key = of_site
      and value is not null
      and id > done[array_position(array['profile', 'place', 'origin'], dictionary)]
    group by value
  ) shown;
  update site_seals
  set named = array[
    greatest(done[1], (select max(id) from site_profiles where site_key = of_site and id > 0)),
    greatest(done[2], (select max(id) from site_places where site_key = of_site and id > 0)),
    greatest(done[3], (select max(id) from site_origins where site_key = of_site and id > 0))
  ]
  where site_key = of_site;
end
$$;

-- The entries of a site with the ids of their texts in site_texts, 0 for none. `place`: the position of the entry
-- among those of its dimension, by id; the first one is 0, which stands for unknown ids.
drop function if exists entry_texts(integer);
create or replace function entry_texts(of_site integer)
returns table (number smallint, dictionary text, id integer, text_id integer, place integer)
language sql stable as $$
  select number, dictionary, id, text_id, (row_number() over (partition by number order by id))::integer
  from (
    select d.number, e.dictionary, e.id, coalesce(t.id, 0) as text_id
    from entry_values e
    join dimensions d on d.name = e.dimension
    left join site_texts t on t.site_key = of_site and t.value = e.value
    where e.site_key = of_site
    union all
    select d.number, d.dictionary, 0, 0
    from dimensions d
    where d.dictionary is not null
  ) e
$$;

-- Texts of entries, as ids of site_texts, dimension by dimension (`texts`), and where each entry stands among those of
-- a dimension, by its id, dictionary by dictionary (`positions`). `starts`: where each dimension, by its number, and
-- each dictionary begin in these.
create or replace function index_entries(
  of_site integer, out texts integer[], out positions integer[], out starts jsonb
)
language plpgsql stable as $$
begin
  with entries as materialized (select * from entry_texts(of_site)),
  ids as materialized (
    select dictionary, min(number) as number, max(id) as last_id, sum(max(id)) over (order by dictionary) as until
    from entries
    group by dictionary
  )
  select
    (select array_agg(text_id order by number, place) from entries),
    (
      select array_agg(coalesce(e.place, 1) order by ids.dictionary, n)
      from ids
      cross join lateral generate_series(1, ids.last_id) as n
      left join entries e on e.number = ids.number and e.id = n
    ),
    (
      select jsonb_object_agg(name, start)
      from (
        select number::text as name, sum(count(*)) over (order by number) - count(*) as start
        from entries
        group by number
        union all
        select dictionary, until - last_id
        from ids
      ) s
    )
  into texts, positions, starts;
end
$$;

-- What a visit's value of each dimension follows from: 1, its profile; 2, its place; 3, its origin; 4, its entry page;
-- 5, its exit page; and where the dimension is in what `index_entries` returns.
create or replace function dimensions_of_seal(starts jsonb)
returns table (
  number smallint, lowest_tier smallint, arrives boolean, source integer, text_start integer, position_start integer
)
language sql stable as $$
  select
    number, lowest_tier, arrives,
    array_position(array['profile', 'place', 'origin', 'entry_page', 'exit_page'], coalesce(dictionary, name)),
    (starts ->> number::text)::integer, (starts ->> dictionary)::integer
  from dimensions
  where lowest_tier is not null
$$;

-- The value that a visit has of such a dimension: a text of its entry, or a page.
create or replace function value_of_visit(
  source integer, text_start integer, position_start integer, profile_id integer, place_id integer, origin_id integer,
  entry_page integer, exit_page integer, texts integer[], positions integer[]
)
returns integer
language sql immutable parallel safe as $$
  select coalesce(
    texts[
      text_start + positions[
        position_start + case source when 1 then profile_id when 2 then place_id when 3 then origin_id end
      ]
    ],
    case source when 4 then entry_page when 5 then exit_page end
  )
$$;
