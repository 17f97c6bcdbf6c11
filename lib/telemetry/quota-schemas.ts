/** Quotas of a project's telemetry (docs/telemetry.md#quotas). */
import * as v from 'valibot';
import { Count, described, Id, Instant } from '../fields.ts';

const Limit = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1e15));
/** Null: as for all projects. */
const OwnLimit = v.optional(v.nullable(Limit));
const AnyLimit = v.optional(Limit);

export const QUOTAS = ['bytesPerDay', 'series', 'services', 'attributeKeys'] as const;

/** Sets quotas of one project; a quota that isn't named stays. */
export const SetQuotas = v.strictObject({
  projectId: Id,
  bytesPerDay: OwnLimit,
  series: OwnLimit,
  services: OwnLimit,
  attributeKeys: OwnLimit,
});
export type SetQuotas = v.InferOutput<typeof SetQuotas>;

/** Sets quotas of all projects that have none of their own. */
export const SetAllQuotas = v.strictObject({
  bytesPerDay: AnyLimit,
  series: AnyLimit,
  services: AnyLimit,
  attributeKeys: AnyLimit,
});
export type SetAllQuotas = v.InferOutput<typeof SetAllQuotas>;

const Used = v.object({ used: Count, limit: Count });

/** What a project has of its quotas. */
export const ProjectQuotas = v.object({
  bytesPerDay: described(
    v.object({ ...Used.entries, resetsAt: Instant }),
    'Bytes of stored requests of this UTC day, inflated. Spans that were known already don’t count.',
  ),
  series: described(Used, 'Series of metrics.'),
  services: Used,
  attributeKeys: described(
    Used,
    'Different keys of attributes of spans, log records, points, resources and scopes.',
  ),
});
export type ProjectQuotas = v.InferOutput<typeof ProjectQuotas>;
