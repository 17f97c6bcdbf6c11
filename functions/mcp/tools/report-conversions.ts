import * as v from 'valibot';
import { FEWEST_FOR_RATES } from '../../../lib/analytics/reading/report-inputs.ts';
import { listFunnels } from '../../../lib/goals/funnel-definitions.ts';
import { listGoals } from '../../../lib/goals/goal-definitions.ts';
import { invalid } from '../../../lib/http/issues.ts';
import type { AgentContext } from '../agent-context.ts';
import { reading } from '../agent-tool.ts';
import { ChoiceError } from '../choice-error.ts';
import { type AskedSite, isId } from '../find-opened.ts';
import { namedIn, tellReport } from '../report-rows.ts';
import { analytics, BY_VALUE, breakDown, CONVERSIONS, EXACT, LISTS, namedGoal } from '../site-answer.ts';
import {
  askedOf,
  filterFields,
  NameOrId,
  pagingFields,
  siteFields,
  siteUntrusted,
} from '../site-question.ts';

const EXACT_BY =
  'Rates are exact: of visits of tiers 2 and 3. Visits at tier 1 are counted by page, so their conversions belong to no value.';

const SORTS = { conversions: 'conversions', rate: 'conversionRate' } as const;

interface ConvertedRow {
  path?: string;
  value?: string;
  exactVisits: number;
  conversions: number;
  conversionRate: number | null;
}

/** The exact figures of a list's row; nothing of one that has no such visit. */
const convertedRow = ({ path, value, exactVisits, conversions, conversionRate }: ConvertedRow): object[] =>
  exactVisits === 0
    ? []
    : [{ ...(path === undefined ? { value } : { path }), visits: exactVisits, conversions, conversionRate }];

export const reportConversions = reading({
  name: 'report_conversions',
  title: 'Goals and funnels',
  description:
    'How many visits reached a goal, where does a funnel lose them? All goals with rate and revenue; the steps of `funnel`; or a `goal` by campaign, source, page.',
  scopes: analytics,
  entries: {
    funnel: NameOrId(),
    goal: NameOrId(),
    by: v.optional(v.picklist(BY_VALUE)),
    sort: v.optional(v.picklist(['conversions', 'rate']), 'conversions'),
    ...siteFields,
    ...filterFields,
    ...pagingFields,
  },
  leavesOut: ['period', 'by'],
  run: async (ctx, { funnel, goal, by, sort, limit, cursor, ...input }) => {
    const { site, fields, around } = await askedOf(ctx, input);
    const tool = 'report_conversions';
    if (funnel !== undefined && (by !== undefined || goal !== undefined))
      throw invalid([{ path: 'funnel', message: 'must not come with `goal` or `by`' }]);
    const found = goal === undefined && by === undefined ? undefined : await findGoal(ctx, site, goal);
    const list = by === undefined ? undefined : LISTS[by];
    if (list !== undefined && found !== undefined)
      return tellReport(
        ctx,
        site,
        {
          ...{ tool, report: list.name, limit, cursor },
          fields: { ...fields, ...list.fields, goal: found.id, sort: SORTS[sort] },
        },
        {
          dataOf: (rows) => ({ goal: found.name, by, rows: (rows as ConvertedRow[]).flatMap(convertedRow) }),
          notes: [
            EXACT_BY,
            sort === 'rate' && `Only values of at least ${FEWEST_FOR_RATES} visits.`,
            CONVERSIONS,
          ],
          next: [breakDown({ ...around, by }, 'All visits by the same.')],
          untrusted: ['data.goal', `data.rows[].${list.label}`, ...siteUntrusted],
        },
      );
    const listed = listFunnels(ctx, { siteId: site.id });
    const describeGoals = async () => {
      const funnels = (await listed).map(({ id, name }) => ({ id, name }));
      return {
        dataOf: (goals: readonly unknown[]) => ({
          goals: (goals as { id: string }[])
            .filter(({ id }) => found === undefined || id === found.id)
            .map(namedGoal),
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

/** The goal of this name; without a name the only one of the site. Throws `NOT_FOUND` and `VALIDATION_ERROR` with those that there are. */
async function findGoal(ctx: AgentContext, { id: siteId }: AskedSite, named: string | undefined) {
  const goals = await listGoals(ctx, { siteId });
  const found = named === undefined && goals.length === 1 ? goals[0] : namedIn(goals, named ?? '');
  if (found !== undefined) return found;
  const choices = goals.map(({ id, name }) => ({ id, name }));
  if (named !== undefined)
    throw new ChoiceError('NOT_FOUND', 'The site has no such goal. Use a `name` from `choices`.', {
      choices,
    });
  throw new ChoiceError('VALIDATION_ERROR', 'Name the `goal`: `choices` are those of the site.', {
    choices,
    details: [{ path: 'goal', message: 'is required with `by`' }],
  });
}
