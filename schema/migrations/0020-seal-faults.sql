-- Sealing goes round the sites, and remembers what it couldn't seal.

create table seal_faults (
  site_key integer not null,
  day date not null,
  faults integer not null,
  retry_at timestamptz not null,
  reason text not null,
  primary key (site_key, day)
);
comment on table seal_faults is 'Days that could not be sealed, until they are. Reports read their visits meanwhile.';
comment on column seal_faults.faults is 'How often it was tried.';
comment on column seal_faults.reason is 'The SQLSTATE of the last fault.';

alter table site_seals add column tried_at timestamptz;
comment on column site_seals.tried_at is 'When a day of the site was sealed or tried last: the others come first.';
