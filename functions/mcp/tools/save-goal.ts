import * as v from 'valibot';
import { tooMany } from '../../../lib/goals/conflicts.ts';
import { changeGoal, createGoal, listGoals } from '../../../lib/goals/goal-definitions.ts';
import { CreateGoal, type Goal, MAX_DEFINITIONS } from '../../../lib/goals/schemas.ts';
import { check } from '../../../lib/http/issues.ts';
import { changing } from '../control-tool.ts';
import { readTarget, targetPath, writeTarget } from '../named-target.ts';
import { namedIn } from '../report-rows.ts';
import { OF_ALL_TIME, resealAfterwards } from '../reseal.ts';
import { describeUse } from '../target-use.ts';

const describeGoal = ({ id, name, ...target }: Goal) => ({ id, name, target: writeTarget(target) });

export const saveGoal = changing({
  name: 'save_goal',
  title: 'Save a goal',
  description: 'Makes a goal, or changes the target of this one: `page /docs/**` or `event signup`.',
  of: 'site',
  action: 'goal.change',
  entries: { name: v.pipe(v.string(), v.maxLength(200)), target: v.pipe(v.string(), v.maxLength(1100)) },
  plan: async (ctx, { id: siteId }, { name, target }) => {
    const asked = check(
      CreateGoal,
      { siteId, name, ...readTarget(target, 'target') },
      targetPath(['target']),
    );
    const done = async (saving: Promise<Goal>) => {
      const saved = await saving;
      resealAfterwards(ctx, siteId);
      return describeGoal(saved);
    };
    const [goals, { about, notes }] = await Promise.all([
      listGoals(ctx, { siteId }),
      describeUse(
        ctx,
        siteId,
        asked.page === undefined ? { event: asked.event ?? '' } : { page: asked.page },
      ),
    ]);
    const goal = namedIn(goals, asked.name);
    const after = { name: goal?.name ?? asked.name, target: writeTarget(asked) };
    if (goal === undefined) {
      if (goals.length >= MAX_DEFINITIONS) throw tooMany();
      return {
        ...{ before: null, after, about, notes: [OF_ALL_TIME, ...notes] },
        apply: () => done(createGoal(ctx, asked)),
      };
    }
    const { name: _, ...change } = asked;
    return {
      ...{
        before: describeGoal(goal),
        after: { id: goal.id, ...after },
        about,
        notes: [OF_ALL_TIME, ...notes],
      },
      apply:
        writeTarget(goal) === after.target
          ? null
          : () => done(changeGoal(ctx, { ...change, goalId: goal.id })),
    };
  },
});
