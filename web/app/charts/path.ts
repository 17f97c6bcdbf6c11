/** Paths of charts (the attribute `d` of SVG). A value that is null leaves a gap. */

/** Where the value with this number stands, in pixels. */
type PixelOf = (index: number) => number;

interface Drawn {
  x: PixelOf;
  /** The height of a value. */
  y: (value: number) => number;
  /** Whether the line is smooth. It then goes through all values too, and never above or below two neighbours. */
  isSmooth?: boolean;
}

type Values = readonly (number | null)[];

/** The parts without a gap: the numbers of the first value and of the one after the last. */
function partsOf(values: Values): [first: number, end: number][] {
  const parts: [number, number][] = [];
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    const last = parts.at(-1);
    if (last !== undefined && last[1] === index) last[1]++;
    else parts.push([index, index + 1]);
  }
  return parts;
}

/** To a tenth of a pixel. */
const at = (x: number, y: number): string => `${Math.round(10 * x) / 10},${Math.round(10 * y) / 10}`;

interface Point {
  x: number;
  y: number;
}

const slopeOf = (from: Point, to: Point): number => (to.y - from.y) / (to.x - from.x);

/** The slope at a point of a monotone curve: that of a parabola through its neighbours, but never steeper than keeps the curve between them. */
function tangentAt(points: readonly Point[], index: number): number {
  const [before, here, after] = [points[index - 1], points[index], points[index + 1]];
  if (here === undefined) return 0;
  if (before === undefined || after === undefined)
    return before ? slopeOf(before, here) : after ? slopeOf(here, after) : 0;
  const [s0, s1] = [slopeOf(before, here), slopeOf(here, after)];
  const parabola = (s0 * (after.x - here.x) + s1 * (here.x - before.x)) / (after.x - before.x);
  return (Math.sign(s0) + Math.sign(s1)) * Math.min(Math.abs(s0), Math.abs(s1), Math.abs(parabola) / 2);
}

/** The way from each point of a part to the next one. */
function stepsOf(values: Values, [first, end]: [number, number], { x, y, isSmooth }: Drawn): string[] {
  const points = values.slice(first, end).map((value, index) => ({ x: x(first + index), y: y(value ?? 0) }));
  return points.slice(1).map((to, index) => {
    const from = points[index];
    if (!isSmooth || from === undefined) return `L${at(to.x, to.y)}`;
    const third = (to.x - from.x) / 3;
    const leave = at(from.x + third, from.y + third * tangentAt(points, index));
    const arrive = at(to.x - third, to.y - third * tangentAt(points, index + 1));
    return `C${leave} ${arrive} ${at(to.x, to.y)}`;
  });
}

/** A disk around the point where the line is, in pixels: as wide as the line's stroke and 3 more. */
const DISK = 'm-1.5 0a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0';

/** A line from value to value. A value between two gaps is a disk. `isShown` leaves steps out, by the numbers of their ends. */
export function linePath(
  values: Values,
  drawn: Drawn,
  isShown: (from: number, to: number) => boolean = () => true,
): string {
  const startOf = (index: number): string => `M${at(drawn.x(index), drawn.y(values[index] ?? 0))}`;
  return partsOf(values)
    .map(([first, end]) => {
      if (end - first === 1) return isShown(first, first) ? startOf(first) + DISK : '';
      return stepsOf(values, [first, end], drawn)
        .map((step, index) => {
          const from = first + index;
          if (!isShown(from, from + 1)) return '';
          return index === 0 || !isShown(from - 1, from) ? startOf(from) + step : step;
        })
        .join('');
    })
    .join('');
}

/** The area between that line and a height in pixels. */
export const areaPath = (values: Values, drawn: Drawn, bottom: number): string =>
  partsOf(values)
    .map(([first, end]) => {
      const [from, start, to] = [
        at(drawn.x(first), bottom),
        at(drawn.x(first), drawn.y(values[first] ?? 0)),
        at(drawn.x(end - 1), bottom),
      ];
      return `M${from}L${start}${stepsOf(values, [first, end], drawn).join('')}L${to}Z`;
    })
    .join('');
