import { max } from 'd3-array';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { words } from '../words/index.ts';
import { CHART_HEIGHT } from './chart-height.ts';
import { areaPath, linePath } from './path.ts';
import { type Picking, type Plot, PlotFrame, usePlot } from './plot.tsx';
import { roundScale } from './scale.ts';

export interface ChartPoint {
  /** As people read it: short below the axis, long in the tip. */
  label: string;
  longLabel: string;
  /** Null: not observed. It leaves a gap, and is never drawn as 0. */
  value: number | null;
  /** The same of the range that it is compared with. */
  previous?: { longLabel: string; value: number | null } | undefined;
  /** Whether it was observed and has nothing to tell a value of, as no entries have no duration. */
  isEmpty?: boolean;
  /** Whether it hasn't begun. */
  isFuture?: boolean;
  /** Whether more may still come. */
  unfinished?: boolean;
  /** Whether it is of a part of its time alone, since the range ends there. */
  isPart?: boolean;
  /** Texts of annotations. */
  notes?: readonly string[];
}

interface TimeChartProps {
  name: string;
  points: readonly ChartPoint[];
  format: (value: number) => string;
  /** What the grid's lines are round numbers of, if the chart is several of it high. */
  unit?: number;
  /** How a value differs from another one. */
  change?: ((now: number, before: number) => ComponentChildren) | undefined;
  pick?: Picking | undefined;
}

const LEFT = 44;
const LABEL_WIDTH = 72;
/** The most times that are drawn as bars, which say better than a line that each stands for itself. */
export const MOST_BARS = 14;
const WIDEST_BAR = 40;

/** Values over time beside those of another range, with a crosshair for mouse, touch and keyboard: a few as bars, many as a line with its area. */
export function TimeChart({ name, points, format, change, pick, unit = 1 }: TimeChartProps) {
  const isBars = points.length <= MOST_BARS;
  const plot = usePlot(points.length, CHART_HEIGHT, LEFT, { columns: isBars });
  const { bottom, chosen, x } = plot;
  const top = max(points, ({ value, previous }) => Math.max(value ?? 0, previous?.value ?? 0)) || 1;
  // Of nothing there is no scale.
  const isKnown = points.some(({ value, previous }) => value !== null || previous?.value != null);
  const scale = isKnown ? roundScale(0, top, top > 2 * unit ? unit : 1) : [0];
  const ceiling = scale.at(-1) || 1;
  const y = (value: number): number => bottom - ((bottom - plot.top) * value) / ceiling;
  const point = chosen === undefined ? undefined : points[chosen];
  const other = chosen === undefined ? undefined : otherOf(points, chosen);
  // More names than one would lie over each other.
  const isNamed = points.filter(({ notes = [] }) => notes.length > 0).length === 1;
  const Shape = isBars ? Bars : Line;
  return (
    <PlotFrame
      {...{ plot, name, scale, y, format, pick }}
      labels={points.map(({ label }) => label)}
      labelWidth={LABEL_WIDTH}
      spoken={point && spoken(point, format)}
      tip={point && <Tip {...{ point, other, format, change }} />}
    >
      <Shape {...{ points, plot, y }} />
      {points.map(
        ({ notes = [], value }, index) =>
          notes.length > 0 && (
            <g key={index} class="mark">
              <line x1={x(index)} x2={x(index)} y1={plot.top} y2={bottom} />
              <circle cx={x(index)} cy={value === null ? bottom : y(value)} r={4} />
              {isNamed && (
                <text
                  x={x(index) + (index < points.length / 2 ? 8 : -8)}
                  y={plot.top + 12}
                  text-anchor={index < points.length / 2 ? 'start' : 'end'}
                >
                  {shortOf(notes[0] ?? '')}
                </text>
              )}
            </g>
          ),
      )}
    </PlotFrame>
  );
}

const MOST_LETTERS = 32;

