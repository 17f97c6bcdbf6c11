-- Finds log records, newest first.

-- The tsquery of a search text (docs/metrics-and-logs.md#logs), as websearch_to_tsquery reads it. A word with a star
-- at its end matches all words with this prefix. Scripts without spaces between words are one long word to
-- PostgreSQL, so a run of their characters is a prefix too. websearch_to_tsquery drops stars: letters that no text
-- has replace them.
create or replace function log_query(asked text) returns tsquery
language sql immutable parallel safe as $$
  select regexp_replace(
    websearch_to_tsquery(
      'simple'::regconfig,
      regexp_replace(
        regexp_replace(asked, '([0-9A-Za-z_\u0080-\uFFFF])\*(?![0-9A-Za-z_\u0080-\uFFFF])', '\1zqbeginningqz', 'g'),
        '([\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u3040-\u30FF\u3400-\u9FFF\uAC00-\uD7AF])(?![0-9A-z\u0E00-\uD7AF])',
        '\1zqbeginningqz', 'g'
      )
    )::text,
    '([^'' ])zqbeginningqz''', '\1'':*', 'g'
  )::tsquery
$$;

-- Returns whether a record matches; a null argument matches any record. Inlined where it is used.
create or replace function log_matches(
  log logs, min_severity smallint, resources bigint[], words tsquery, terms jsonpath
)
returns boolean
language sql immutable parallel safe as $$
  select (min_severity is null or log.severity >= min_severity)
    and (resources is null or log.resource_id = any (resources))
    and (words is null or to_tsvector('simple'::regconfig, coalesce(log.body #>> '{}', '')) @@ words)
    and (terms is null or log.attributes @@ terms)
$$;

-- The records of a trace, in the shape of find_logs. Reads all of them, by logs_trace.
create or replace function find_trace_logs(
  environment integer, by_trace uuid, from_nano bigint, at_nano bigint, at_hash bigint, page integer,
  min_severity smallint, resources bigint[], words tsquery, terms jsonpath
)
returns jsonb
language plpgsql stable as $$
declare
  examined integer;
  hits jsonb[];
begin
  select
    count(*),
    array(
      select jsonb_build_array(time_nano::text, hash::text)
      from logs
      where environment_key = environment
        and trace_id = by_trace
        and day between day_of_nano(from_nano) and day_of_nano(at_nano)
        and time_nano >= from_nano
        and (time_nano, hash) < (at_nano, at_hash)
        and log_matches(logs, min_severity, resources, words, terms)
      order by time_nano desc, hash desc
      limit page + 1
    )
  into examined, hits
  from logs
  where environment_key = environment
    and trace_id = by_trace
    and day between day_of_nano(from_nano) and day_of_nano(at_nano)
    and time_nano >= from_nano
    and (time_nano, hash) < (at_nano, at_hash);
  return logs_found(hits[:page], examined, case when cardinality(hits) > page then hits[page] end);
end
$$;

-- The answer of find_logs.
create or replace function logs_found(hits jsonb[], examined integer, next jsonb) returns jsonb
language sql immutable parallel safe as $$
  select jsonb_build_object('hits', to_jsonb(hits), 'examined', examined, 'next', next)
$$;

-- Looks up a text, or else attributes, among a day's records in [low, (at_nano, at_hash)). Adds the matching ones to
-- `hits`, newest first, up to `page` + 1. If the index has more than `max_rows` matches, it adds none and `is_over` is
-- false. Uses logs_words or logs_terms; with `words` it also tests `terms`.
create or replace function look_up_logs(
  environment integer, on_day date, low bigint, at_nano bigint, at_hash bigint, page integer, max_rows integer,
  min_severity smallint, resources bigint[], words tsquery, terms text[], inout examined integer, inout hits jsonb[],
  out is_over boolean
)
language plpgsql stable as $$
declare
  path constant jsonpath := array_to_string(terms, '$')::jsonpath;
  found_rows integer;
  found_hits jsonb[];
begin
  if words is not null then
    with hit as materialized (
      select time_nano, hash, log_matches(logs, min_severity, resources, null, path) as matches
      from logs
      where day = on_day
        and environment_key = environment
        and time_nano >= low
        and (time_nano, hash) < (at_nano, at_hash)
        and log_words(environment_key, body) @@ (words && quote_literal('environment ' || environment)::tsquery)
      limit max_rows + 1
    )
    select
      (select count(*) from hit),
      array(
        select jsonb_build_array(time_nano::text, hash::text)
        from hit
        where matches
        order by time_nano desc, hash desc
        limit page + 1
      )
    into found_rows, found_hits;
  else
    with hit as materialized (
      select time_nano, hash, log_matches(logs, min_severity, resources, null, path) as matches
      from logs
      where day = on_day
        and environment_key = environment
        and time_nano >= low
        and (time_nano, hash) < (at_nano, at_hash)
        and log_terms(environment_key, attributes) @@ array_to_string(terms, '$."' || environment || '"')::jsonpath
      limit max_rows + 1
    )
    select
      (select count(*) from hit),
      array(
        select jsonb_build_array(time_nano::text, hash::text)
        from hit
        where matches
        order by time_nano desc, hash desc
        limit page + 1
      )
    into found_rows, found_hits;
  end if;
  is_over := found_rows <= max_rows;
  if is_over then
    examined := examined + found_rows;
    hits := hits || found_hits;
  end if;
end
$$;

-- Opens a cursor over up to `chunk` of a day's records in [low, (at_nano, at_hash)), newest first, each with whether
-- it matches. Uses the primary key, or logs_severe for severe records.
create or replace function open_logs(
  environment integer, on_day date, low bigint, at_nano bigint, at_hash bigint, chunk integer, min_severity smallint,
  resources bigint[], words tsquery, terms jsonpath
)
returns refcursor
language plpgsql stable as $$
declare
  records refcursor;
begin
  if min_severity >= 17 then
    open records for
      select time_nano, hash, log_matches(logs, min_severity, resources, words, terms) as matches
      from logs
      where environment_key = environment
        and severity >= 17
        and day = on_day
        and time_nano >= low
        and (time_nano, hash) < (at_nano, at_hash)
      order by time_nano desc, hash desc
      limit chunk;
  else
    open records for
      select time_nano, hash, log_matches(logs, min_severity, resources, words, terms) as matches
      from logs
      where environment_key = environment
        and day = on_day
        and time_nano >= low
        and (time_nano, hash) < (at_nano, at_hash)
      order by time_nano desc, hash desc
      limit chunk;
  end if;
  return records;
end
$$;

-- Reads up to `chunk` of a day's records in [low, (at_nano, at_hash)), newest first, and adds the matching ones to
-- `hits`. `at_nano` and `at_hash` become those of the last record that it read. `is_over`: the day has no more
-- records. `is_full`: the page is full or `budget` is spent, and there are more.
create or replace function walk_logs(
  environment integer, on_day date, low bigint, chunk integer, page integer, budget integer, min_severity smallint,
  resources bigint[], words tsquery, terms jsonpath, inout at_nano bigint, inout at_hash bigint,
  inout examined integer, inout hits jsonb[], out is_over boolean, out is_full boolean
)
language plpgsql stable as $$
declare
  records constant refcursor := open_logs(
    environment, on_day, low, at_nano, at_hash, chunk, min_severity, resources, words, terms
  );
  last_examined constant integer := examined + chunk;
  next_nano bigint;
  next_hash bigint;
  matches boolean;
begin
  is_full := false;
  loop
    fetch records into next_nano, next_hash, matches;
    exit when not found;
    is_full := cardinality(hits) >= page or examined >= budget;
    exit when is_full;
    examined := examined + 1;
    at_nano := next_nano;
    at_hash := next_hash;
    if matches then
      hits := hits || jsonb_build_array(at_nano::text, at_hash::text);
    end if;
  end loop;
  close records;
  is_over := examined < last_examined;
end
$$;

-- The day of the newest record in [from_nano, to_nano) below (to_nano, to_hash); null: there is none. By the primary
-- key.
create or replace function newest_log_day(environment integer, from_nano bigint, to_nano bigint, to_hash bigint)
returns date
language plpgsql stable as $$
begin
  return (
    select day
    from logs
    where environment_key = environment
      and day between day_of_nano(from_nano) and day_of_nano(to_nano)
      and time_nano >= from_nano
      and (time_nano, hash) < (to_nano, to_hash)
    order by time_nano desc, hash desc
    limit 1
  );
end
$$;

-- Finds up to `page` matching records in [from_nano, to_nano), newest first, before (before_nano, before_hash) if that
-- is given: {hits: [[timeNano, hash]], examined, next: [timeNano, hash] | null}. All but `examined` are texts. `next`
-- is passed as `before_…` to get the next page.
--
-- Examines the newest records one by one, by the primary key, or by logs_severe for severe ones. If a text or an
-- attribute is rare among the newest tenth of `budget`, it looks them up day by day in their index, unless a day has
-- more than five times `budget` matches. Stops after `budget` records; `next` then says where to continue. Of a trace
-- it reads all records, by logs_trace.
create or replace function find_logs(
  environment integer, from_nano bigint, to_nano bigint, before_nano bigint, before_hash bigint, page integer,
  budget integer, min_severity smallint, by_service text, by_text text, by_trace uuid, terms text[],
  resource_terms text[]
)
returns jsonb
language plpgsql stable set plan_cache_mode = force_custom_plan as $$
declare
  day_nano constant bigint := 86400000000000;
  lowest_hash constant bigint := -9223372036854775808;
  walked_first constant integer := budget / 10;
  common constant integer := budget * 5;
  words constant tsquery := log_query(by_text);
  resources constant bigint[] := resources_asked_for(environment, by_service, resource_terms);
  path constant jsonpath := array_to_string(terms, '$')::jsonpath;
  is_indexed constant boolean := by_text is not null or terms is not null;
  -- All later records were examined.
  at_nano bigint := coalesce(before_nano, to_nano);
  at_hash bigint := coalesce(before_hash, lowest_hash);
  on_day date;
  low bigint;
  chunk integer;
  examined integer := 0;
  hits jsonb[] := '{}'::jsonb[];
  is_over boolean;
  is_full boolean;
begin
  if environment is null then
    return null;
  end if;
  if resources = '{}' then
    return logs_found(hits, 0, null);
  end if;

  if by_trace is not null then
    return find_trace_logs(
      environment, by_trace, from_nano, at_nano, at_hash, page, min_severity, resources, words, path
    );
  end if;

  loop
    on_day := newest_log_day(environment, from_nano, at_nano, at_hash);
    exit when on_day is null;
    if examined >= budget then
      return logs_found(hits, examined, jsonb_build_array(at_nano::text, at_hash::text));
    end if;
    low := greatest(from_nano, (on_day - date '1970-01-01') * day_nano);
    is_over := false;
    if is_indexed and examined >= walked_first then
      select *
      into examined, hits, is_over
      from look_up_logs(
        environment, on_day, low, at_nano, at_hash, page, common, min_severity, resources, words, terms, examined,
        hits
      );
      if cardinality(hits) > page then
        return logs_found(hits[:page], examined, hits[page]);
      end if;
    end if;
    if not is_over then
      chunk := case when is_indexed and examined < walked_first then walked_first else budget end - examined + 1;
      select *
      into at_nano, at_hash, examined, hits, is_over, is_full
      from walk_logs(
        environment, on_day, low, chunk, page, budget, min_severity, resources, words, path, at_nano, at_hash,
        examined, hits
      );
      if is_full then
        return logs_found(hits, examined, jsonb_build_array(at_nano::text, at_hash::text));
      end if;
    end if;
    if is_over then
      at_nano := low;
      at_hash := lowest_hash;
    end if;
  end loop;
  return logs_found(hits, examined, null);
end
$$;
