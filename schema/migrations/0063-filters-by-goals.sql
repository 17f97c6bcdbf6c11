-- Filters by goals and by properties have sums, too (schema/functions/filter-masks.sql).

alter type filter_masks
  add attribute goal_pages int4multirange[],
  add attribute goal_events int4multirange[],
  add attribute without_goal boolean[],
  add attribute props jsonb;

comment on column site_filters.clauses is
  'A list of {dimension, operator, wanted}, sorted, as lib/analytics/sums/filter-clauses.ts writes it; of a property '
  'also its key. A goal is written as what reaches it (meant_clauses). Visits match all of them.';
