-- How many traces an error occurred in: one failed request has often several failed spans.

alter table error_parts add column traces uuid[];
comment on column error_parts.traces is
  'The traces of its spans and records, each once; null: of a request before the upgrade.';

alter table error_hours add column traces integer;
comment on column error_hours.traces is
  'In how many traces it occurred. A trace whose spans were summed apart counts each time; null: before the upgrade.';
