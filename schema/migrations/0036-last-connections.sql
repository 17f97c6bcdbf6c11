alter table telemetry_connections add column last_nano bigint;
comment on column telemetry_connections.last_nano is 'When the last of what was received happened.';
