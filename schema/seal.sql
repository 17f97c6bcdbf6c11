-- Sealing: days of a site that ended are summed up in `rollup_values`, so that lists needn't read their visits. Reports add
-- up sealed blocks of days and look into the visits of all else: days that aren't sealed, and in sealed ones the visits that
-- began after `until` or stood open then (`open_visits`). `ingest_events` breaks a day's seal when it changes one of its other
-- visits; a report is the same with and without it.

-- Rollup rows name dimensions by number; these are for good.
create or replace function dimension_number(name text) returns smallint
language sql immutable parallel safe as $$
  select array_position(array[
    'source', 'channel', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'hostname',
    'country', 'region', 'city', 'device', 'browser', 'os', 'language',
    'page', 'entry_page', 'exit_page', 'event', 'goal', 'funnel', 'reach', 'cohort'], name)::smallint
$$;

create table if not exists rollup_values (
  site_key integer not null,
  bucket date not null,
  span smallint not null check (span in (1, 7, 28)),
  dimension smallint not null,
  value integer[] not null,
  hits_1 integer[] not null,
  hits_2 integer[] not null,
  hits_3 integer[] not null,
  visits_1 integer[] not null,
  visits_2 integer[] not null,
  visits_3 integer[] not null,
  visitors_2 integer[] not null,
  visitors_3 integer[] not null,
  gap_value integer[],
  gap_tier smallint[],
  gap smallint[],
  returned integer[],
  resumed integer[],
  primary key (site_key, bucket, span, dimension)
);
comment on table rollup_values is
  'What the lists show, by block of days of the site''s zone, one row a dimension: arrays with an element a value, which take a tenth of '
  'what rows would. Distinct visitors of [a, b) are the sum of visitors less those returned from a or later: exact.';
comment on column rollup_values.bucket is 'The block''s first day.';
comment on column rollup_values.span is 'Days in the block. Blocks of 7 and 28 begin where the days since 2001-01-01, a Monday, divide by it.';
comment on column rollup_values.dimension is 'dimension_number(name).';
comment on column rollup_values.value is
  'Values as shown (site_texts). goal: site_goals.key. funnel: eight times site_funnels.key, and the step from 0. reach: 1 to 4 (seal_targets). '
  'cohort: the day of the visitor''s first visit, as days since 2001-01-01. These four have days alone, no longer blocks.';
comment on column rollup_values.hits_1 is
  'By tier. page, event: page views or events that happened in the block. Others: all page views of the visits that began in it.';
comment on column rollup_values.visits_1 is 'Counted visits: page, event: with such a hit in the block; others: that began in it.';
comment on column rollup_values.gap is
  'How many days before `bucket` visitors had a value last, at most 400: with gap_value and gap_tier one element for each that occurs; null: none.';
comment on column rollup_values.returned is 'How many visitors with that gap.';
comment on column rollup_values.resumed is 'page, event: counted visits that had such a hit that many days before already.';

create table if not exists rollup_revenue (
  site_key integer not null,
  bucket date not null,
  dimension smallint not null,
  value integer not null,
  currency text not null,
  amount_1 numeric,
  amount_2 numeric,
  amount_3 numeric,
  primary key (site_key, bucket, dimension, value, currency)
);
comment on table rollup_revenue is 'What a sealed day''s custom events earned, by value of a dimension (event, goal) and currency; a column a tier, null where none did.';

create table if not exists sealed_days (
  site_key integer not null,
  span smallint not null check (span in (1, 7, 28)),
  bucket date not null,
  until timestamptz not null,
  ready boolean not null,
  targets integer,
  primary key (site_key, span, bucket)
);
comment on table sealed_days is
  'Blocks of days that rollup_values is right about, a block of 7 or 28 as long as each of its days is here.';
comment on column sealed_days.until is 'Visits that began later are not in it. The day''s end once that is over.';
comment on column sealed_days.ready is 'False while its rows are being written: changes break it already, and reports don''t see it yet.';

