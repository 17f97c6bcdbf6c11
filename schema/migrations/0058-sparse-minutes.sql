-- Minutes of watched sites without those that are 0: most rows have one or two of 60.
create function pack_amounts(amounts bigint[]) returns bigint[]
language sql immutable as $$
  select coalesce(array_agg(amount * 64 + n - 1 order by n), '{}')
  from unnest(amounts) with ordinality as item(amount, n)
  where amount <> 0
$$;
alter table site_minutes alter column amounts type bigint[] using pack_amounts(amounts);
alter table site_minutes rename column amounts to packed;
drop function pack_amounts(bigint[]);
delete from site_minutes where packed = '{}';
drop function if exists minutes_row(integer[], bigint[]);
comment on table site_minutes is
  'What happened on watched sites, by minute: a row an hour. Kept for 36 days. Counted by the fold from what it '
  'changes in visits, so that it depends on the set of events alone.';
comment on column site_minutes.packed is
  'Each minute that isn''t 0, in order: the amount times 64, plus the minute. Revenue in ten-thousandths of its '
  'currency.';
