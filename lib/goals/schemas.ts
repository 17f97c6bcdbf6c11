/** Schemas of goals and funnels (docs/reports.md#goals-funnels-and-annotations). */
import * as v from 'valibot';
import { text } from '../collection/track-message.ts';
import { Id, Instant } from '../fields.ts';
import { ONE_TARGET, oneTarget, targetFields } from './target.ts';

/** Maximum goals per site, and maximum funnels per site. */
export const MAX_DEFINITIONS = 100;

const MIN_STEPS = 2;
const MAX_STEPS = 8;

const Name = v.pipe(
  text(100),
  v.description('Unique within the site. White space around it is removed.'),
  v.trim(),
  v.minLength(1),
);

export const CreateGoal = v.pipe(
  v.strictObject({ siteId: Id, name: Name, ...targetFields }),
  v.description('Either `event` or `page`: a visit reaches the goal by a custom event or a page view.'),
  v.check((input) => oneTarget(input), ONE_TARGET),
);
export type CreateGoal = v.InferOutput<typeof CreateGoal>;

export const ChangeGoal = v.pipe(
  v.strictObject({ siteId: Id, goalId: Id, name: v.optional(Name), ...targetFields }),
  v.description('At least one field; a new `event` or `page` replaces the old target.'),
  v.check(
    ({ name, event, page }) => oneTarget({ event, page }) || (name !== undefined && event === page),
    'must have `name`, `event` or `page`, and not both `event` and `page`',
  ),
);
export type ChangeGoal = v.InferOutput<typeof ChangeGoal>;

export const OneGoal = v.strictObject({ siteId: Id, goalId: Id });
export type OneGoal = v.InferOutput<typeof OneGoal>;

const target = { event: v.optional(v.string()), page: v.optional(v.string()) };

export const Goal = v.object({ id: Id, name: v.string(), ...target, createdAt: Instant });
export type Goal = v.InferOutput<typeof Goal>;

const Step = v.pipe(
  v.strictObject(targetFields),
  v.description('Either `event` or `page`, as in a goal.'),
  v.check((input) => oneTarget(input), ONE_TARGET),
);
export const Steps = v.pipe(v.array(Step), v.minLength(MIN_STEPS), v.maxLength(MAX_STEPS));

export const CreateFunnel = v.strictObject({ siteId: Id, name: Name, steps: Steps });
export type CreateFunnel = v.InferOutput<typeof CreateFunnel>;

export const ChangeFunnel = v.pipe(
  v.strictObject({ siteId: Id, funnelId: Id, name: v.optional(Name), steps: v.optional(Steps) }),
  v.description('At least one field.'),
  v.check(
    ({ name, steps }) => name !== undefined || steps !== undefined,
    'must have at least one of `name` and `steps`',
  ),
);
export type ChangeFunnel = v.InferOutput<typeof ChangeFunnel>;

export const OneFunnel = v.strictObject({ siteId: Id, funnelId: Id });
export type OneFunnel = v.InferOutput<typeof OneFunnel>;

export const Funnel = v.object({
  id: Id,
  name: v.string(),
  steps: v.array(v.object(target)),
  createdAt: Instant,
});
export type Funnel = v.InferOutput<typeof Funnel>;
