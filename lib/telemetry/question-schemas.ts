/** What questions about an environment's telemetry have in common. */
import * as v from 'valibot';
import { told } from '../fields.ts';
import { OneEnvironment } from '../projects/schemas.ts';

const PERIODS = ['15m', '1h', '24h', '7d', '30d'] as const;
export type TelemetryPeriod = (typeof PERIODS)[number];

/** A service's name, an operation's, or a text to look for. */
export const FilterText = v.pipe(v.string(), v.minLength(1), v.maxLength(256));

const RangeEnd = v.pipe(
  v.string(),
  v.isoTimestamp('must be an instant as 2026-11-21T09:00:00Z'),
  v.metadata({ description: 'An instant as `2026-11-21T09:00:00Z`.' }),
);

/** Entries of every question about a time: an environment, and `period`, or `from` and `to`; the last hour if none is there. */
export const ranged = {
  ...OneEnvironment.entries,
  period: v.optional(v.picklist(PERIODS)),
  from: v.optional(RangeEnd),
  to: v.optional(RangeEnd),
};

/** What `ranged` says of the time. */
export interface TelemetryRange {
  period?: TelemetryPeriod | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** The last check of a schema with `ranged`. */
export const isOneRange = <Question extends TelemetryRange>() =>
  v.check<Question, string>(
    ({ period, from, to }) =>
      (from === undefined) === (to === undefined) && (period === undefined || from === undefined),
    'must have either `period`, or both `from` and `to`',
  );

/** A key that can stand in a path of the database's JSON. */
export const AttributeKey = (rule: string) => v.pipe(v.string(), v.regex(/^[^\p{Cc}\p{Cs}]{1,256}$/u, rule));

const Attributes = v.record(AttributeKey('is not a known field'), FilterText);
/** Attributes by key, each with the text that its value has to be. */
export type AttributeFilter = v.InferOutput<typeof Attributes>;

/** Entries of a question about what has attributes. `what` has them: a span, a record, a point. */
export const attributed = (what: string) => ({
  attributes: v.optional(told(Attributes, `Values of attributes of the ${what}, by key.`), {}),
  resource: v.optional(told(Attributes, 'Values of attributes of who sent it, by key.'), {}),
});

const MAX_ATTRIBUTES = 8;

/** Another check of a schema with `attributed`. */
export const hasFewAttributes = <
  Question extends { attributes: AttributeFilter; resource: AttributeFilter },
>() =>
  v.check<Question, string>(
    ({ attributes, resource }) =>
      Object.keys(attributes).length + Object.keys(resource).length <= MAX_ATTRIBUTES,
    `must ask for at most ${MAX_ATTRIBUTES} attributes`,
  );
