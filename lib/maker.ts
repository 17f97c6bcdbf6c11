/** Who made what stays in a project after its maker goes: shares and ingest keys. */
import * as v from 'valibot';
import type { Fragment, Sql } from './db.ts';
import { Id } from './fields.ts';

export const Maker = v.pipe(
  v.nullable(v.object({ userId: Id, name: v.string(), isMember: v.boolean() })),
  v.description(
    'Who made it. `isMember`: the person is a member of the project now. Null: the account is deleted, or it was made before 0.3.0.',
  ),
);
export type Maker = v.InferOutput<typeof Maker>;

/** Part of other statements: the `Maker` with this id, of something in this project. Uses primary keys. */
export const makerOf = (
  sql: Sql,
  { userId, projectId }: { userId: Fragment; projectId: Fragment },
): Fragment => sql`(
  select jsonb_build_object('userId', users.id, 'name', users.name, 'isMember', exists (
    select from project_members member where member.user_id = users.id and member.project_id = ${projectId}))
  from users where users.id = ${userId})`;
