/** What goals and funnels of a site have in common: members create, change and delete them. Each verb is one statement and uses primary keys. */

import { memberSite, requireWritten } from '../access.ts';
import { type AuditedContext, insertSiteAudit } from '../audit.ts';
import type { ControlActor, ReportContext } from '../context.ts';
import { commaSeparated, type Fragment, reach, type Sql } from '../db.ts';
import { notFound } from '../errors.ts';
import { listed } from '../listed.ts';
import { inTurn, turnOfSite } from '../turns.ts';
import { refuseTakenName, tooMany } from './conflicts.ts';
import { MAX_DEFINITIONS } from './schemas.ts';

export interface StoredDefinition {
  id: string;
  name: string;
  created_at: Date;
}

/** What isn't given stays as it is. */
type Change<Input> = { [Key in keyof Input]?: Input[Key] | undefined };

interface Kind<Input> {
  what: 'goal' | 'funnel';
  table(sql: Sql): Fragment;
  /** The columns beside `name` that a definition has, and what `input` stores in each: null, if it doesn't say. */
  columns(sql: Sql, input: Change<Input>): readonly { column: Fragment; value: Fragment }[];
}

type Changing = AuditedContext<ControlActor>;

/** The verbs of goals, or of funnels. Each throws `NOT_FOUND` for a site that the caller may not see. */
export function definitionsOf<Input extends { name: string }, Row extends StoredDefinition>({
  what,
  table,
  columns,
}: Kind<Input>) {
  const storedOf = (sql: Sql, input: Change<Input>) => [
    { column: sql`name`, value: sql`${input.name ?? null}::text` },
    ...columns(sql, input),
  ];
  const written = (ctx: Changing, action: 'create' | 'change' | 'delete', statement: Fragment): Fragment =>
    ctx.sql`${statement}, audited as (${insertSiteAudit(ctx, `${what}.${action}`, ctx.sql`written`)})
      select target.role, written.* from target left join written on true`;

  return {
    /** Oldest first, at most `MAX_DEFINITIONS`. */
    async list(ctx: ReportContext, siteId: string): Promise<Row[]> {
      const rows = await reach(ctx.sql`
        select stored.* from (${memberSite(ctx, siteId)}) target
        left join ${table(ctx.sql)} stored on stored.site_id = target.id
        order by stored.created_at, stored.id
      `);
      return listed<Row>(rows, 'site');
    },

    /** Throws `FORBIDDEN` for viewers, `CONFLICT` if another one has the name or the site has the maximum number. */
    async create(ctx: Changing, siteId: string, input: Input): Promise<Row> {
      const { sql } = ctx;
      const stored = storedOf(sql, input);
      const names = stored.map(({ column }) => column);
      const values = stored.map(({ value }) => value);
      const statement = written(
        ctx,
        'create',
        sql`
          with target as (${memberSite(ctx, siteId)}), written as (
            insert into ${table(sql)} (site_id, ${commaSeparated(sql, names)})
            select target.id, ${commaSeparated(sql, values)}
            from target
            where target.role in ('owner', 'admin')
              and (select count(*) from ${table(sql)} where site_id = target.id) < ${MAX_DEFINITIONS}
            returning *
          )`,
      );
      const rows = await refuseTakenName(inTurn(sql, [turnOfSite(sql, siteId)], statement));
      return requireWritten<Row>(rows, { what: 'site', refused: tooMany });
    },

    /** Throws `NOT_FOUND`, `FORBIDDEN` for viewers, `CONFLICT` if another one has the name. */
    async change(ctx: Changing, siteId: string, id: string, input: Change<Input>): Promise<Row> {
      const { sql } = ctx;
      const changes = storedOf(sql, input).map(
        ({ column, value }) => sql`${column} = coalesce(${value}, ${column})`,
      );
      const statement = written(
        ctx,
        'change',
        sql`
          with target as (${memberSite(ctx, siteId)}), written as (
            update ${table(sql)} stored set ${commaSeparated(sql, changes)}
            from target
            where stored.site_id = target.id and stored.id = ${id} and target.role in ('owner', 'admin')
            returning stored.*
          )`,
      );
      const rows = await refuseTakenName(reach(statement));
      return requireWritten<Row>(rows, { what: 'site', refused: () => notFound(what) });
    },

    /** Deletes no collected data. Throws `NOT_FOUND`, or `FORBIDDEN` for viewers. */
    async delete(ctx: Changing, siteId: string, id: string): Promise<void> {
      const { sql } = ctx;
      const statement = written(
        ctx,
        'delete',
        sql`
          with target as (${memberSite(ctx, siteId)}), written as (
            delete from ${table(sql)} stored using target
            where stored.site_id = target.id and stored.id = ${id} and target.role in ('owner', 'admin')
            returning stored.id, stored.name
          )`,
      );
      requireWritten(await reach(statement), { what: 'site', refused: () => notFound(what) });
    },
  };
}
