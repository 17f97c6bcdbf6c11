-- Most series send a point a minute, and the sum of such a minute says what the point says, in as many bytes. So sums
-- are kept of minutes with several points alone. `metric_minutes` becomes a view of these and of the points of all
-- other minutes (schema/functions/metric-views.sql).

alter table metric_minutes rename to metric_minute_sums;
comment on table metric_minute_sums is
  'The minutes of series with several points. A row a stream: of a series, what has the same start, if it is '
  'cumulative, and the same bounds.';

do $$
declare
  partition text;
begin
  for partition in
    select c.relname
    from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'metric_minute_sums'::regclass
  loop
    execute format(
      'alter table %I rename to %I', partition, replace(partition, 'metric_minutes', 'metric_minute_sums')
    );
  end loop;
end
$$;

create view metric_minutes as select * from metric_minute_sums;
