import * as v from 'valibot';
import { type FunnelInput, reportFunnel } from '../../../lib/analytics/behaviour/funnel.ts';
import { type GoalRevenueInput, reportGoalRevenue } from '../../../lib/analytics/lists/goal-revenue.ts';
import { AnyReport, FEWEST_FOR_RATES } from '../../../lib/analytics/reading/report-inputs.ts';
import { withSegment } from '../../../lib/analytics/segment-filters.ts';
import { listFunnels } from '../../../lib/goals/funnel-definitions.ts';
import { listGoals } from '../../../lib/goals/goal-definitions.ts';
import { Steps } from '../../../lib/goals/schemas.ts';
import { check, invalid } from '../../../lib/http/issues.ts';
import type { AgentContext } from '../agent-context.ts';
import { reading } from '../agent-tool.ts';
import { ChoiceError } from '../choice-error.ts';
import { type AskedSite, isId } from '../find-opened.ts';
import { readTarget, StepTexts, targetPath } from '../named-target.ts';
import { goalOverTime } from '../own-reports.ts';
import { namedIn, type OwnReport, tellReport } from '../report-rows.ts';
import {
  analytics,
  BY_VALUE,
  breakDown,
  CALENDAR_INTERVALS,
  CONVERSIONS,
  EXACT,
  havingOf,
  LISTS,
  namedGoal,
  tiersWith,
} from '../site-answer.ts';
import {
  askedOf,
  filterFields,
  NameOrId,
  pagingFields,
  siteFields,
  siteUntrusted,
} from '../site-question.ts';
import { limitOverTime } from '../tool-answer.ts';

/** What rows count, and what a filter by the same would count beside. */
function countedIn(by: string): string {
  const { arrives, lowestTier } = havingOf(by);
  const own = `Rows count visits of tier${lowestTier === 3 ? '' : 's 2 and'} 3 by their value, no conversions at tier 1 or of continued visits`;
  if (arrives)
    return `${own}. A conversion is credited to its own visit, not to earlier ones of the same person.`;
  return `${own}; a filter by \`${by}\` also counts ${lowestTier === 1 ? 'both' : 'those of continued visits'}.`;
}

/** Which conversions filters leave out because these have no value that could fit. */
function withoutValues(filters: Readonly<Record<string, unknown>>): string[] {
  const names = Object.keys(filters).filter(
    (name) => !OF_ALL.includes(name) && !String(filters[name]).startsWith('!'),
  );
  const arriving = names.filter((name) => name.startsWith('prop_') || havingOf(name).arrives);
  const higher = names.filter((name) => !arriving.includes(name) && havingOf(name).lowestTier > 1);
  const tiers = higher.some((name) => havingOf(name).lowestTier === 3) ? 'tiers 1 and 2' : 'tier 1';
  return [
    ...(arriving.length > 0
      ? [
          `Filters by ${quoted(arriving)} leave out conversions at tier 1 and of continued visits but those on a page view with the value: ${LESS}`,
        ]
      : []),
    ...(higher.length > 0 ? [`Filters by ${quoted(higher)} leave out conversions at ${tiers}: ${LESS}`] : []),
  ];
}

const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** Filters that conversions of no visit have values for, too. */
const OF_ALL = ['page', 'privacy_tier', 'goal'];
const LESS = '`visitors`, `events` and `revenue` may be less than really came of them.';

const CONTINUED = 'Steps also count visits continued after consent.';

const SORTS = { conversions: 'conversions', rate: 'conversionRate' } as const;

interface ConvertedRow {
  path?: string;
  value?: string;
  exactVisits: number;
  conversions: number;
  conversionRate: number | null;
}

/** What rows brought and by how many events, by currency, by the rows' names; empty where nothing did. */
type Revenue = ReadonlyMap<string, { revenue: object; paid: object }>;

/** The exact figures of a list's row; nothing of one that has no such visit. */
const convertedRow = (
  { path, value, exactVisits, conversions, conversionRate }: ConvertedRow,
  revenue: Revenue,
): object[] =>
  exactVisits === 0
    ? []
    : [
        {
          ...(path === undefined ? { value } : { path }),
          ...{ visits: exactVisits, conversions, conversionRate },
          ...(revenue.size > 0 && (revenue.get(path ?? value ?? '') ?? { revenue: {} })),
        },
      ];

async function revenueBy(
  ctx: AgentContext,
  fields: object,
  asked: { goalId: string; by: string },
): Promise<Revenue> {
  const { filters } = AnyReport.entries;
  const input = await withSegment(ctx, filters, check(AnyReport, fields));
  const rows = await reportGoalRevenue(ctx, { ...input, ...asked } as GoalRevenueInput);
  return new Map(
    rows.map(({ value, revenue }) => [
      value,
      {
        revenue: Object.fromEntries(revenue.map(({ currency, amount }) => [currency, amount])),
        paid: Object.fromEntries(revenue.map(({ currency, events }) => [currency, events])),
      },
    ]),
  );
}

