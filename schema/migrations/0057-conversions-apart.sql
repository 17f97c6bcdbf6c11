comment on column rollup_values.value is
  'Values as shown (site_texts). goal: site_goals.key. funnel: eight times site_funnels.key, and the step from 0. '
  'reach: 1 to 4 (reach_of_visit), and eight times site_goals.key with conversion_apart. cohort: the day of the '
  'visitor''s first visit, as days since 2001-01-01. These four have days alone, no longer blocks.';
-- Days that were sealed before don't say which conversions are of no counted visit: they are sealed again.
update site_seals set targets = targets + 1 where exists (
  select from site_goals goal join sites on sites.id = goal.site_id where sites.key = site_seals.site_key
);
