/** Schemas of the settings that members choose for an environment's telemetry (docs/telemetry.md#control). */
import * as v from 'valibot';
import { OriginText } from '../fields.ts';
import { OneEnvironment } from '../projects/schemas.ts';

export const MAX_ORIGINS = 50;
/** A project may have this many sites. */
const MAX_SITES = 1000;

const Days = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(1),
  v.maxValue(90),
  v.description('Whole UTC days before the present one, 1 to 90.'),
);

/** For how many days each signal is kept. */
export const Retention = v.strictObject({ traces: Days, logs: Days, metrics: Days });
export type Retention = v.InferOutput<typeof Retention>;

export const ReplaceRetention = v.strictObject({ ...OneEnvironment.entries, ...Retention.entries });
export type ReplaceRetention = v.InferOutput<typeof ReplaceRetention>;

const isUnique = (texts: readonly string[]): boolean => new Set(texts).size === texts.length;

export const Origin = v.strictObject({
  origin: OriginText,
  siteIds: v.optional(
    v.pipe(
      v.array(v.pipe(v.string(), v.uuid(), v.description('In lower case.'), v.toLowerCase())),
      v.maxLength(MAX_SITES),
      v.check((ids) => isUnique(ids), 'must not have one twice'),
      v.description('The sites tied to it, of the same project. Absent: every site of the project.'),
    ),
  ),
});
export type Origin = v.InferOutput<typeof Origin>;

/** All first-party API origins of an environment. */
export const Origins = v.strictObject({
  origins: v.pipe(
    v.array(Origin),
    v.maxLength(MAX_ORIGINS),
    v.check((origins) => isUnique(origins.map(({ origin }) => origin)), 'must not have one origin twice'),
  ),
});
export type Origins = v.InferOutput<typeof Origins>;

export const ReplaceOrigins = v.strictObject({ ...OneEnvironment.entries, ...Origins.entries });
export type ReplaceOrigins = v.InferOutput<typeof ReplaceOrigins>;

/** One origin of an environment. `remove` takes it away. */
export const SetOrigin = v.strictObject({
  ...OneEnvironment.entries,
  ...Origin.entries,
  remove: v.optional(v.boolean(), false),
});
export type SetOrigin = v.InferOutput<typeof SetOrigin>;