comment on column sealed_days.targets is 'Which goals and funnels its rows know, as site_seals.targets; null: none.';

create table if not exists open_visits (
  site_key integer not null,
  day date not null,
  tier smallint not null,
  visitor_id uuid not null,
  started_at timestamptz not null,
  primary key (site_key, day, tier, visitor_id, started_at)
);
comment on table open_visits is 'Visits that weren''t over when a day was sealed, and so aren''t in its rollups, nor any hit of theirs.';

create table if not exists site_seals (
  site_key integer primary key,
  until timestamptz,
  sealed_to date,
  named integer[] not null,
  targets integer not null default 0
);
comment on table site_seals is 'How far sealing has come with a site.';
comment on column site_seals.until is 'The latest `until` that a day of the site was ever sealed to: what began later breaks no seal.';
comment on column site_seals.sealed_to is 'All days before are sealed for good; null: none known.';
comment on column site_seals.targets is 'Counts the changes to what the site''s goals and funnels mean.';
comment on column site_seals.named is 'Up to which id the entries of site_profiles, site_places and site_origins have their values in site_texts.';

-- The values of dictionary entries as lists show them; null is left out of lists.
create or replace view profile_values as
  select site_key, id, d.dimension, d.value
  from site_profiles cross join lateral (values
    ('device', coalesce(device, 'Unknown')), ('browser', coalesce(browser, 'Unknown')),
    ('os', coalesce(os, 'Unknown')), ('language', coalesce(language, 'Unknown'))
  ) as d(dimension, value)
  where id > 0;
create or replace view place_values as
  select site_key, id, d.dimension, d.value
  from site_places cross join lateral (values
    ('country', coalesce(country, 'Unknown')), ('region', region), ('city', city)
  ) as d(dimension, value)
  where id > 0;
create or replace view origin_values as
  select o.site_key, o.id, d.dimension, d.value
  from site_origins o cross join lateral (values
    ('source', coalesce(source, 'Direct')), ('channel', coalesce(channel, 'Direct')),
    ('utm_source', utm_source), ('utm_medium', utm_medium), ('utm_campaign', utm_campaign), ('utm_term', utm_term),
    ('utm_content', utm_content), ('hostname', coalesce(hostname, (select domain from sites where key = o.site_key)))
  ) as d(dimension, value)
  where o.id > 0;

-- The first day of the block of `span` days that holds a day.
create or replace function block_start(day date, span integer) returns date
language sql immutable parallel safe as $$
  select day - (((day - date '2001-01-01') % span) + span) % span
$$;

-- Gives the values of a site's new dictionary entries an id in site_texts. Needs the site's lock, as the fold has it.
create or replace function name_values(of_site integer) returns void
language plpgsql as $$
declare
  done integer[];
begin
  insert into site_seals (site_key, named) values (of_site, '{0,0,0}') on conflict (site_key) do nothing;
  select named into done from site_seals where site_key = of_site;
  insert into site_texts (site_key, id, value)
  select of_site, (select coalesce(max(id), 0) from site_texts where site_key = of_site and id > 0) + row_number() over (order by value), value
  from (
    select value from profile_values where site_key = of_site and id > done[1]
    union select value from place_values where site_key = of_site and id > done[2]
    union select value from origin_values where site_key = of_site and id > done[3]
  ) shown
  where value is not null and not exists (select from site_texts known where known.site_key = of_site and known.value = shown.value);
  update site_seals set named = array[
    coalesce((select max(id) from site_profiles where site_key = of_site and id > 0), 0),
    coalesce((select max(id) from site_places where site_key = of_site and id > 0), 0),
    coalesce((select max(id) from site_origins where site_key = of_site and id > 0), 0)]
  where site_key = of_site;
end
$$;

