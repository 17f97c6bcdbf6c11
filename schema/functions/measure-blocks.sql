-- How blocks of attention and web vitals are written (schema/migrations/0008-measures.sql).

-- Makes the larger blocks of the smaller ones that fill them.
create or replace function join_blocks(site integer, zone text, larger smallint, instant timestamptz) returns void
language plpgsql set jit = off as $$
declare
  smaller constant smallint := block_parts(larger);
  starts timestamptz[];
  ends timestamptz[];
begin
  select array_agg(w.starts_at order by w.starts_at), array_agg(w.ends_at order by w.starts_at)
  into starts, ends
  from (
    select day_start(p.day, zone) as starts_at, day_start(p.day + larger, zone) as ends_at
    from rollup_blocks b
    cross join lateral (select block_start((b.starts_at at time zone zone)::date, larger) as day) p
    where b.site_key = site and b.span = smaller and b.starts_at > instant - interval '70 days'
    group by p.day
    having sum(b.ends_at - b.starts_at) = day_start(p.day + larger, zone) - day_start(p.day, zone)
  ) w
  where not exists (
    select
    from rollup_blocks known
    where known.site_key = site and known.span = larger and known.starts_at = w.starts_at
  );
  if starts is not null then
    perform sum_blocks(site, larger, smaller, starts, ends, 'infinity');
  end if;
end
$$;

-- Writes blocks with the given beginnings and ends, in order of time. A block is the sum of the blocks of the span
-- `smaller` in it. Where `smaller` is null, it is the sum of the raw events in it that were reported before `told_to`.
create or replace function sum_blocks(
  site integer, larger smallint, smaller smallint, starts timestamptz[], ends timestamptz[], told_to timestamptz
)
returns void
language plpgsql set jit = off as $$
begin
  insert into rollup_blocks (site_key, span, starts_at, ends_at, told_to)
  select site, larger, block.starts_at, block.ends_at, case when larger < 0 then told_to end
  from unnest(starts, ends) as block(starts_at, ends_at);
  perform sum_engagement_blocks(site, larger, smaller, starts, ends, told_to);
  perform sum_vitals_blocks(site, larger, smaller, starts, ends);
end
$$;

-- The part of sum_blocks that writes engagement.
create or replace function sum_engagement_blocks(
  site integer, larger smallint, smaller smallint, starts timestamptz[], ends timestamptz[], told_to timestamptz
)
returns void
language plpgsql as $$
begin
  insert into rollup_engagement (
    site_key, span, starts_at, path_id, measured, engaged_ms, scroll_depth, scrolled_25, scrolled_50, scrolled_75,
    scrolled_100
  )
  select
    site, larger, starts[n], array_agg(path_id), array_agg(measured), array_agg(engaged_ms), array_agg(scroll_depth),
    array_agg(scrolled_25), array_agg(scrolled_50), array_agg(scrolled_75), array_agg(scrolled_100)
  from (
    select
      n, path_id, sum(measured)::integer as measured, sum(engaged_ms)::bigint as engaged_ms,
      sum(scroll_depth)::bigint as scroll_depth,
      sum(scrolled_25)::integer as scrolled_25,
      sum(scrolled_50)::integer as scrolled_50,
      sum(scrolled_75)::integer as scrolled_75,
      sum(scrolled_100)::integer as scrolled_100
    from (
      select
        viewed_at as at, path_id, 1 as measured, engaged_ms_before as engaged_ms, scroll_depth_before as scroll_depth,
        (scroll_depth_before >= 250)::integer as scrolled_25,
        (scroll_depth_before >= 500)::integer as scrolled_50,
        (scroll_depth_before >= 750)::integer as scrolled_75,
        (scroll_depth_before >= 1000)::integer as scrolled_100
      from attention_of(site, starts[1], ends[cardinality(ends)], starts[1], told_to)
      where smaller is null and engaged_ms_before is not null
      union all
      select e.starts_at, sums.*
      from rollup_engagement e
      cross join lateral unnest(
        e.path_id, e.measured, e.engaged_ms, e.scroll_depth, e.scrolled_25, e.scrolled_50, e.scrolled_75,
        e.scrolled_100
      ) sums
      where e.site_key = site
        and e.span = smaller
        and e.starts_at >= starts[1]
        and e.starts_at < ends[cardinality(ends)]
    ) seen
    cross join lateral (select width_bucket(at, starts) as n) block
    where at < ends[n]
    group by n, path_id
    order by n, path_id
  ) sums
  group by n;
