-- Associations: which traces page views reported. The fold keeps them beside their visits, and queries match them to
-- spans when somebody asks, so that it doesn't matter which of both came first.

-- Maximum number of associations that a page view keeps, the earliest ones.
create or replace function kept_associations() returns integer
language sql immutable parallel safe as $$
  select 50
$$;

-- Stores the associations in a batch of events: the earliest one for each page and trace. Finds the page view of each
-- by the index `events_pages`, while its raw event is stored.
create or replace function fold_associations(fresh events[]) returns void
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  perform ensure_partition('associations', reported.month)
  from (select distinct date_trunc('month', occurred_at, 'UTC') as month from unnest(fresh) where kind = 5) reported;

  insert into associations as known (
    month, occurred_at, viewed_at, visitor_id, page_id, trace_id, page_hash, site_key, status, sent, origin
  )
  select
    reported.month, reported.occurred_at, page.viewed_at, reported.visitor_id, reported.page_id, reported.trace_id,
    page.page_hash, reported.site_key, reported.status, reported.sent, reported.origin
  from (
    select distinct on (e.site_key, e.visitor_id, e.page_id, read.trace_id, read.month) e.*, read.*
    from unnest(fresh) e
    cross join lateral (
      select
        date_trunc('month', e.occurred_at, 'UTC') as month,
        (e.data ->> 'traceId')::uuid as trace_id,
        (e.data ->> 'status')::smallint as status,
        coalesce((e.data ->> 'sent')::boolean, false) as sent,
        e.data ->> 'origin' as origin
    ) read
    where e.kind = 5 and e.tier = 3
    order by e.site_key,
      e.visitor_id, e.page_id, read.trace_id, read.month, e.occurred_at, read.origin collate "C", read.status,
      read.sent
  ) reported
  left join lateral (
    select v.occurred_at as viewed_at, md5(t.value)::uuid as page_hash
    from events v join site_texts t on t.site_key = v.site_key and t.id = v.path_id and t.id > 0
    where v.site_key = reported.site_key
      and v.page_id = reported.page_id
      and v.visitor_id = reported.visitor_id
      and v.kind = 1
      and v.tier = 3
      and date_trunc('month', v.occurred_at, 'UTC') <= reported.month
    order by v.occurred_at, md5(t.value)::uuid
    limit 1
  ) page on true
  order by reported.site_key, reported.visitor_id, reported.page_id, reported.trace_id, reported.month
  on conflict (
    site_key, visitor_id, page_id, trace_id, month
  ) do update set
    occurred_at = excluded.occurred_at, status = excluded.status, sent = excluded.sent, origin = excluded.origin
  where (excluded.occurred_at, excluded.origin collate "C", coalesce(excluded.status, 1000), excluded.sent) < (
    known.occurred_at, known.origin collate "C", coalesce(known.status, 1000), known.sent
  );

  delete from associations a using (
    select b.site_key, b.visitor_id, b.page_id, b.month, b.trace_id
    from (
      select distinct site_key, visitor_id, page_id, date_trunc('month', occurred_at, 'UTC') as month
      from unnest(fresh)
      where kind = 5 and tier = 3
    ) touched
    cross join lateral (
      select *
      from associations a
      where a.site_key = touched.site_key
        and a.visitor_id = touched.visitor_id
        and a.page_id = touched.page_id
        and a.month = touched.month
      order by a.occurred_at, a.trace_id
      offset kept_associations()
    ) b
  ) beyond
  where a.site_key = beyond.site_key
    and a.visitor_id = beyond.visitor_id
    and a.page_id = beyond.page_id
    and a.trace_id = beyond.trace_id
    and a.month = beyond.month;
end
$$;

-- Writes the page into associations that came before their page view. A site without associations costs one index
-- probe.
create or replace function place_associations(fresh events[]) returns void
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if not exists (
    select
    from (
      select site_key, date_trunc('month', min(occurred_at), 'UTC') as since
      from unnest(fresh)
      where kind = 1 and tier = 3
      group by site_key
    ) viewed
    where exists (select from associations a where a.site_key = viewed.site_key and a.month >= viewed.since)
  )
  then
    return;
  end if;
  update associations a
  set viewed_at = page.viewed_at, page_hash = page.page_hash
  from (
    select distinct on (v.site_key, v.visitor_id, v.page_id) v.site_key,
      v.visitor_id, v.page_id, v.occurred_at as viewed_at, md5(t.value)::uuid as page_hash
    from unnest(fresh) v join site_texts t on t.site_key = v.site_key and t.id = v.path_id and t.id > 0
    where v.kind = 1 and v.tier = 3 and v.page_id is not null
    order by v.site_key, v.visitor_id, v.page_id, v.occurred_at, md5(t.value)::uuid
  ) page
  where a.site_key = page.site_key
    and a.visitor_id = page.visitor_id
    and a.page_id = page.page_id
    and a.month >= date_trunc('month', page.viewed_at, 'UTC')
    and (a.viewed_at is null or (a.viewed_at, a.page_hash) > (page.viewed_at, page.page_hash));
end
$$;

-- Whether an origin, as browsers write it, is of a page of a site with these domains; the same as `isSiteHost`
-- (lib/collection/site-host.ts).
create or replace function is_site_origin(page_origin text, domains text[]) returns boolean
language sql immutable parallel safe as $$
  select exists (
    select
    from unnest(domains) as domain
    cross join lower(substring(page_origin from '^https?://(\[[^]]*\]|[^]/:?#@[]+)(?::\d+)?$')) as host
    where (domain = 'localhost' and host in ('localhost', '127.0.0.1', '[::1]'))
      or regexp_replace(host, '^www\.', '') = regexp_replace(domain, '^www\.', '')
      or right(host, length(domain) + 1) = '.' || domain
  )
$$;

-- The span that answered the page's request: of the trace's spans within 10 minutes of the report, the one with the
-- least `mark`, then the earliest. `mark`: 1, a SERVER span that names a page of the site; 2, a SERVER span that
-- names another page; 3, a SERVER span that names none; 4, any other span. No row if no span is that near. Probes the
-- primary key of one or two days.
create or replace function span_of_association(environment integer, trace uuid, told_at timestamptz, domains text[])
returns table (
  mark integer, span_id bigint, start_nano bigint, duration_nano bigint, resource_id bigint, status smallint,
  name text
)
language sql stable as $$
  select
    case
      when s.kind <> 2 then 4
      when not s.attributes ? 'vendor.page.origin' then 3
      when is_site_origin(s.attributes ->> 'vendor.page.origin', domains) then 1
      else 2
    end,
    s.span_id, s.start_nano, s.duration_nano, s.resource_id, s.status, s.name
  from spans s
  where s.environment_key = environment
    and s.trace_id = trace
    and s.day >= ((told_at - interval '10 minutes') at time zone 'UTC')::date
    and s.day <= ((told_at + interval '10 minutes') at time zone 'UTC')::date
    and s.start_nano >= (extract(epoch from told_at - interval '10 minutes') * 1000000000)::bigint
    and s.start_nano <= (extract(epoch from told_at + interval '10 minutes') * 1000000000)::bigint
  order by 1, s.start_nano, s.span_id
  limit 1
$$;
