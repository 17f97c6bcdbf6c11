-- A pattern of paths as `like` reads it: keeps every path that `page_matches` does, and some in which `*` is more
-- than a segment.
create or replace function as_like(pattern text) returns text
language sql immutable parallel safe as $$
  select replace(replace(regexp_replace(pattern, '([\\%_])', '\\\1', 'g'), '**', '%'), '*', '_%')
$$;

-- Whether a path is one of a pattern's: `*` is one whole segment, never empty; `**`, at the end alone, is whatever is
-- left, nothing too; all else is itself. The literal start is compared first, which is all that most paths cost. A
-- `%` of the `like` can't run over a slash, since what it is compared with has as many slashes as the pattern.
create or replace function page_matches(path text, pattern text) returns boolean
language sql immutable parallel safe as $$
  select case
    when position('*' in pattern) = 0 then path = pattern
    when not starts_with(path, split_part(pattern, '*', 1)) then false
    when right(pattern, 2) <> '**' then cardinality(string_to_array(path, '/')) = cardinality(
      string_to_array(pattern, '/')
    )
      and path like as_like(pattern)
    else cardinality(string_to_array(path, '/')) >= cardinality(string_to_array(pattern, '/'))
      and array_to_string((string_to_array(path, '/'))[
  :cardinality(string_to_array(pattern, '/')) - 1], '/') like as_like(left(pattern, -3)) end
$$;

-- How far a visit came in a funnel, over its hits in order of time, each as the number of a step that it meets; those
-- of one instant in order of the steps.
create or replace function next_step(reached integer, met integer) returns integer
language sql immutable parallel safe as $$
  select case when met = reached + 1 then met else reached end
$$;
create or replace aggregate steps_reached(integer) (sfunc = next_step, stype = integer, initcond = '0');
