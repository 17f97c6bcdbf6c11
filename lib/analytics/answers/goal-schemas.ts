/** Schemas of the reports on goals and funnels (docs/reports.md#goals-funnels-and-annotations). */
import * as v from 'valibot';
import { Count, described } from '../../fields.ts';
import { ReportMeta, withPrevious } from './schemas.ts';

const Percent = v.pipe(v.number(), v.minValue(0), v.maxValue(100));
const target = { event: v.optional(v.string()), page: v.optional(v.string()) };

/** `meta` of reports whose rates can't always be exact (docs/counting.md#goals). */
export const ReachMeta = v.object({
  ...ReportMeta.entries,
  approximate: v.pipe(
    v.array(v.picklist(['anonymousCounts', 'continuations', 'serverEvents'])),
    v.description(
      'Why shares may be approximate; empty: they are exact. `anonymousCounts`: visits at tier 1 are counted by page, so one ' +
        'person may convert on each. `continuations`: visitors consented in the middle of a visit, whose halves can’t be linked ' +
        'to one visit. `serverEvents`: some that a server sent belong to no visit.',
    ),
  ),
});
export type ReachMeta = v.InferOutput<typeof ReachMeta>;

export interface ReachReport<Data> {
  data: Data;
  meta: ReachMeta;
}

const goalFigures = {
  exact: v.pipe(
    v.nullable(
      v.object({
        conversions: described(Count, 'Counted visits that reached it.'),
        visits: described(Count, 'All counted visits of these tiers.'),
        conversionRate: v.pipe(
          v.nullable(Percent),
          v.description('`conversions` in percent of `visits`, one decimal. Null: no visit.'),
        ),
      }),
    ),
    v.description(
      'Of tiers 2 and 3, where page views and events belong to visits. Null in a share’s answer to filters.',
    ),
  ),
  apart: v.pipe(
    v.nullable(
      v.object({
        anonymousCounts: described(Count, 'At tier 1.'),
        continuations: described(Count, 'After consent in the middle of a visit, which was counted before.'),
        serverEvents: described(Count, 'Sent by a server, outside of any visit.'),
      }),
    ),
    v.description(
      'Conversions that can’t be tied to a counted visit. With those of `exact` they are `conversions`. Null as `exact`.',
    ),
  ),
  conversions: described(
    Count,
    'Visits that reached it; at tier 1 page views that did, and events, once a page view.',
  ),
  conversionRate: described(Percent, 'Percent of the visits, one decimal, 100 at most.'),
  events: described(Count, 'How often it was reached.'),
  visitors: described(Count, 'Who of the site’s visitors reached it. Tiers 2 and 3 only.'),
  revenue: v.pipe(
    v.array(
      v.object({
        currency: v.string(),
        amount: v.pipe(v.string(), v.description('Exact sum, as a decimal number.')),
      }),
    ),
    v.description('What its events brought, by currency.'),
  ),
};

export const GoalItem = withPrevious(
  { id: v.pipe(v.string(), v.uuid()), name: v.string(), ...target, ...goalFigures },
  goalFigures,
);
export type GoalItem = v.InferOutput<typeof GoalItem>;

export const FunnelReport = v.object({
  id: v.pipe(v.string(), v.uuid()),
  name: v.string(),
  steps: v.array(
    v.object({
      ...target,
      visits: described(Count, 'Visits that took this step and all before it.'),
      share: described(Percent, 'Percent of those that took the first step, one decimal.'),
      dropOff: described(
        Percent,
        'Percent of those that took the step before and not this one, one decimal.',
      ),
    }),
  ),
});
export type FunnelReport = v.InferOutput<typeof FunnelReport>;
