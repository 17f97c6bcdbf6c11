import * as v from 'valibot';
import { deleteAnnotation, listAnnotations } from '../../../lib/annotations/annotations.ts';
import type { AuditedAction } from '../../../lib/audit.ts';
import { deleteFunnel, listFunnels } from '../../../lib/goals/funnel-definitions.ts';
import { deleteGoal, listGoals } from '../../../lib/goals/goal-definitions.ts';
import type { ControlContext } from '../audited-call.ts';
import { ChoiceError } from '../choice-error.ts';
import { changing } from '../control-tool.ts';
import { writeTarget } from '../named-target.ts';
import { namedIn } from '../report-rows.ts';

/** All days that annotations can have. A site has at most 100 annotations. */
const EVER = { from: '1970-01-01', to: '2199-12-31' };

interface Kind {
  action: AuditedAction;
  /** `name` is what agents may call the definition by, beside its id. */
  list(ctx: ControlContext, siteId: string): Promise<{ id: string; name: string }[]>;
  remove(ctx: ControlContext, siteId: string, id: string): Promise<void>;
}

const KINDS = {
  goal: {
    action: 'goal.delete',
    list: async (ctx, siteId) =>
      (await listGoals(ctx, { siteId })).map(({ id, name, ...target }) => ({
        ...{ id, name, target: writeTarget(target) },
      })),
    remove: (ctx, siteId, goalId) => deleteGoal(ctx, { siteId, goalId }),
  },
  funnel: {
    action: 'funnel.delete',
    list: async (ctx, siteId) =>
      (await listFunnels(ctx, { siteId })).map(({ id, name, steps }) => ({
        ...{ id, name, steps: steps.map(writeTarget) },
      })),
    remove: (ctx, siteId, funnelId) => deleteFunnel(ctx, { siteId, funnelId }),
  },
  annotation: {
    action: 'annotation.delete',
    list: async (ctx, siteId) =>
      (await listAnnotations(ctx, { siteId, range: EVER })).map(({ id, date, text }) => ({
        ...{ id, name: text, date },
      })),
    remove: (ctx, siteId, annotationId) => deleteAnnotation(ctx, { siteId, annotationId }),
  },
} as const satisfies Record<string, Kind>;

const isKind = (kind: unknown): kind is keyof typeof KINDS =>
  typeof kind === 'string' && Object.hasOwn(KINDS, kind);

export const removeDefinition = changing({
  name: 'remove_definition',
  title: 'Remove a definition',
  description: 'Deletes a definition by its name or text. Collected data stays.',
  of: 'site',
  action: ({ kind }) => (isKind(kind) ? KINDS[kind].action : 'definition.delete'),
  entries: {
    kind: v.picklist(['goal', 'funnel', 'annotation']),
    name: v.pipe(v.string(), v.minLength(1), v.maxLength(500)),
  },
  plan: async (ctx, { id: siteId }, { kind, name }) => {
    const { list, remove }: Kind = KINDS[kind];
    const definitions = await list(ctx, siteId);
    const found = namedIn(definitions, name.trim());
    if (found === undefined)
      throw new ChoiceError(
        'NOT_FOUND',
        `The site has no such ${kind}, or several of this name. Use an \`id\` from \`choices\`.`,
        { choices: definitions },
      );
    return {
      before: found,
      after: null,
      apply: async () => {
        await remove(ctx, siteId, found.id);
        return null;
      },
    };
  },
});