const shortOf = (text: string): string =>
  text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS - 2)} …` : text;

interface ShapeProps {
  points: readonly ChartPoint[];
  plot: Plot;
  y: (value: number) => number;
}

function Line({ points, plot: { bottom, chosen, x }, y }: ShapeProps) {
  const fade = useId();
  const values = points.map(({ value }) => value);
  const drawn = { x, y, isSmooth: true };
  const isOpen = (from: number, to: number): boolean =>
    partialWord(points[from]) !== undefined || partialWord(points[to]) !== undefined;
  const point = chosen === undefined ? undefined : points[chosen];
  return (
    <>
      <linearGradient id={fade} x2="0" y2="1">
        <stop class="fade" />
        <stop class="fade" offset="1" />
      </linearGradient>
      <path fill={`url(#${fade})`} d={areaPath(values, drawn, bottom)} />
      <path
        class="line other"
        d={linePath(
          points.map(({ previous }) => previous?.value ?? null),
          drawn,
        )}
      />
      <path class="line" d={linePath(values, drawn, (from, to) => !isOpen(from, to))} />
      <path class="line unfinished" d={linePath(values, drawn, isOpen)} />
      {point?.previous?.value != null && chosen !== undefined && (
        <circle class="dot other" cx={x(chosen)} cy={y(point.previous.value)} r={4} />
      )}
      {point?.value != null && chosen !== undefined && (
        <circle class="dot" cx={x(chosen)} cy={y(point.value)} r={5} />
      )}
    </>
  );
}

function Bars({ points, plot: { top, bottom, chosen, x, band }, y }: ShapeProps) {
  const isCompared = points.some(({ previous }) => previous?.value != null);
  const wide = Math.min(WIDEST_BAR, (0.66 * band) / (isCompared ? 2 : 1));
  const shapeOf = (kind: string, value: number | null | undefined, left: number) =>
    value != null && (
      // One of a million is still seen.
      <rect
        class={kind}
        x={left}
        y={Math.min(bottom - (value > 0 ? 1 : 0), y(value))}
        width={wide}
        height={Math.max(value > 0 ? 1 : 0, bottom - y(value))}
        rx={Math.min(3, wide / 4)}
      />
    );
  return points.map((point, index) => {
    const kind = `bar${partialWord(point) === undefined ? '' : ' unfinished'}${index === chosen ? ' chosen' : ''}`;
    return (
      <g key={index}>
        {point.value === null && !point.isFuture && !point.isEmpty && (
          <rect class="unknown" x={x(index) - band / 2} y={top} width={band} height={bottom - top} />
        )}
        {shapeOf('bar other', point.previous?.value, x(index) - wide - 1)}
        {shapeOf(kind, point.value, x(index) - (isCompared ? 0 : wide / 2))}
      </g>
    );
  });
}

/** What a time is compared with: that of the other range, else the one before it. What isn't whole is compared with nothing. */
function otherOf(points: readonly ChartPoint[], index: number): ChartPoint['previous'] {
  const [point, before] = [points[index], points[index - 1]];
  if (point?.previous !== undefined) return point.previous;
  return partialWord(point) === undefined && partialWord(before) === undefined ? before : undefined;
}

/** Why a value isn't that of its whole time. Undefined: it is. */
export const partialWord = (
  point: Pick<ChartPoint, 'unfinished' | 'isPart'> | undefined,
): string | undefined =>
  point?.unfinished ? words.chart.unfinished : point?.isPart ? words.chart.part : undefined;

const textOf = (
  { value, isFuture = false, isEmpty = false }: Pick<ChartPoint, 'value' | 'isFuture' | 'isEmpty'>,
  format: (value: number) => string,
): string =>
  isFuture
    ? words.chart.future
    : value !== null
      ? format(value)
      : isEmpty
        ? words.chart.noEntries
        : words.chart.notObserved;

const spoken = (point: ChartPoint, format: (value: number) => string): string =>
  [
    `${point.longLabel}: ${textOf(point, format)}${partialWord(point) === undefined ? '' : `, ${partialWord(point)}`}`,
    point.previous && `${point.previous.longLabel}: ${textOf(point.previous, format)}`,
    ...(point.notes ?? []),
  ]
    .filter(Boolean)
    .join('. ');

interface TipProps extends Pick<TimeChartProps, 'format' | 'change'> {
  point: ChartPoint;
  other: ChartPoint['previous'];
}

const Tip = ({ point, other, format, change }: TipProps) => (
  <>
    <p class="soft">{point.longLabel}</p>
    <p>
      <strong>{textOf(point, format)}</strong>{' '}
      {partialWord(point) === undefined ? (
        point.value !== null && other?.value != null && change?.(point.value, other.value)
      ) : (
        <span class="soft">{partialWord(point)}</span>
      )}
    </p>
    {other && (
      <p class="soft">
        {other.longLabel}: {textOf(other, format)}
      </p>
    )}
    {point.notes?.map((note) => (
      <p key={note}>{note}</p>
    ))}
  </>
);
