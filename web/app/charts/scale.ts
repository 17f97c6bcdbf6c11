import { nice, ticks } from 'd3-array';

/** About as many lines as a grid has. */
const LINES = 4;

/** Round numbers of a grid around all values, from the least to the first that no value is above. `unit`: they are round numbers of it. */
export function roundScale(least: number, most: number, unit = 1): number[] {
  const [from, to] = nice(least / unit, most / unit, LINES);
  return ticks(from, to, LINES).map((tick) => tick * unit);
}
