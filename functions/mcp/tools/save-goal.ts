import * as v from 'valibot';
import { tooMany } from '../../../lib/goals/conflicts.ts';
import { changeGoal, createGoal, listGoals } from '../../../lib/goals/goal-definitions.ts';
import { CreateGoal, type Goal, MAX_DEFINITIONS } from '../../../lib/goals/schemas.ts';
import { check } from '../../../lib/http/issues.ts';
import { changing } from '../control-tool.ts';
import { readTarget, targetPath, writeTarget } from '../named-target.ts';
import { namedIn } from '../report-rows.ts';
import { OF_ALL_TIME, resealAfterwards } from '../reseal.ts';

const describeGoal = ({ id, name, ...target }: Goal) => ({ id, name, target: writeTarget(target) });

export const saveGoal = changing({
  name: 'save_goal',
  title: 'Save a goal',
  description:
    'Makes a goal, or changes the target of this one: `page /thanks`, `page /docs/**` or `event signup`.',
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
    const goals = await listGoals(ctx, { siteId });
    const goal = namedIn(goals, asked.name);
    const after = { name: goal?.name ?? asked.name, target: writeTarget(asked) };
    if (goal === undefined) {
      if (goals.length >= MAX_DEFINITIONS) throw tooMany();
      return {
        ...{ before: null, after, notes: [OF_ALL_TIME] },
        apply: () => done(createGoal(ctx, asked)),
      };
    }
    const { name: _, ...change } = asked;
    return {
      ...{ before: describeGoal(goal), after: { id: goal.id, ...after }, notes: [OF_ALL_TIME] },
      apply:
        writeTarget(goal) === after.target
          ? null
          : () => done(changeGoal(ctx, { ...change, goalId: goal.id })),
    };
  },
});
