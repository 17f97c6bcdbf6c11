/** Paths of charts (the attribute `d` of SVG). A value that is null leaves a gap. */

/** Where the value with this number stands, in pixels. */
type PixelOf = (index: number) => number;

interface Drawn {
  x: PixelOf;
  /** The height of a value. */
  y: (value: number) => number;
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

const along = (values: Values, [first, end]: [number, number], { x, y }: Drawn): string =>
  values
    .slice(first, end)
    .map((value, index) => at(x(first + index), y(value ?? 0)))
    .join('L');

/** A disk around the point where the line is, in pixels: as wide as the line's stroke and 3 more. */
const DISK = 'm-1.5 0a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0';

/** A line from value to value. A value between two gaps is a disk. */
export const linePath = (values: Values, drawn: Drawn): string =>
  partsOf(values)
    .map((part) => `M${along(values, part, drawn)}${part[1] - part[0] === 1 ? DISK : ''}`)
    .join('');

/** The area between that line and a height in pixels. */
export const areaPath = (values: Values, drawn: Drawn, bottom: number): string =>
  partsOf(values)
    .map(([first, end]) => {
      const [from, to] = [at(drawn.x(first), bottom), at(drawn.x(end - 1), bottom)];
      return `M${from}L${along(values, [first, end], drawn)}L${to}Z`;
    })
    .join('');
