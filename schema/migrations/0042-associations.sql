create table associations (
  month timestamptz not null,
  occurred_at timestamptz not null,
  viewed_at timestamptz,
  visitor_id uuid not null,
  page_id uuid not null,
  trace_id uuid not null,
  page_hash uuid,
  site_key integer not null,
  status smallint,
  sent boolean not null,
  origin text not null,
  primary key (site_key, visitor_id, page_id, trace_id, month)
)
partition by range (month);
create index associations_time on associations (site_key, occurred_at);
create index associations_trace on associations (site_key, trace_id);
create index associations_page on associations (site_key, page_hash, occurred_at);
comment on table associations is
  'Which traces of backends consented page views told of, one partition a UTC month. 50 a page view and month at '
  'most.';
comment on column associations.month is 'The beginning of the UTC month of occurred_at.';
comment on column associations.occurred_at is
  'When the server received it first; status, sent and origin are those of that event.';
comment on column associations.viewed_at is
  'When the page view came; null: no page view with this page id is known. Its path is in the visit.';
comment on column associations.page_hash is
  'MD5 of the path of that page view: finds the associations of a page, and names no value that could go before '
  'them.';
comment on column associations.status is 'HTTP status as the page saw it; null: not told.';
comment on column associations.sent is
  'The trace id is of a `traceparent` that the request carried, and no answer told it.';
comment on column associations.origin is 'To which the request went, as browsers write it.';
