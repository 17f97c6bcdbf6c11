import { expect, test } from 'vitest';
import { readFunctions } from '../../scripts/schema/read-functions.ts';
import { renderSchema } from '../../scripts/schema/render-schema.ts';

test('a function is its comment and its head, whatever stands between them', () => {
  const sql = `-- The subject of the file.

-- Adds one.
drop function if exists add_one(text);
create or replace function add_one(
  n integer
) returns integer
language sql as $$
  -- Within its body.
  select n + 1
$$;
create or replace function two() returns integer
language sql as 'select 2';
`;
  expect(readFunctions('schema/functions/sums.sql', sql)).toEqual({
    file: 'schema/functions/sums.sql',
    functions: [
      { comment: ['-- Adds one.'], head: 'add_one(\n  n integer\n) returns integer' },
      { comment: [], head: 'two() returns integer' },
    ],
  });
});

test('a table is written as schema/ would write it', () => {
  const table = {
    name: 'hits',
    comment: 'One row a hit.',
    columns: [
      { name: 'at', definition: 'timestamp with time zone not null', comment: null },
      { name: 'kind', definition: "text default 'PAGE'::text not null", comment: 'What it is.' },
    ],
    constraints: ["CHECK (kind = ANY (ARRAY['PAGE'::text, 'It''s'::text]))", 'PRIMARY KEY (at)'],
    partitionedBy: 'RANGE (at)',
    indexes: ['CREATE INDEX hits_kind ON ONLY public.hits USING btree (kind) WHERE (at IS NOT NULL)'],
  };
  expect(renderSchema([table], [])).toContain(`-- One row a hit.
create table hits (
  at timestamptz not null,
  -- What it is.
  kind text default 'PAGE' not null,
  check (kind = any (array['PAGE', 'It''s'])),
  primary key (at)
) partition by range (at);
create index hits_kind on hits (kind) where (at is not null);`);
});
