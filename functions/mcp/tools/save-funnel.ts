import * as v from 'valibot';
import { tooMany } from '../../../lib/goals/conflicts.ts';
import { changeFunnel, createFunnel, listFunnels } from '../../../lib/goals/funnel-definitions.ts';
import { CreateFunnel, type Funnel, MAX_DEFINITIONS } from '../../../lib/goals/schemas.ts';
import { check } from '../../../lib/http/issues.ts';
import { changing } from '../control-tool.ts';
import { readTarget, StepTexts, targetPath, writeTarget } from '../named-target.ts';
import { namedIn } from '../report-rows.ts';
import { OF_ALL_TIME, resealAfterwards } from '../reseal.ts';

const describeFunnel = ({ id, name, steps }: Funnel) => ({ id, name, steps: steps.map(writeTarget) });

export const saveFunnel = changing({
  name: 'save_funnel',
  title: 'Save a funnel',
  description:
    'Makes a funnel, or replaces the steps of this one: 2 to 8. `report_conversions` counts steps without saving.',
  of: 'site',
  action: 'funnel.change',
  entries: {
    name: v.pipe(v.string(), v.maxLength(200)),
    steps: StepTexts,
  },
  plan: async (ctx, { id: siteId }, { name, steps }) => {
    const targets = steps.map((step, index) => readTarget(step, `steps.${index}`));
    const asked = check(CreateFunnel, { siteId, name, steps: targets }, targetPath());
    const done = async (saving: Promise<Funnel>) => {
      const saved = await saving;
      resealAfterwards(ctx, siteId);
      return describeFunnel(saved);
    };
    const funnels = await listFunnels(ctx, { siteId });
    const funnel = namedIn(funnels, asked.name);
    const after = { name: funnel?.name ?? asked.name, steps: asked.steps.map(writeTarget) };
    if (funnel === undefined) {
      if (funnels.length >= MAX_DEFINITIONS) throw tooMany();
      return {
        ...{ before: null, after, notes: [OF_ALL_TIME] },
        apply: () => done(createFunnel(ctx, asked)),
      };
    }
    const before = describeFunnel(funnel);
    return {
      ...{ before, after: { id: funnel.id, ...after }, notes: [OF_ALL_TIME] },
      apply:
        JSON.stringify(before.steps) === JSON.stringify(after.steps)
          ? null
          : () => done(changeFunnel(ctx, { siteId, funnelId: funnel.id, steps: asked.steps })),
    };
  },
});
