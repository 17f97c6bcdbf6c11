import { time } from '../../format.ts';

/** A Monday, in UTC. */
const MONDAY = Date.UTC(2024, 0, 1, 12);
const DAY_MS = 86_400_000;

/** 1 is Monday. */
export const weekdayName = (weekday: number): string =>
  time(MONDAY + (weekday - 1) * DAY_MS, 'weekday', 'UTC');
