-- Runs in pieces.
-- Who had an account before addresses were confirmed counts as confirmed: nobody is locked out.
with piece as (
  select id
  from users
  where id > coalesce($1, '00000000-0000-0000-0000-000000000000')::uuid
  order by id
  limit 1000
),
confirmed as (
  update users
  set email_verified = true
  from piece
  where users.id = piece.id and not users.email_verified
)
select (array_agg(id order by id desc))[1]::text as next
from piece;
