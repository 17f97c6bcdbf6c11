-- What backends confirm of their business: an outcome once, by its identity, and beside it every time that it was
-- told.

create table outcomes (
  id bigint generated always as identity,
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  trace_id uuid,
  span_id bigint,
  site_id uuid,
  environment_key integer not null,
  source text not null,
  domain_event_id text not null,
  type text not null,
  amount numeric check (amount >= 0 and amount < 1000000000000 and scale(amount) <= 4),
  currency text,
  session_id text,
  attributes jsonb,
  payload_hash bytea not null,
  primary key (environment_key, source, domain_event_id),
  check ((amount is null) = (currency is null))
);
create index outcomes_time on outcomes (environment_key, occurred_at, id);
create index outcomes_trace on outcomes (environment_key, trace_id) where trace_id is not null;
create index outcomes_site on outcomes (site_id) where site_id is not null;
comment on table outcomes is
  'Confirmed business outcomes, as they were told first; kept as long as their environment, and never changed.';
comment on column outcomes.id is 'Its number, for its sendings and for pages of lists.';
comment on column outcomes.domain_event_id is
  'The event''s identity within its source, which its sender keeps stable.';
comment on column outcomes.amount is 'With as many decimals as were sent, at most 4.';
comment on column outcomes.trace_id is
  'Of the first sending, as are span_id and session_id; null where it told none.';
comment on column outcomes.site_id is 'A site of the project; null too once that is deleted.';
comment on column outcomes.attributes is 'Null for none.';
comment on column outcomes.payload_hash is
  'SHA-256 of type, time, amount, currency, attributes and site: who tells something else of the same event '
  'conflicts.';

create table outcome_sendings (
  outcome_id bigint not null,
  sent_at timestamptz not null,
  key_id uuid not null,
  trace_id uuid,
  span_id bigint,
  environment_key integer not null,
  result text not null check (result in ('created', 'duplicate', 'conflict')),
  request_id text not null,
  session_id text
);
create index outcome_sendings_outcome on outcome_sendings (environment_key, outcome_id, sent_at);
create index outcome_sendings_trace on outcome_sendings (environment_key, trace_id) where trace_id is not null;
comment on table outcome_sendings is
  'Each time that an outcome was told, by whom, and what was answered: provenance, apart from the confirmation.';
comment on column outcome_sendings.sent_at is 'When it was received.';
comment on column outcome_sendings.key_id is 'The ingest key; may be revoked since.';
comment on column outcome_sendings.request_id is 'As in the log and in the answer''s `X-Request-Id`.';

-- First-party API origins of environments: the tracker of the sites tied to one may associate its requests with
-- traces.

create table environment_origins (
  environment_id uuid not null references environments on delete cascade,
  origin text not null,
  site_ids uuid[],
  primary key (environment_id, origin)
);
comment on column environment_origins.origin is 'As browsers write it: `https://api.example.com`.';
comment on column environment_origins.site_ids is
  'The sites tied to it; null: every site of the project. Ids of sites that are deleted may be left in it, and tie '
  'nothing.';
