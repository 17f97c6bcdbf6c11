-- The calendar of blocks that seals and measures are added up in: days, and blocks of 7 and 28 of them.

-- The first day of the block of `span` days that holds a day. Blocks of 7 begin on Monday.
create or replace function block_start(day date, span integer) returns date
language sql immutable parallel safe as $$
  select day - (((day - date '2001-01-01') % span) + span) % span
$$;

-- The span, in days, of the smaller blocks that fill a block of `span` days. 0 means an hour; only measures have
-- those.
create or replace function block_parts(span integer) returns smallint
language sql immutable parallel safe as $$
  select (case span when 28 then 7 when 7 then 1 when 1 then 0 end)::smallint
$$;
