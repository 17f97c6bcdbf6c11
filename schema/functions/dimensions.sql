-- The texts of dictionary entries. Which dimensions there are stands in lib/analytics/dimensions.ts, and so in
-- dimensions.generated.sql.

-- Gives what a site's entries are listed as ids in site_texts. Needs the site's lock, as the fold has it.
create or replace function name_values(of_site integer) returns void
language plpgsql as $$
declare
  done integer[];
begin
  insert into site_seals (site_key, named) values (of_site, '{0,0,0}') on conflict (site_key) do nothing;
  select named into done from site_seals where site_key = of_site;
  insert into site_texts (site_key, id, value)
  select
    of_site,
    (select coalesce(max(id), 0) from site_texts where site_key = of_site and id > 0) + row_number() over (
      order by value
    ),
    value
  from (
    select distinct value
    from entry_values
    where site_key = of_site
      and value is not null
      and id > done[array_position(array['profile', 'place', 'origin'], dictionary)]
  ) shown
  where not exists (select from site_texts known where known.site_key = of_site and known.value = shown.value);
  update site_seals
  set named = array[
    coalesce((select max(id) from site_profiles where site_key = of_site and id > 0), 0),
    coalesce((select max(id) from site_places where site_key = of_site and id > 0), 0),
    coalesce((select max(id) from site_origins where site_key = of_site and id > 0), 0)
  ]
  where site_key = of_site;
end
$$;

-- The same by ids of site_texts, 0 for none. The ids of entries have no gaps.
create or replace function entry_texts(of_site integer) returns table (number smallint, id integer, text_id integer)
language sql stable as $$
  select d.number, e.id, coalesce(t.id, 0)
  from entry_values e
  join dimensions d on d.name = e.dimension
  left join site_texts t on t.site_key = of_site and t.value = e.value
  where e.site_key = of_site
$$;
