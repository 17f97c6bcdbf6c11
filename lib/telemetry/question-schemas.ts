/** Schema parts that the questions about an environment's telemetry share. */
import * as v from 'valibot';
import { described } from '../fields.ts';
import { INSTANT_RULE, isInRange, isInstant, YEARS_RULE } from '../instants.ts';
import { OneEnvironment } from '../projects/schemas.ts';

export const TELEMETRY_PERIODS = ['15m', '1h', '6h', '24h', '7d', '30d'] as const;
export type TelemetryPeriod = (typeof TELEMETRY_PERIODS)[number];

/** The name of a service or an operation, or a text to search for. */
export const FilterText = v.pipe(v.string(), v.minLength(1), v.maxLength(256));

const RangeEnd = v.pipe(
  v.string(),
  v.maxLength(40),
  v.check(isInstant, INSTANT_RULE),
  v.check(isInRange, YEARS_RULE),
  v.metadata({
    jsonSchema: { type: 'string', format: 'date-time', description: 'An instant as `2026-11-21T09:00:00Z`.' },
  }),
);

/** Fields of every question about a range: an environment, and `period`, or `from` and `to`. Default: the last hour. */
export const ranged = {
  ...OneEnvironment.entries,
  period: v.optional(v.picklist(TELEMETRY_PERIODS)),
  from: v.optional(RangeEnd),
  to: v.optional(RangeEnd),
};

/** The part of `ranged` about time. */
export interface TelemetryRange {
  period?: TelemetryPeriod | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** Must be the last check of a schema with `ranged`. */
export const isOneRange = <Question extends TelemetryRange>() =>
  v.check<Question, string>(
    ({ period, from, to }) =>
      (from === undefined) === (to === undefined) && (period === undefined || from === undefined),
    'must have either `period`, or both `from` and `to`',
  );

/** An attribute key that can stand in a jsonpath of the database. */
export const AttributeKey = (rule: string) => v.pipe(v.string(), v.regex(/^[^\p{Cc}\p{Cs}]{1,256}$/u, rule));

const Attributes = v.record(AttributeKey('is not a known field'), FilterText);
/** Attributes by key, each with the text that its value must equal. */
export type AttributeFilter = v.InferOutput<typeof Attributes>;

/** Fields of every question about items with attributes. `what` names the items: spans, records or points. */
export const attributed = (what: string) => ({
  attributes: v.optional(described(Attributes, `Values of attributes of the ${what}, by key.`), {}),
  resource: v.optional(described(Attributes, 'Values of attributes of who sent it, by key.'), {}),
});

const MAX_ATTRIBUTES = 8;

/** An additional check for a schema with `attributed`. */
export const hasFewAttributes = <
  Question extends { attributes: AttributeFilter; resource: AttributeFilter },
>() =>
  v.check<Question, string>(
    ({ attributes, resource }) =>
      Object.keys(attributes).length + Object.keys(resource).length <= MAX_ATTRIBUTES,
    `must ask for at most ${MAX_ATTRIBUTES} attributes`,
  );
