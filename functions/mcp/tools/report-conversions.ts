import { listFunnels } from '../../../lib/goals/funnel-definitions.ts';
import { reading } from '../agent-tool.ts';
import { ChoiceError } from '../choice-error.ts';
import { isId } from '../find-opened.ts';
import { namedIn, tellReport } from '../report-rows.ts';
import { analytics, breakDown, CONVERSIONS, EXACT, namedGoal } from '../site-answer.ts';
import {
  askedOf,
  filterFields,
  NameOrId,
  pagingFields,
  siteFields,
  siteUntrusted,
} from '../site-question.ts';

export const reportConversions = reading({
  name: 'report_conversions',
  title: 'Goals and funnels',
  description:
    'How many visits reached a goal, and where does a funnel lose them? Without `funnel`: all goals with rate and revenue, and the names of funnels.',
  scopes: analytics,
  entries: { funnel: NameOrId(), ...siteFields, ...filterFields, ...pagingFields },
  run: async (ctx, { funnel, limit, cursor, ...input }) => {
    const { site, fields, around } = await askedOf(ctx, input);
    const tool = 'report_conversions';
    const listed = listFunnels(ctx, { siteId: site.id });
    const describeGoals = async () => {
      const funnels = (await listed).map(({ id, name }) => ({ id, name }));
      return {
        dataOf: (goals: readonly unknown[]) => ({
          goals: goals.map(namedGoal),
          funnels: funnels.slice(0, 20),
        }),
        notes: [EXACT, CONVERSIONS],
        next: funnels.slice(0, 1).map(({ id }) => ({
          ...{ tool, arguments: { ...around, funnel: id }, why: 'Where does this funnel lose visits?' },
          scope: 'analytics:read' as const,
        })),
        untrusted: [
          ...['data.goals[].name', 'data.goals[].page', 'data.goals[].event', 'data.funnels[].name'],
          ...siteUntrusted,
        ],
      };
    };
    if (funnel === undefined)
      return tellReport(ctx, site, { tool, report: 'goals', fields, limit, cursor }, describeGoals());
    const named = async () => {
      const funnels = await listed;
      const found = namedIn(funnels, funnel);
      if (found !== undefined) return found;
      throw new ChoiceError(
        'NOT_FOUND',
        'The site has no such funnel. Use an `id` or `name` from `choices`.',
        { choices: funnels.map(({ id, name }) => ({ id, name })) },
      );
    };
    const funnelId = isId(funnel) ? funnel.toLowerCase() : (await named()).id;
    const steps = async () => {
      const { id, name } = await named();
      return {
        dataOf: (rows: readonly unknown[]) => ({ id, name, steps: rows }),
        notes: [CONVERSIONS],
        next: [breakDown({ ...around, by: 'exit_page' }, 'Where do visits end?')],
        untrusted: ['data.name', 'data.steps[].page', 'data.steps[].event', ...siteUntrusted],
      };
    };
    const asked = { tool, report: 'funnels', fields: { ...fields, funnelId }, limit, cursor };
    return tellReport(ctx, site, asked, steps());
  },
});
