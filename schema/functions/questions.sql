-- Bounds how many questions of one asker (a person or a share) are in the database at the same time. The locks are
-- held as long as the question's transaction, so a question that a client gave up counts until the database ends it.

-- Begins a question: takes one of the asker's 2 slots, and waits for one for at most 8 seconds. Raises
-- configuration_limit_exceeded (53400) after that, or if 15 questions are running or waiting. A null asker has no
-- limit. Always returns null.
create or replace function begin_question(asker uuid) returns text
language plpgsql as $$
declare
  max_admitted constant integer := 15;
  max_running constant integer := 2;
  admitted constant integer := hashtext('question admitted ' || asker);
  running constant integer := hashtext('question running ' || asker);
  lock_timeout_before constant text := current_setting('lock_timeout');
  slot integer := 0;
begin
  if asker is null then
    return null;
  end if;
  while not pg_try_advisory_xact_lock(admitted, slot) loop
    slot := slot + 1;
    if slot = max_admitted then
      raise configuration_limit_exceeded using message = 'too many questions at the same time';
    end if;
  end loop;
  for free in 0..max_running - 1 loop
    if pg_try_advisory_xact_lock(running, free) then
      return null;
    end if;
  end loop;
  perform set_config('lock_timeout', '8s', true);
  perform pg_advisory_xact_lock(running, slot % max_running);
  perform set_config('lock_timeout', lock_timeout_before, true);
  return null;
exception when lock_not_available then
  raise configuration_limit_exceeded using message = 'earlier questions run too long';
end
$$;
