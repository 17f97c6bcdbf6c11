-- Name, unit and service together may be longer than an entry of an index can be, 2,704 bytes: the environment's sums
-- then failed every minute. The table has one row for a metric and service, so this index is made at once. Until the
-- functions are made anew, sums of metrics wait.
create unique index metric_seen_once on metric_seen (environment_key, name, type, md5(unit), md5(service));
comment on index metric_seen_once is 'Has hashes in place of the texts that would not fit beside a name.';
alter table metric_seen drop constraint metric_seen_pkey;
