-- Runs concurrently.
create index concurrently events_repeats on events (site_key, page_id, occurred_at, event_id)
where kind = 2 and tier = 1;