end
$$;

-- Page loads (`bin` is -1) and histogram cells of web vitals, by the number of the block in which they lie. By the
-- primary key of rollup_vitals, or by the indexes of vitals_of. Inlined where it is used.
create or replace function vitals_in_blocks(site integer, smaller smallint, starts timestamptz[], ends timestamptz[])
returns table (n integer, path_id integer, bin smallint, measured integer)
language sql stable parallel safe as $$
  select block.n, seen.path_id, seen.bin, seen.measured
  from (
    select told_at as at, path_id, bin, 1 as measured
    from vitals_of(site, starts[1], ends[cardinality(ends)])
    where smaller is null
    union all
    select v.starts_at, sums.path_id, sums.bin, sums.measured
    from rollup_vitals v
    cross join lateral (
      select path_id, -1::smallint as bin, measured
      from unnest(v.path_id, v.measured) as loads(path_id, measured)
      union all
      select *
      from unnest(v.bin_path, v.bin, v.told)
    ) sums
    where v.site_key = site
      and v.span = smaller
      and v.starts_at >= starts[1]
      and v.starts_at < ends[cardinality(ends)]
  ) seen
  cross join lateral (select width_bucket(at, starts) as n) block
  where at < ends[block.n]
$$;

-- The part of sum_blocks that writes web vitals, in pieces of about 4096 cells.
create or replace function sum_vitals_blocks(
  site integer, larger smallint, smaller smallint, starts timestamptz[], ends timestamptz[]
)
returns void
language plpgsql as $$
begin
  insert into rollup_vitals (
    site_key, span, starts_at, part, path_id, measured, bin_path, bin, told, band_path, band, band_first, band_told
  )
  with sums as materialized (
    select n, path_id, bin, sum(measured)::integer as times
    from vitals_in_blocks(site, smaller, starts, ends)
    group by n, path_id, bin
  ),
  paths as materialized (
    select
      n, path_id, measured,
      (sum(bins) over (partition by n order by measured desc, path_id) / 4096)::integer as part
    from (
      select n, path_id, sum(times) filter (where bin < 0)::integer as measured, count(*) as bins
      from sums
      group by n, path_id
    ) p
  ),
  binned as materialized (
    select n, part, path_id, bin, times, row_number() over (partition by n, part order by path_id, bin) as position
    from paths join sums using (n, path_id)
    where bin >= 0
    order by n, part, path_id, bin
  ),
  histograms as (
    select n, part, array_agg(path_id) as bin_path, array_agg(bin) as bin, array_agg(times) as times
    from binned
    group by n, part
  ),
  bands as (
    select
      n, part, array_agg(path_id) as band_path, array_agg(band) as band, array_agg(first) as band_first,
      array_agg(times) as band_told
    from (
      select
        n, part, path_id, (bin / 32)::smallint as band, min(position)::smallint as first, sum(times)::integer as times
      from binned
      group by n, part, path_id, bin / 32
      order by n, part, path_id, bin / 32
    ) b
    group by n, part
  )
  select
    site, larger, starts[n], part, path_id, measured, coalesce(bin_path, '{}'), coalesce(bin, '{}'),
    coalesce(times, '{}'), coalesce(band_path, '{}'), coalesce(band, '{}'), coalesce(band_first, '{}'),
    coalesce(band_told, '{}')
  from (
    select n, part, array_agg(path_id) as path_id, array_agg(measured) as measured
    from (select * from paths order by n, part, path_id) p
    group by n, part
  ) loads
  left join histograms using (n, part)
  left join bands using (n, part);
end
$$;
