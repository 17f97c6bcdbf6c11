/** Schemas of the reports on engagement and vitals (docs/counting.md#attention-and-vitals). */
import * as v from 'valibot';
import { Count, described } from '../../fields.ts';
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

const p75 = (what: string) =>
  described(v.nullable(amount), `${what}: three of four loads had at most this. Null: no load reported it.`);

const vitals = {
  measured: described(Count, 'Consented loads of the page that reported any of these.'),
  lcp: p75('Largest contentful paint, milliseconds'),
  inp: p75('Interaction to next paint, milliseconds'),
  cls: p75('Cumulative layout shift, without a unit'),
  fcp: p75('First contentful paint, milliseconds'),
  ttfb: p75('Time to first byte, milliseconds'),
};

export const VitalsItem = withPrevious({ path: v.string(), ...vitals }, vitals);
export type VitalsItem = v.InferOutput<typeof VitalsItem>;

/** The largest relative error of the bins in schema/functions/measures.sql (`vital_bin`). */
export const VITALS_RELATIVE_ERROR = 0.01;

export const VitalsMeta = v.object({
  ...ReportMeta.entries,
  approximate: v.pipe(
    v.object({ relativeError: described(amount, 'Of each value, at most.') }),
    v.description(
      'Values are kept in bins and so are approximate, before they are rounded; `measured` is exact.',
    ),
  ),
});
export type VitalsMeta = v.InferOutput<typeof VitalsMeta>;
