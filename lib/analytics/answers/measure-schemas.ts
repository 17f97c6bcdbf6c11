/** Schemas of the reports on engagement and vitals (docs/counting.md#attention-and-vitals). */
import * as v from 'valibot';
import { Count, described } from '../../fields.ts';
import { VITAL_BOUNDS, VITALS, type Vital } from '../../visits/vital-bounds.ts';
import { ReportMeta, withPrevious } from './schemas.ts';

const amount = v.pipe(v.number(), v.minValue(0));
const scrolled = (percent: number) => described(Count, `How many of them were scrolled ${percent} % down.`);

const measured = described(Count, 'Consented page views whose attention is known.');
const seconds = described(amount, 'Attention to the page in seconds, the mean of these, one decimal.');
const scrollDepth = described(
  v.pipe(amount, v.maxValue(100)),
  'How far down the page was seen, in percent: the mean of the deepest of each, one decimal.',
);
const reached = {
  scrolled25: scrolled(25),
  scrolled50: scrolled(50),
  scrolled75: scrolled(75),
  scrolled100: scrolled(100),
};

/** A page that wasn't measured in the compared range has no means there. */
export const EngagementItem = withPrevious(
  { path: v.string(), measured, seconds, scrollDepth, ...reached },
  { measured, seconds: v.nullable(seconds), scrollDepth: v.nullable(scrollDepth), ...reached },
);
export type EngagementItem = v.InferOutput<typeof EngagementItem>;

const bounds = (vital: Vital): string => {
  const [good, poor] = VITAL_BOUNDS[vital];
  return `good up to ${good}, poor beyond ${poor}`;
};

const p75 = (vital: Vital, what: string) =>
  described(
    v.nullable(amount),
    `${what}: the 75th percentile (p75), so three of four loads had at most this; ${bounds(vital)}. Null: no load reported it.`,
  );

const percent = v.pipe(v.number(), v.minValue(0), v.maxValue(100));
const Ratings = v.nullable(
  v.pipe(
    v.object({ good: percent, needsImprovement: percent, poor: percent }),
    v.description('Of the loads that reported it, in percent with one decimal. Null: none did.'),
  ),
);

const vitals = {
  measured: described(Count, 'Consented page loads that reported any of these.'),
  lcp: p75('lcp', 'Largest contentful paint, milliseconds'),
  inp: p75('inp', 'Interaction to next paint, milliseconds'),
  cls: p75('cls', 'Cumulative layout shift, without a unit'),
  fcp: p75('fcp', 'First contentful paint, milliseconds'),
  ttfb: p75('ttfb', 'Time to first byte, milliseconds'),
  shares: described(
    v.object(v.entriesFromList(VITALS, Ratings)),
    'How many loads were good, need improvement or were poor, by vital.',
  ),
};

export const VitalsItem = withPrevious(
  {
    path: v.optional(described(v.string(), 'By page: its path.')),
    value: v.optional(described(v.string(), 'Otherwise: what `by` names; by site the domain of the site.')),
    ...vitals,
  },
  vitals,
);
export type VitalsItem = v.InferOutput<typeof VitalsItem>;

/** The largest relative error of the bins in schema/functions/measures.sql (`vital_bin`). */
export const VITALS_RELATIVE_ERROR = 0.01;

export const VitalsMeta = v.object({
  ...ReportMeta.entries,
  approximate: v.optional(
    v.pipe(
      v.object({ relativeError: described(amount, 'Of each value, at most.') }),
      v.description(
        'Sums by page keep values in bins: values are approximate, before they are rounded, and shares count a load whose value is as ' +
          'near to a bound on either side; `measured` is exact. Absent: the answer is of visits, and exact.',
      ),
    ),
  ),
});
export type VitalsMeta = v.InferOutput<typeof VitalsMeta>;
