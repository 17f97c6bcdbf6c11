alter table visits add column vitals integer[];
comment on column visits.vitals is
  'Tier 3: page loads that reported web vitals, 500 at most, in order of time, seven numbers each: milliseconds from '
  'the start, path (site_texts), lcp, inp, cls, fcp and ttfb, null where the load had none. Tenths of a millisecond; '
  'cls in ten thousandths.';
alter table site_freshness add column vitals_from timestamptz;
comment on column site_freshness.vitals_from is
  'When the first visit with visits.vitals began. Page loads before it are in rollup_vitals alone. Null: no visit has '
  'some.';
