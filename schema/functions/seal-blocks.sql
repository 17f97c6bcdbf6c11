-- The larger blocks that are made of sealed days.

-- Returns whether all blocks of the span `part` within a block are finally sealed.
create or replace function parts_are_sealed(of_site integer, of_span integer, part smallint, of_bucket date)
returns boolean
language plpgsql stable as $$
begin
  return (
    select count(*) = of_span / part
    from sealed_days d join sites on key = of_site
    where site_key = of_site
      and span = part
      and ready
      and bucket >= of_bucket
      and bucket < of_bucket + of_span
      and (
        part > 1
          or until = day_start(bucket + 1, timezone)
            and not exists (select from open_visits o where o.site_key = of_site and o.day = d.bucket)
      )
  );
end
$$;

-- Stands for no filter in block_values: all visits.
create or replace function no_filter() returns uuid
language sql immutable parallel safe as $$
  select '00000000-0000-0000-0000-000000000000'::uuid
$$;

-- The sums of sealed blocks: of all visits, and of those that filters keep.
create or replace view block_values as
select
  no_filter() as filter, site_key, bucket, span, dimension, value, hits_1, hits_2, hits_3, visits_1, visits_2,
  visits_3, visitors_2, visitors_3, gap_value, gap_tier, gap, returned, resumed
from rollup_values
union all
select
  filter, site_key, bucket, span, dimension, value, hits_1, hits_2, hits_3, visits_1, visits_2, visits_3, visitors_2,
  visitors_3, gap_value, gap_tier, gap, returned, resumed
from filter_values;

-- The values of a block as sums of the blocks of the span `part` that fill it: a row for each dimension.
drop function if exists merge_values(integer, integer, smallint, date);
create or replace function merged_values(
  of_site integer, of_filter uuid, of_span integer, part smallint, of_bucket date
)
returns table (
  dimension smallint, value integer[], hits_1 integer[], hits_2 integer[], hits_3 integer[], visits_1 integer[],
  visits_2 integer[], visits_3 integer[], visitors_2 integer[], visitors_3 integer[], gap_value integer[],
  gap_tier smallint[], gap smallint[], returned integer[], resumed integer[]
)
language sql stable as $$
  with parts as materialized (
    select *, bucket - of_bucket as passed
    from block_values
    where site_key = of_site
      and filter = of_filter
      and span = part
      and bucket >= of_bucket
      and bucket < of_bucket + of_span
      and dimension in (select number from dimensions d where d.blocks)
  ),
  part_gaps as materialized (
    select dimension, g.value, g.tier, g.gap - passed as gap, g.returned, g.resumed
    from parts
    cross join lateral unnest(gap_value, gap_tier, gap, returned, resumed) as g(value, tier, gap, returned, resumed)
  ),
  columns as (
    select
      dimension, value, sum(hits_1)::integer as hits_1, sum(hits_2)::integer as hits_2,
      sum(hits_3)::integer as hits_3, sum(visits_1)::integer as visits_1, sum(visits_2)::integer as visits_2,
      sum(visits_3)::integer as visits_3, sum(visitors_2)::integer as visitors_2,
      sum(visitors_3)::integer as visitors_3
    from (
      select dimension, v.*
      from parts
      cross join lateral unnest(
        value, hits_1, hits_2, hits_3, visits_1, visits_2, visits_3, visitors_2, visitors_3
      ) as v(value, hits_1, hits_2, hits_3, visits_1, visits_2, visits_3, visitors_2, visitors_3)
      union all
      -- A visitor who returned within the block is counted in it already.
      select
        dimension, value, 0, 0, 0, 0,
        case tier when 2 then - resumed else 0 end,
        case tier when 3 then - resumed else 0 end,
        case tier when 2 then - returned else 0 end,
        case tier when 3 then - returned else 0 end
      from part_gaps
      where gap <= 0
    ) v
    group by dimension, value
    order by dimension, value
  ),
  gaps as (
    select
      dimension, array_agg(value) as gap_value, array_agg(tier) as gap_tier, array_agg(gap::smallint) as gap,
      array_agg(returned::integer) as returned,
      array_agg(resumed::integer) as resumed
    from (
      select dimension, value, tier, gap, sum(returned) as returned, sum(resumed) as resumed
      from part_gaps
      where gap > 0
      group by dimension, value, tier, gap
      order by dimension, value, tier, gap
    ) g
    group by dimension
  )
  select
    dimension, c.value, hits_1, hits_2, hits_3, visits_1, visits_2, visits_3, visitors_2, visitors_3, gap_value,
    gap_tier, g.gap, returned, resumed
  from (
    select
      dimension, array_agg(value) as value, array_agg(hits_1) as hits_1, array_agg(hits_2) as hits_2,
      array_agg(hits_3) as hits_3, array_agg(visits_1) as visits_1, array_agg(visits_2) as visits_2,
      array_agg(visits_3) as visits_3, array_agg(visitors_2) as visitors_2, array_agg(visitors_3) as visitors_3
    from columns
    group by dimension
  ) c
  left join gaps g using (dimension)
$$;

-- Makes one block of 7 or 28 days from the smaller ones in it. Returns false if one of these isn't finally sealed, or
-- if the block exists already.
create or replace function merge_block(of_site integer, of_span integer, of_bucket date) returns boolean
language plpgsql set jit = off as $$
declare
  part constant smallint := block_parts(of_span);
begin
  perform pg_advisory_xact_lock(hashtextextended('seal ' || of_site, 0));
  if exists (select from sealed_days where site_key = of_site and span = of_span and bucket = of_bucket)
    or not parts_are_sealed(of_site, of_span, part, of_bucket)
  then
    return false;
  end if;
  delete from rollup_values where site_key = of_site and span = of_span and bucket = of_bucket;
  insert into rollup_values (
    site_key, bucket, span, dimension, value, hits_1, hits_2, hits_3, visits_1, visits_2, visits_3, visitors_2,
    visitors_3, gap_value, gap_tier, gap, returned, resumed
  )
  select of_site, of_bucket, of_span, v.*
  from merged_values(of_site, no_filter(), of_span, part, of_bucket) v;
  insert into sealed_days (site_key, span, bucket, until, ready)
  select of_site, of_span, of_bucket, day_start(of_bucket + of_span, timezone), true
  from sites
  where key = of_site;
  return true;
end
$$;