-- The same by ids of site_texts; 0: none.
create or replace function value_ids(of_site integer, dictionary text) returns table (dimension text, id integer, text_id integer)
language sql stable as $$
  select shown.dimension, shown.id, coalesce(t.id, 0)
  from (
    select dimension, id, value from profile_values where dictionary = 'profile' and site_key = of_site
    union all select dimension, id, value from place_values where dictionary = 'place' and site_key = of_site
    union all select dimension, id, value from origin_values where dictionary = 'origin' and site_key = of_site
  ) shown
  left join site_texts t on t.site_key = of_site and t.value = shown.value
$$;

-- Begins to seal a day: from now on a change breaks it. False: nothing of it can be sealed yet. Waits for a batch of the
-- site that is being folded, and keeps the next ones waiting while it looks for open visits, in one scan of a day's visits.
create or replace function begin_seal(of_site integer, of_day date, instant timestamptz) returns boolean
language plpgsql set jit = off as $$
declare
  -- A visit that had nothing for so long is over, but for events that come late.
  closed_before constant timestamptz := instant - interval '35 minutes';
  site uuid;
  start_at timestamptz;
  until_at timestamptz;
begin
  select id, day_start(of_day, timezone), least(day_start(of_day + 1, timezone), instant - interval '5 minutes')
  into site, start_at, until_at from sites where key = of_site;
  -- What was imported has no visits that it could be made of again.
  if site is null or until_at <= start_at
    or exists (select from imported_days where site_key = of_site and day = of_day) then
    return false;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('seal ' || of_site, 0));
  perform pg_advisory_xact_lock(hashtextextended(site::text, 0));
  perform name_values(of_site);
  delete from sealed_days where site_key = of_site and bucket <= of_day and bucket + span > of_day;
  delete from open_visits where site_key = of_site and day = of_day;
  insert into open_visits (site_key, day, tier, visitor_id, started_at)
  select of_site, of_day, tier, visitor_id, started_at
  from visits
  where site_key = of_site and visitor_id is not null and duration_ms >= 0 and started_at < until_at
    and started_at >= greatest(start_at, closed_before) - interval '1 day'
    and started_at + duration_ms * interval '1 millisecond' > closed_before
  union
  select of_site, of_day, tier, visitor_id, started_at
  from visits
  where site_key = of_site and visitor_id is not null and duration_ms >= 86400000 and started_at < until_at
    and started_at >= start_at - interval '24 days'
    and started_at + duration_ms * interval '1 millisecond' > closed_before;
  insert into sealed_days (site_key, span, bucket, until, ready) values (of_site, 1, of_day, until_at, false);
  update site_seals set until = greatest(until, until_at) where site_key = of_site;
  return true;
end
$$;

-- Ends what `begin_seal` began, in a transaction of its own: writes the day's rows, merges what they complete, and lets reports use them. False: a change
-- broke the seal meanwhile. Reads the visits of the day and, of each of their visitors, the earlier ones (`visits_visitor`).
create or replace function end_seal(of_site integer, of_day date) returns boolean
language plpgsql set jit = off as $$
declare
  zone text;
  start_at timestamptz;
  end_at timestamptz;
  until_at timestamptz;
  devices integer[];
  browsers integer[];
  systems integer[];
  languages integer[];
  countries integer[];
  regions integer[];
  cities integer[];
  sources integer[];
  channels integer[];
  utm_sources integer[];
  utm_mediums integer[];
  utm_campaigns integer[];
  utm_terms integer[];
  utm_contents integer[];
  hostnames integer[];
