/** Goals and funnels at the boundary (docs/reports.md#goals-funnels-and-annotations). */
import * as v from 'valibot';
import { text } from '../collection/track-message.ts';
import { Id, Instant } from '../fields.ts';
import { ONE_TARGET, oneTarget, targetFields } from './target.ts';

/** Of each kind, a site. */
export const MAX_DEFINITIONS = 100;

const MIN_STEPS = 2;
const MAX_STEPS = 8;

const Name = v.pipe(
  text(100),
  v.description('Unlike those of the others of the site. White space around it is cut.'),
  v.trim(),
  v.minLength(1),
);

export const NewGoal = v.pipe(
  v.strictObject({ name: Name, ...targetFields }),
  v.description('Reached by a custom event (`event`) or a page view (`page`): either of them.'),
  v.check((input) => oneTarget(input), ONE_TARGET),
);
export type NewGoal = v.InferOutput<typeof NewGoal>;

export const GoalChange = v.pipe(
  v.strictObject({ name: v.optional(Name), ...targetFields }),
  v.description('At least one field; `event` or `page` takes the place of what was there.'),
  v.check(
    ({ name, event, page }) => oneTarget({ event, page }) || (name !== undefined && event === page),
    'must have `name`, `event` or `page`, and not both `event` and `page`',
  ),
);
export type GoalChange = v.InferOutput<typeof GoalChange>;

const target = { event: v.optional(v.string()), page: v.optional(v.string()) };

export const Goal = v.object({ id: Id, name: v.string(), ...target, createdAt: Instant });
export type Goal = v.InferOutput<typeof Goal>;

const Step = v.pipe(
  v.strictObject(targetFields),
  v.description('As a goal’s: `event` or `page`.'),
  v.check((input) => oneTarget(input), ONE_TARGET),
);
const Steps = v.pipe(v.array(Step), v.minLength(MIN_STEPS), v.maxLength(MAX_STEPS));

export const NewFunnel = v.strictObject({ name: Name, steps: Steps });
export type NewFunnel = v.InferOutput<typeof NewFunnel>;

export const FunnelChange = v.pipe(
  v.strictObject({ name: v.optional(Name), steps: v.optional(Steps) }),
  v.description('At least one field.'),
  v.check(
    ({ name, steps }) => name !== undefined || steps !== undefined,
    'must have at least one of `name` and `steps`',
  ),
);
export type FunnelChange = v.InferOutput<typeof FunnelChange>;

export const Funnel = v.object({
  id: Id,
  name: v.string(),
  steps: v.array(v.object(target)),
  createdAt: Instant,
});
export type Funnel = v.InferOutput<typeof Funnel>;
