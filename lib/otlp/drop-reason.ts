/**
 * Why something that was received isn't stored (docs/telemetry.md#what-was-dropped). `request`: a whole request was refused with 400,
 * 413 or 415, and counts as one, since nobody knows how many items it has.
 */
export const DROP_REASONS = [
  'request',
  'ids',
  'time',
  'point',
  'conflict',
  'invalid',
  'bytesPerDay',
  'series',
  'services',
  'attributeKeys',
] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** How many were dropped, by reason. */
export type Dropped = Partial<Record<DropReason, number>>;