begin
  perform pg_advisory_xact_lock(hashtextextended('seal ' || of_site, 0));
  select timezone, day_start(of_day, timezone), day_start(of_day + 1, timezone), until
  into zone, start_at, end_at, until_at
  from sites join sealed_days on site_key = key
  where key = of_site and span = 1 and bucket = of_day and not ready;
  if zone is null then
    return false;
  end if;

  delete from rollup_values where site_key = of_site and span = 1 and bucket = of_day;
  delete from rollup_revenue where site_key = of_site and bucket = of_day;
  -- A day that nobody came on has no rows.
  if exists (
    select from visits
    where site_key = of_site and duration_ms >= 0 and started_at >= start_at - interval '1 day' and started_at < until_at
      and started_at + duration_ms * interval '1 millisecond' >= start_at)
    or exists (
      select from visits
      where site_key = of_site and duration_ms >= 86400000 and started_at >= start_at - interval '24 days' and started_at < start_at)
  then
    -- Values by the ids of entries, which have no gaps; 0 is none.
    select array_agg(text_id order by id) filter (where dimension = 'device'),
      array_agg(text_id order by id) filter (where dimension = 'browser'),
      array_agg(text_id order by id) filter (where dimension = 'os'),
      array_agg(text_id order by id) filter (where dimension = 'language')
    into devices, browsers, systems, languages
    from value_ids(of_site, 'profile');
    select array_agg(text_id order by id) filter (where dimension = 'country'),
      array_agg(text_id order by id) filter (where dimension = 'region'),
      array_agg(text_id order by id) filter (where dimension = 'city')
    into countries, regions, cities
    from value_ids(of_site, 'place');
    select array_agg(text_id order by id) filter (where dimension = 'source'),
      array_agg(text_id order by id) filter (where dimension = 'channel'),
      array_agg(text_id order by id) filter (where dimension = 'utm_source'),
      array_agg(text_id order by id) filter (where dimension = 'utm_medium'),
      array_agg(text_id order by id) filter (where dimension = 'utm_campaign'),
      array_agg(text_id order by id) filter (where dimension = 'utm_term'),
      array_agg(text_id order by id) filter (where dimension = 'utm_content'),
      array_agg(text_id order by id) filter (where dimension = 'hostname')
    into sources, channels, utm_sources, utm_mediums, utm_campaigns, utm_terms, utm_contents, hostnames
    from value_ids(of_site, 'origin');

    with
    -- What happened in the day: visits that began in it, and those from before that reached into it.
    current as materialized (
      select row_number() over () as visit, tier, visitor_id, started_at, counted, continued, profile_id, place_id, origin_id,
        entry_ms, entry_page, later_pages, custom_events, event_data,
        is_seen(counted, continued, entry_page, custom_events) as seen, started_at >= start_at as begun,
        (entry_page is not null)::integer + coalesce(cardinality(later_pages), 0) / 2 as pages
      from visits v
      where site_key = of_site and duration_ms >= 0 and started_at < until_at
        and (started_at >= start_at
          or started_at >= start_at - interval '1 day' and started_at + duration_ms * interval '1 millisecond' >= start_at
          or duration_ms >= 86400000 and started_at >= start_at - interval '24 days' and started_at + duration_ms * interval '1 millisecond' >= start_at)
        and not exists (
          select from open_visits o
          where o.site_key = of_site and o.day = of_day and o.tier = v.tier and o.visitor_id = v.visitor_id and o.started_at = v.started_at)
    ),
    -- What its visitors had before.
    earlier as materialized (
      select who.tier, who.visitor_id, e.started_at, (e.started_at at time zone zone)::date as day, e.continued, e.profile_id, e.place_id, e.origin_id,
        e.entry_ms, e.entry_page, e.later_pages, e.custom_events, e.seen
      from (select distinct tier, visitor_id from current where visitor_id is not null) who
      cross join lateral (
        select *, is_seen(counted, continued, entry_page, custom_events) as seen
        from visits e
        where e.site_key = of_site and e.tier = who.tier and e.visitor_id = who.visitor_id and e.started_at < start_at
          and e.started_at >= start_at - case who.tier when 2 then interval '3 days' else interval '400 days' end
        offset 0
      ) e
    ),
    hits as materialized (
      select visit, hit.dimension, hit.value, tier, case when seen then visitor_id end as visitor_id, counted,
        ((started_at + hit.ms * interval '1 millisecond') at time zone zone)::date as day
      from current
      cross join lateral (
        select 16 as dimension, entry_ms as ms, entry_page as value where entry_page is not null
        union all select 16, ms, text_id from hits_of(later_pages)
        union all select 19, ms, text_id from hits_of(custom_events)
      ) hit
      where started_at + hit.ms * interval '1 millisecond' < end_at
    ),
    -- Of consented visitors, when they came first.
    cohorts as materialized (
      select visitor_id, min(day) - date '2001-01-01' as cohort
      from (
        select visitor_id, of_day as day from current where begun and seen and tier = 3
        union all select visitor_id, day from earlier where seen and tier = 3
      ) v
      group by visitor_id
      having max(day) = of_day
    ),
    totals as (
      select dimension, value, tier, sum(hits) as hits, sum(visits) as visits
      from (
        select 23 as dimension, cohort as value, 3 as tier, 0 as hits, 0 as visits from cohorts group by cohort
        union all
        select d.dimension, d.value, tier, hits, visits
        from (select profile_id, tier, sum(pages) as hits, count(*) filter (where counted) as visits from current where begun and seen group by 1, 2) c
        cross join lateral (values
          (12, devices[profile_id]), (13, browsers[profile_id]),
          (14, case when tier = 3 then systems[profile_id] end), (15, case when tier > 1 then languages[profile_id] end)
        ) as d(dimension, value)
        union all
        select d.dimension, d.value, tier, hits, visits
        from (select place_id, tier, sum(pages) as hits, count(*) filter (where counted) as visits from current where begun and seen group by 1, 2) c
        cross join lateral (values
          (9, countries[place_id]), (10, case when tier > 1 then regions[place_id] end), (11, case when tier > 1 then cities[place_id] end)
        ) as d(dimension, value)
        union all
        select d.dimension, d.value, tier, hits, visits
        from (
          select origin_id, tier, not continued and (tier > 1 or counted) as came, sum(pages) as hits, count(*) filter (where counted) as visits
          from current where begun and seen group by 1, 2, 3
        ) c
        cross join lateral (
          select 8, hostnames[origin_id]
          union all select * from (values
            (1, sources[origin_id]), (2, channels[origin_id]), (3, utm_sources[origin_id]), (4, utm_mediums[origin_id]),
            (5, utm_campaigns[origin_id]), (6, utm_terms[origin_id]), (7, utm_contents[origin_id])
          ) as c where came
        ) as d(dimension, value)
        union all
        select d.dimension, d.value, tier, pages, counted::integer
        from current
        cross join lateral (
          select 17, entry_page where not continued and (tier > 1 or counted)
          union all select 18, coalesce(later_pages[cardinality(later_pages)], entry_page) where tier > 1
        ) as d(dimension, value)
        where begun and entry_page is not null
        union all
        select dimension, value, tier, count(*), count(distinct visit) filter (where counted)
        from hits where day = of_day group by 1, 2, 3
      ) t
      where value > 0
      group by 1, 2, 3
    ),
    had as (
      select d.dimension, d.value, tier, visitor_id, day
      from (
        select tier, visitor_id, of_day as day, continued, profile_id, place_id, origin_id, entry_page,
          coalesce(later_pages[cardinality(later_pages)], entry_page) as exit_page
        from current where begun and seen and visitor_id is not null
        union all
        select tier, visitor_id, day, continued, profile_id, place_id, origin_id, entry_page,
          coalesce(later_pages[cardinality(later_pages)], entry_page)
        from earlier where seen
      ) v
      cross join lateral (
        values (12, devices[profile_id]), (13, browsers[profile_id]), (14, case when tier = 3 then systems[profile_id] end), (15, languages[profile_id]),
          (9, countries[place_id]), (10, regions[place_id]), (11, cities[place_id]), (8, hostnames[origin_id]), (18, exit_page)
        union all select * from (values
          (1, sources[origin_id]), (2, channels[origin_id]), (3, utm_sources[origin_id]), (4, utm_mediums[origin_id]),
          (5, utm_campaigns[origin_id]), (6, utm_terms[origin_id]), (7, utm_contents[origin_id]), (17, entry_page)
        ) as c where not continued
      ) as d(dimension, value)
      union all
      select 23, cohort, 3, visitor_id, of_day from cohorts
      union all
      select 23, cohort, 3, visitor_id, day from cohorts join earlier using (visitor_id) where seen and tier = 3
      union all
      select dimension, value, tier, visitor_id, day from hits where visitor_id is not null
      union all
      select hit.dimension, hit.value, tier, visitor_id, ((started_at + hit.ms * interval '1 millisecond') at time zone zone)::date
      from earlier
      cross join lateral (
        select 16 as dimension, entry_ms as ms, entry_page as value where entry_page is not null
        union all select 16, ms, text_id from hits_of(later_pages)
        union all select 19, ms, text_id from hits_of(custom_events)
      ) hit
      where seen and started_at + hit.ms * interval '1 millisecond' < start_at
    ),
    pairs as (
      select dimension, value, tier, of_day - max(day) filter (where day < of_day) as gap
      from had
      where value > 0
      group by dimension, value, tier, visitor_id
      having max(day) = of_day
    ),
    resumed as (
      select dimension, value, tier, of_day - max(day) filter (where day < of_day) as gap
      from hits
      where counted and tier > 1
      group by dimension, value, tier, visit
      having max(day) = of_day and min(day) < of_day
    ),
    visitors as (
      select dimension, value, tier, count(*) as visitors from pairs group by 1, 2, 3
    ),
    -- Gaps over 400 days come of visits that lasted for days; nobody asks for more.
    gaps as (
      select dimension, array_agg(value) as gap_value, array_agg(tier::smallint) as gap_tier, array_agg(gap::smallint) as gap,
        array_agg(returned::integer) as returned, array_agg(resumed::integer) as resumed
      from (
        select dimension, value, tier, gap, sum(visitors) as returned, sum(resumed) as resumed
        from (
          select dimension, value, tier, gap, 1 as visitors, 0 as resumed from pairs
          union all select dimension, value, tier, gap, 0, 1 from resumed
        ) g
        where gap <= 400
        group by dimension, value, tier, gap
        order by dimension, value, tier, gap
      ) g
      group by dimension
    ),
    columns as (
      select dimension, value,
        coalesce(sum(hits) filter (where tier = 1), 0)::integer as hits_1, coalesce(sum(hits) filter (where tier = 2), 0)::integer as hits_2,
        coalesce(sum(hits) filter (where tier = 3), 0)::integer as hits_3,
        coalesce(sum(visits) filter (where tier = 1), 0)::integer as visits_1, coalesce(sum(visits) filter (where tier = 2), 0)::integer as visits_2,
        coalesce(sum(visits) filter (where tier = 3), 0)::integer as visits_3,
        coalesce(sum(visitors) filter (where tier = 2), 0)::integer as visitors_2, coalesce(sum(visitors) filter (where tier = 3), 0)::integer as visitors_3
      from totals left join visitors using (dimension, value, tier)
      group by dimension, value
      order by dimension, value
    ),
    revenue as (
      insert into rollup_revenue (site_key, bucket, dimension, value, currency, amount_1, amount_2, amount_3)
      select of_site, of_day, 19, event.text_id, event.data #>> '{revenue,currency}' as currency,
        sum((event.data #>> '{revenue,amount}')::numeric) filter (where tier = 1),
        sum((event.data #>> '{revenue,amount}')::numeric) filter (where tier = 2),
        sum((event.data #>> '{revenue,amount}')::numeric) filter (where tier = 3)
      from current cross join lateral events_of(custom_events, event_data) event
      where event_data is not null and event.data ? 'revenue'
        and ((started_at + event.ms * interval '1 millisecond') at time zone zone)::date = of_day
      group by event.text_id, currency
    )
    insert into rollup_values (
      site_key, bucket, span, dimension, value, hits_1, hits_2, hits_3, visits_1, visits_2, visits_3, visitors_2, visitors_3,
      gap_value, gap_tier, gap, returned, resumed)
    select of_site, of_day, 1, dimension, array_agg(value), array_agg(hits_1), array_agg(hits_2), array_agg(hits_3),
      array_agg(visits_1), array_agg(visits_2), array_agg(visits_3), array_agg(visitors_2), array_agg(visitors_3),
      max(gap_value), max(gap_tier), max(gap), max(returned), max(resumed)
    from columns left join gaps using (dimension)
    group by dimension;
  end if;

  update sealed_days set ready = true where site_key = of_site and span = 1 and bucket = of_day and not ready;
  if not found then
    return false;
  end if;
  perform seal_targets(of_site, of_day);
  perform merge_block(of_site, 7, block_start(of_day, 7));
  perform merge_block(of_site, 28, block_start(of_day, 28));
  perform note_sealed(of_site, end_at);
  return true;
end
$$;

-- Makes one block of 7 or 28 days out of the smaller ones in it. False: not all of these are sealed for good, or it is there.
create or replace function merge_block(of_site integer, of_span integer, of_bucket date) returns boolean
language plpgsql set jit = off as $$
declare
  part constant integer := case of_span when 7 then 1 else 7 end;
begin
  perform pg_advisory_xact_lock(hashtextextended('seal ' || of_site, 0));
  if exists (select from sealed_days where site_key = of_site and span = of_span and bucket = of_bucket)
    or of_span / part <> (
      select count(*) from sealed_days d join sites on key = of_site
      where site_key = of_site and span = part and ready and bucket >= of_bucket and bucket < of_bucket + of_span
        and (part > 1 or until = day_start(bucket + 1, timezone)
          and not exists (select from open_visits o where o.site_key = of_site and o.day = d.bucket)))
  then
    return false;
  end if;
  delete from rollup_values where site_key = of_site and span = of_span and bucket = of_bucket;
  with
  parts as materialized (
    select *, bucket - of_bucket as passed
    from rollup_values
    where site_key = of_site and span = part and bucket >= of_bucket and bucket < of_bucket + of_span and dimension < dimension_number('goal')
  ),
  part_gaps as materialized (
    select dimension, g.value, g.tier, g.gap - passed as gap, g.returned, g.resumed
    from parts cross join lateral unnest(gap_value, gap_tier, gap, returned, resumed) as g(value, tier, gap, returned, resumed)
  ),
  columns as (
    select dimension, value, sum(hits_1)::integer as hits_1, sum(hits_2)::integer as hits_2, sum(hits_3)::integer as hits_3,
      sum(visits_1)::integer as visits_1, sum(visits_2)::integer as visits_2, sum(visits_3)::integer as visits_3,
      sum(visitors_2)::integer as visitors_2, sum(visitors_3)::integer as visitors_3
    from (
      select dimension, v.*
      from parts
      cross join lateral unnest(value, hits_1, hits_2, hits_3, visits_1, visits_2, visits_3, visitors_2, visitors_3)
        as v(value, hits_1, hits_2, hits_3, visits_1, visits_2, visits_3, visitors_2, visitors_3)
      union all
      -- Who returned from within the block is in it already.
      select dimension, value, 0, 0, 0, 0, case tier when 2 then -resumed else 0 end, case tier when 3 then -resumed else 0 end,
        case tier when 2 then -returned else 0 end, case tier when 3 then -returned else 0 end
      from part_gaps where gap <= 0
    ) v
    group by dimension, value
    order by dimension, value
  ),
  gaps as (
    select dimension, array_agg(value) as gap_value, array_agg(tier) as gap_tier, array_agg(gap::smallint) as gap,
      array_agg(returned::integer) as returned, array_agg(resumed::integer) as resumed
    from (
      select dimension, value, tier, gap, sum(returned) as returned, sum(resumed) as resumed
      from part_gaps where gap > 0
      group by dimension, value, tier, gap
      order by dimension, value, tier, gap
    ) g
    group by dimension
  )
  insert into rollup_values (
    site_key, bucket, span, dimension, value, hits_1, hits_2, hits_3, visits_1, visits_2, visits_3, visitors_2, visitors_3,
    gap_value, gap_tier, gap, returned, resumed)
  select of_site, of_bucket, of_span, dimension, array_agg(value), array_agg(hits_1), array_agg(hits_2), array_agg(hits_3),
    array_agg(visits_1), array_agg(visits_2), array_agg(visits_3), array_agg(visitors_2), array_agg(visitors_3),
    max(gap_value), max(gap_tier), max(gap), max(returned), max(resumed)
  from columns left join gaps using (dimension)
  group by dimension;
  insert into sealed_days (site_key, span, bucket, until, ready)
  select of_site, of_span, of_bucket, day_start(of_bucket + of_span, timezone), true from sites where key = of_site;
  return true;
end
$$;

-- Days that are to be sealed now, the oldest of each site first, `most` in all: those that ended 40 minutes ago or earlier and
-- aren't sealed, or were with visits open that have closed since; and today, once 5,000 visits have come since it was sealed last.
create or replace function days_to_seal(instant timestamptz, most integer) returns table (site_key integer, day date)
language sql stable set jit = off as $$
  select f.site_key, d.day
  from site_freshness f
  join sites on sites.key = f.site_key
  left join site_seals done on done.site_key = f.site_key
  cross join lateral (
    select (instant at time zone timezone)::date as today, (f.last_event_at at time zone timezone)::date as last_day
  ) t
  cross join lateral (
    select day::date from generate_series(coalesce(done.sealed_to, (f.first_event_at at time zone timezone)::date)::timestamp, least(today, last_day), '1 day') as day
  ) d
  left join sealed_days s on s.site_key = f.site_key and s.span = 1 and s.bucket = d.day and s.ready
  where not exists (select from imported_days i where i.site_key = f.site_key and i.day = d.day) and case
    when d.day < today and day_start(d.day + 1, timezone) <= instant - interval '40 minutes' then
      s.until is null or s.until < day_start(d.day + 1, timezone)
      or exists (
        select from open_visits o
        left join visits v on v.site_key = o.site_key and v.tier = o.tier and v.visitor_id = o.visitor_id and v.started_at = o.started_at
        where o.site_key = f.site_key and o.day = d.day
          and (v.started_at is null or v.started_at + v.duration_ms * interval '1 millisecond' < instant - interval '35 minutes'))
    when d.day = today then
      5000 <= (
        select count(*) from (
          select from visits v
          where v.site_key = f.site_key and v.duration_ms >= 0
            and v.started_at >= coalesce(s.until, day_start(d.day, timezone)) and v.started_at < instant - interval '5 minutes'
          limit 5000
        ) recent)
  end
  order by f.site_key, d.day
  limit most
$$;

-- Notes up to which day a site is sealed without a gap and for good, so that the next search begins there.
create or replace function note_sealed(of_site integer, instant timestamptz) returns void
language sql as $$
  update site_seals done set sealed_to = coalesce((
    select min(d.day)::date
    from sites
    join site_freshness f on f.site_key = sites.key
    cross join lateral generate_series(
      coalesce(done.sealed_to, (f.first_event_at at time zone timezone)::date)::timestamp, (instant at time zone timezone)::date, '1 day') as d(day)
    left join sealed_days s on s.site_key = of_site and s.span = 1 and s.bucket = d.day::date and s.ready
    where key = of_site and (s.until is null or s.until < day_start(d.day::date + 1, timezone)
      or exists (select from open_visits o where o.site_key = of_site and o.day = d.day::date))
  ), done.sealed_to)
  where done.site_key = of_site
$$;

-- Seals what is to be sealed, in one transaction, and says how many days: for a database that nobody else writes to.
create or replace function seal_days(instant timestamptz) returns integer
language plpgsql as $$
declare
  due record;
  sealed integer := 0;
begin
  for due in select * from days_to_seal(instant, 100000) loop
    if begin_seal(due.site_key, due.day, instant) and end_seal(due.site_key, due.day) then
      sealed := sealed + 1;
    end if;
  end loop;
  return sealed;
end
$$;
