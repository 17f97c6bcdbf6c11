-- Runs concurrently.
create index concurrently visits_by_visitor on visits (site_key, visitor_id) where visitor_id is not null;
