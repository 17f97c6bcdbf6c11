import * as v from 'valibot';
import { PERIODS, type TelemetryPeriod } from '../../lib/telemetry/schemas.ts';

const instant = v.pipe(
  v.string(),
  v.isoTimestamp('must be an instant as 2026-11-21T09:00:00Z'),
  v.metadata({ description: 'An instant as `2026-11-21T09:00:00Z`.' }),
);

/** Of every query of telemetry: `period`, or `from` and `to`; the last hour if none is there. */
export const rangeEntries = {
  period: v.optional(v.picklist(PERIODS)),
  from: v.optional(instant),
  to: v.optional(instant),
};

interface RangeQuery {
  period?: (typeof PERIODS)[number] | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** A check at the end of a query's schema that has `rangeEntries`, and maybe more. */
export const oneRange = <Query extends RangeQuery>() =>
  v.check<Query, string>(
    ({ period, from, to }) =>
      (from === undefined) === (to === undefined) && (period === undefined || from === undefined),
    'must have either `period`, or both `from` and `to`',
  );

export const RangeOnly = v.pipe(v.strictObject(rangeEntries), oneRange());

/** The range that a checked query asks for. */
export const rangeOf = ({ period, from, to }: RangeQuery, otherwise: TelemetryPeriod = '1h') =>
  from !== undefined && to !== undefined ? { from, to } : { period: period ?? otherwise };
