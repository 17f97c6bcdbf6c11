-- The `like` pattern of a pattern of paths. It matches every path that `page_matches` matches, and some in which `*`
-- is more than one segment.
create or replace function as_like(pattern text) returns text
language sql immutable parallel safe as $$
  select replace(replace(regexp_replace(pattern, '([\\%_])', '\\\1', 'g'), '**', '%'), '*', '_%')
$$;

-- Returns whether a path matches a pattern. `*` is one whole segment that isn't empty; `**`, only at the end, is any
-- rest, also an empty one; other characters match themselves. The literal beginning is compared first, which is enough
-- for most paths. `%` in the `like` can't match a slash, because both sides have the same number of slashes.
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

-- Aggregate: the last step of a funnel that a visit reached. Its input are the numbers of the steps that the visit's
-- hits meet, in order of time, and in order of the steps within an instant.
create or replace function next_step(reached integer, met integer) returns integer
language sql immutable parallel safe as $$
  select case when met = reached + 1 then met else reached end
$$;
create or replace aggregate steps_reached(integer) (sfunc = next_step, stype = integer, initcond = '0');