export const reportConversions = reading({
  name: 'report_conversions',
  title: 'Goals and funnels',
  description:
    'How many visits reached a goal, where does a funnel lose them? All goals with rate and revenue; a `goal` by campaign, source, page or time; a `funnel`, or any `steps`: `page /pricing`, `event signup`.',
  scopes: analytics,
  entries: {
    funnel: NameOrId(),
    steps: v.optional(StepTexts),
    goal: NameOrId(),
    by: v.optional(v.picklist([...BY_VALUE, ...CALENDAR_INTERVALS])),
    sort: v.optional(v.picklist(['conversions', 'rate']), 'conversions'),
    ...siteFields,
    ...filterFields,
    ...pagingFields,
  },
  leavesOut: ['period', 'by'],
  run: async (ctx, { funnel, steps: texts, goal, by, sort, limit, cursor, ...input }) => {
    const { site, fields, around } = await askedOf(ctx, input);
    const tool = 'report_conversions';
    if (funnel !== undefined && (by !== undefined || goal !== undefined))
      throw invalid([{ path: 'funnel', message: 'must not come with `goal` or `by`: use `filters`' }]);
    if (texts !== undefined && (funnel ?? goal ?? by) !== undefined)
      throw invalid([{ path: 'steps', message: 'must not come with `funnel`, `goal` or `by`' }]);
    if (texts !== undefined)
      return tellReport(
        ctx,
        site,
        { tool, report: JSON.stringify(texts), own: funnelOf(texts), fields, limit, cursor },
        {
          dataOf: (steps) => ({ steps }),
          notes: [CONTINUED, CONVERSIONS],
          next: [breakDown({ ...around, by: 'exit_page' }, 'Where do visits end?')],
          untrusted: ['data.steps[].page', 'data.steps[].event', ...siteUntrusted],
        },
      );
    const found = goal === undefined && by === undefined ? undefined : await findGoal(ctx, site, goal);
    const list = by === undefined ? undefined : LISTS[by];
    if (by !== undefined && list !== undefined && found !== undefined) {
      const earned = revenueBy(ctx, fields, { goalId: found.id, by });
      const words = async () => {
        const revenue = await earned;
        return {
          dataOf: (rows: readonly unknown[]) => ({
            goal: found.name,
            by,
            rows: (rows as ConvertedRow[]).flatMap((row) => convertedRow(row, revenue)),
          }),
          notes: [
            countedIn(by),
            revenue.size > 0 && PAID,
            sort === 'rate' && `Only values of at least ${FEWEST_FOR_RATES} visits.`,
            CONVERSIONS,
          ],
          next: [breakDown({ ...around, by }, 'All visits by the same.')],
          untrusted: ['data.goal', `data.rows[].${list.label}`, ...siteUntrusted],
        };
      };
      return tellReport(
        ctx,
        site,
        {
          ...{ tool, report: list.name, limit, cursor },
          fields: { ...fields, ...list.fields, goal: found.id, sort: SORTS[sort] },
          tiers: tiersWith(by) ?? [2, 3],
        },
        words(),
      );
    }
    if (by !== undefined && found !== undefined) {
      refuseForRates(fields.filters ?? {});
      return tellReport(
        ctx,
        site,
        {
          ...{ tool, report: `${by}s of ${found.id}`, own: goalOverTime(found.id), cursor },
          ...{ fields: { ...fields, interval: by }, limit: limitOverTime(limit) },
        },
        {
          dataOf: (rows) => ({ goal: found.name, by, rows }),
          notes: [BEGUN, CONVERSIONS],
          next: [breakDown({ ...around, by }, 'All visits over time, of all tiers.')],
          untrusted: ['data.goal', ...siteUntrusted],
        },
      );
    }
    const listed = listFunnels(ctx, { siteId: site.id });
    const describeGoals = async () => {
      const funnels = (await listed).map(({ id, name }) => ({ id, name }));
      return {
        dataOf: (goals: readonly unknown[]) => ({
          goals: (goals as { id: string }[])
            .filter(({ id }) => found === undefined || id === found.id)
            .map(namedGoal(fields.filters)),
          funnels: funnels.slice(0, 20),
        }),
        notes: [...withoutValues(fields.filters ?? {}), EXACT, CONVERSIONS],
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
        notes: [CONTINUED, CONVERSIONS],
        next: [breakDown({ ...around, by: 'exit_page' }, 'Where do visits end?')],
        untrusted: ['data.name', 'data.steps[].page', 'data.steps[].event', ...siteUntrusted],
      };
    };
    const asked = { tool, report: 'funnels', fields: { ...fields, funnelId }, limit, cursor };
    return tellReport(ctx, site, asked, steps());
  },
});

const PAID = '`paid`: how many events brought the `revenue` in a currency: divide for the value of one.';

const BEGUN =
  'Rows count visits of tiers 2 and 3 by when they began. Times without such visits are left out.';

/** Throws `VALIDATION_ERROR` for filters that leave no rate. */
function refuseForRates({ goal, privacy_tier: tier }: Readonly<Record<string, unknown>>): void {
  if (goal !== undefined)
    throw invalid([{ path: 'filters.goal', message: 'must not come with `goal` and a time in `by`' }]);
  if (tier === 1)
    throw invalid([
      {
        path: 'filters.privacy_tier',
        message: 'must be tier 2 or 3: conversions of tier 1 belong to no visit',
      },
    ]);
}

/** The report of a funnel that isn't saved. Throws `VALIDATION_ERROR` with the path of a step. */
function funnelOf(texts: readonly string[]): OwnReport {
  const targets = texts.map((text, index) => readTarget(text, `steps.${index}`));
  const { steps } = check(v.object({ steps: Steps }), { steps: targets }, targetPath());
  return {
    input: AnyReport,
    isList: false,
    read: async (ctx, input: object) => {
      const { filters } = AnyReport.entries;
      const asked = { ...(await withSegment(ctx, filters, input as { siteId: string })), steps };
      const { data, meta } = await reportFunnel(ctx, asked as FunnelInput);
      return { data: data.steps, meta, more: false };
    },
  };
}

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
