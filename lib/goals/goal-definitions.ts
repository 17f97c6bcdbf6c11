/** Goals of a site. What each verb does, throws and costs is in definitions.ts. */
import type { AuditedContext } from '../audit.ts';
import type { ControlActor, ReportContext } from '../context.ts';
import type { OneSite } from '../sites/schemas.ts';
import { definitionsOf, type StoredDefinition } from './definitions.ts';
import type { ChangeGoal, CreateGoal, Goal, OneGoal } from './schemas.ts';
import { type StoredTarget, storeTarget, toTarget } from './target.ts';

type GoalRow = StoredDefinition & StoredTarget;

const goals = definitionsOf<Omit<CreateGoal, 'siteId'>, GoalRow>({
  what: 'goal',
  table: (sql) => sql`site_goals`,
  columns(sql, target) {
    const { kind = null, pattern = null } = storeTarget(target) ?? {};
    return [
      { column: sql`kind`, value: sql`${kind}::smallint` },
      { column: sql`pattern`, value: sql`${pattern}::text` },
    ];
  },
});

function toGoal(row: GoalRow): Goal {
  const { id, name, created_at: createdAt } = row;
  return { id, name, ...toTarget(row), createdAt: createdAt.toISOString() };
}

export const listGoals = async (ctx: ReportContext, { siteId }: OneSite): Promise<Goal[]> =>
  (await goals.list(ctx, siteId)).map(toGoal);

/** The goal's report covers all data ever collected. */
export const createGoal = async (
  ctx: AuditedContext<ControlActor>,
  { siteId, ...input }: CreateGoal,
): Promise<Goal> => toGoal(await goals.create(ctx, siteId, input));

/** A new target applies to old data too. */
export const changeGoal = async (
  ctx: AuditedContext<ControlActor>,
  { siteId, goalId, ...change }: ChangeGoal,
): Promise<Goal> => toGoal(await goals.change(ctx, siteId, goalId, change));

export const deleteGoal = (ctx: AuditedContext<ControlActor>, { siteId, goalId }: OneGoal): Promise<void> =>
  goals.delete(ctx, siteId, goalId);
