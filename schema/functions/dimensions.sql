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
