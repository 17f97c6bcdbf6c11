/** What tools about websites share: dimensions, calls that help, and sentences. */
import * as v from 'valibot';
import type { GoalItem } from '../../lib/analytics/answers/goal-schemas.ts';
import { CAMPAIGN_PARAMETERS } from '../../lib/analytics/reading/report-inputs.ts';
import { VALUE_LISTS } from '../../lib/visits/dimensions.ts';
import type { NextCall } from './tool-answer.ts';

/** Dimensions by which visits break down: the report of each. */
export const LISTS: Readonly<Record<string, { name: string; fields?: object; label: 'value' | 'path' }>> = {
  page: { name: 'pages', label: 'path' },
  entry_page: { name: 'entry-pages', label: 'path' },
  exit_page: { name: 'exit-pages', label: 'path' },
  ...Object.fromEntries(
    VALUE_LISTS.map(({ dimension, path }) => [dimension, { name: path, label: 'value' }]),
  ),
  ...Object.fromEntries(
    CAMPAIGN_PARAMETERS.map((by) => [`utm_${by}`, { name: 'utm', fields: { by }, label: 'value' }]),
  ),
};
export const CALENDAR_INTERVALS = ['hour', 'day', 'week', 'month'] as const;
export const BY_VALUE = Object.keys(LISTS) as [string, ...string[]];

export const analytics = ['analytics:read'] as const;

export const text = (maxLength: number) =>
  v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(maxLength)));

/** A report for the batch of a comparison, where each campaign parameter has a name of its own. */
export const batchedList = (by: string): { name: string; label: 'value' | 'path' } => {
  const { name, label } = LISTS[by] as (typeof LISTS)[string];
  return { name: name === 'utm' ? by : name, label };
};

export const breakDown = (args: Record<string, unknown>, why: string): NextCall => ({
  tool: 'break_down_visits',
  arguments: args,
  why,
  scope: 'analytics:read',
});

export const summary = (args: Record<string, unknown>, why: string): NextCall => ({
  tool: 'summarize_site',
  arguments: args,
  why,
  scope: 'analytics:read',
});

/** A goal without its id, since tools name goals by their names: first its visits, then what can't be tied to one. */
export const namedGoal = (goal: unknown): object => {
  const {
    id: _,
    exact,
    apart,
    conversions,
    conversionRate,
    events,
    visitors,
    revenue,
    ...named
  } = goal as GoalItem;
  const others = Object.entries(apart ?? {}).filter(([, count]) => count > 0);
  return {
    ...named,
    exact,
    ...(others.length > 0 && {
      apart: Object.fromEntries(others),
      allTiers: { conversions, conversionRate },
    }),
    ...{ events, visitors, revenue },
  };
};

export const EXACT =
  'Tell the rate of `exact`: visits of tiers 2 and 3. `apart` are conversions of no single visit; `allTiers` counts both, approximately.';

export const CONVERSIONS =
  'Goals happen in browsers and confirm no purchase: only outcomes of the backend do.';
