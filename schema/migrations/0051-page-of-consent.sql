alter table visits add column consent_page integer;
comment on column visits.consent_page is
  'Tier 3: the page on which consent was given (site_texts), if the visit begins there and its page view was counted '
  'before, at a lower tier. No page view.';
comment on column events.kind is
  '0 dropped, 1 page view, 2 custom event, 3 engagement, 4 vitals, 5 association, 6 consent on a page that is '
  'counted already.';
comment on column events.page_id is
  'Tiers 2 and 3: the page view''s. Tier 1: a digest of page view and name, of custom events alone, which says only '
  'that the same event came from the same page view before.';
comment on column visits.event_data is
  'Properties and revenue of the custom events, in their order, null for those that have none; null if none has any. '
  '`repeated`, at tier 1: the same page view sent an event of this name before.';
