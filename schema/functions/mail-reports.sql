-- Reports by mail: when they are due, and their messages (docs/messages.md#reports-by-mail).

-- The first 8:00 in the zone that is later than `instant`, on a day on which such a report is sent. On days on which
-- the clock changes it is 8:00 too.
create or replace function next_mail_report(instant timestamptz, zone text, every text, weekday integer)
returns timestamptz
language sql stable as $$
  select min(at)
  from (
    select day::date as day, (day::date + time '08:00') at time zone zone as at
    from generate_series(
      (instant at time zone zone)::date, (instant at time zone zone)::date + 31, interval '1 day'
    ) day
  ) mornings
  where at > instant
    and case every
      when 'day' then true
      when 'week' then extract(isodow from day) = weekday
      else extract(day from day) = 1
    end
$$;

-- Decides up to `max_rows` reports that are due: a message to each recipient, and `report.ready` to the channels that
-- want it. Each report is of the days before the morning on which it was due, however late it is sent; its last day is
-- in the text by which the same message twice is one, so it is never sent twice. Mornings of over 31 days ago are left
-- out. Uses `mail_reports_next`.
create or replace function decide_mail_reports(instant timestamptz, max_rows integer) returns integer
language plpgsql as $$
declare
  due record;
  morning date;
  first_day date;
  details jsonb;
  decided integer := 0;
begin
  for due in
    select report.*, sites.project_id, sites.name, sites.timezone
    from mail_reports report join sites on sites.id = report.site_id
    where report.next_at <= instant
    order by report.next_at
    limit max_rows
    for update of report skip locked
  loop
    morning := (due.next_at at time zone due.timezone)::date;
    first_day := case due.every
      when 'day' then morning - 1
      when 'week' then morning - 7
      else (date_trunc('month', morning::timestamp) - interval '1 month')::date
    end;
    details := jsonb_build_object(
      'report', jsonb_build_object('id', due.id, 'every', due.every),
      'site', jsonb_build_object('id', due.site_id, 'name', due.name),
      'from', first_day, 'to', morning - 1,
      'path', format('/sites/%s?from=%s&to=%s', due.site_id, first_day, morning - 1)
    );
    perform send_message(
      due.project_id,
      array(select channel_id from mail_report_recipients where report_id = due.id and ended_at is null),
      'report.mail', details, instant, format('report %s %s', due.id, morning - 1)
    );
    perform send_message(
      due.project_id, null, 'report.ready', details, instant, format('ready %s %s', due.id, morning - 1)
    );
    update mail_reports
    set next_at = next_mail_report(
      greatest(due.next_at, instant - interval '31 days'), due.timezone, due.every, due.weekday
    )
    where site_id = due.site_id and id = due.id;
    decided := decided + 1;
  end loop;
  return decided;
end
$$;

-- A site in another zone gets its reports at 8:00 there.
create or replace function move_mail_reports() returns trigger
language plpgsql as $$
begin
  update mail_reports report
  set next_at = next_mail_report(now(), new.timezone, report.every, report.weekday)
  where report.site_id = new.id;
  return null;
end
$$;
create or replace trigger sites_moved
after update of timezone on sites for each row
when (old.timezone <> new.timezone)
execute function move_mail_reports();
