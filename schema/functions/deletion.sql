-- The deletion of whole sites. The row in `sites` is deleted at once. After that nothing finds the site: readers, the
-- tracker and the fold look it up in `sites`, and its key is never used again. The other rows with the key are deleted
-- in pieces.

-- Notes that the rows of a deleted site have to be deleted, also when its project is deleted.
create or replace function note_deletion() returns trigger
language plpgsql as $$
begin
  insert into site_deletions (site, key, project_id, domain, name, visits)
  select
    old.id, old.key, old.project_id, old.domain, old.name,
    coalesce(sum(case tier when 1 then pageviews else rollup_hours.visits end), 0)
  from rollup_hours
  where site_key = old.key;
  return null;
end
$$;
create or replace trigger sites_deleted after delete on sites for each row execute function note_deletion();

-- Deletes up to `max_rows` rows of a deleted site, from every table that has a `site_key`, so that tables added later
-- are found too. Takes the site's turn first: it waits for a batch of the site's events that is being folded, and
-- later batches find no site.
create or replace function delete_rows(deleted_site uuid, instant timestamptz, max_rows integer) returns integer
language plpgsql as $$
declare
  deleted_key integer;
  target record;
  deleted integer;
  unlinked integer;
  visits_before integer;
  visits_deleted integer := 0;
begin
  perform keep_partitions();
  instant := trusted_instant(instant);
  perform pg_advisory_xact_lock(hashtextextended(deleted_site::text, 0));
  select key into deleted_key from site_deletions where site = deleted_site and finished_at is null;
  if not found then
    return 0;
  end if;
  delete from dead_letters
  where ctid = any (array(select ctid from dead_letters where site_id = deleted_site limit max_rows));
  get diagnostics deleted = row_count;
  -- Outcomes of backends stay; their reference to the site is removed.
  update outcomes
  set site_id = null
  where ctid = any (array(select ctid from outcomes where site_id = deleted_site limit max_rows - deleted));
  get diagnostics unlinked = row_count;
  deleted := deleted + unlinked;
  for target in
    select c.oid::regclass as name, coalesce(i.inhparent = 'visits'::regclass, false) as is_visits
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    left join pg_inherits i on i.inhrelid = c.oid
    where a.attname = 'site_key'
      and c.relkind = 'r'
      and c.relnamespace = (select relnamespace from pg_class where oid = 'sites'::regclass)
    order by c.relname
  loop
    exit when deleted >= max_rows;
    visits_before := deleted;
    deleted := deleted + delete_some(
      target.name, deleted_key,
      case when target.is_visits then 'profile_id > 0' else 'true' end,
      max_rows - deleted
    );
    if target.is_visits then
      visits_deleted := visits_deleted + deleted - visits_before;
    end if;
  end loop;
  update site_deletions d
  set
    deleted_rows = d.deleted_rows + deleted,
    deleted_visits = d.deleted_visits + visits_deleted,
    finished_at = case when deleted < max_rows then instant end
  where d.site = deleted_site;
  return deleted;
end
$$;

-- Deletes a site for everybody at once, and up to `max_rows` of its rows. `continue_deletions` deletes the others.
-- Waits for a batch of the site's events that is being folded.
create or replace function delete_site(site uuid, instant timestamptz default now(), max_rows integer default 10000)
returns void
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(site::text, 0));
  delete from sites where id = site;
  perform delete_rows(site, instant, max_rows);
end
$$;

-- Deletes up to `max_rows` rows of the site that was deleted longest ago and still has rows. Forgets deletions that
-- were finished 7 days before.
create or replace function continue_deletions(
  instant timestamptz, max_rows integer, out deleted integer, out finished boolean
)
language plpgsql as $$
declare
  next_site uuid;
begin
  instant := trusted_instant(instant);
  delete from site_deletions where finished_at < instant - interval '7 days';
  select site into next_site from site_deletions where finished_at is null order by requested_at limit 1;
  finished := next_site is null;
  deleted := case when finished then 0 else delete_rows(next_site, instant, max_rows) end;
end
$$;
