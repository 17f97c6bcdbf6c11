import { max, ticks } from 'd3-array';
import { words } from '../words/index.ts';
import { areaPath, linePath } from './path.ts';
import { type Picking, PlotFrame, usePlot } from './plot.tsx';

export interface ChartPoint {
  /** As people read it: short below the axis, long in the tip. */
  label: string;
  longLabel: string;
  /** Null: not observed. It leaves a gap, and is never drawn as 0. */
  value: number | null;
  /** The same of the range that it is compared with. */
  previous?: { longLabel: string; value: number | null } | undefined;
  /** Whether it hasn't begun. */
  isFuture?: boolean;
  /** Whether more may still come. */
  unfinished?: boolean;
  /** Whether it is of a part of its time alone, since the range ends there. */
  isPart?: boolean;
  /** Texts of annotations. */
  notes?: readonly string[];
}

interface LineChartProps {
  name: string;
  points: readonly ChartPoint[];
  format: (value: number) => string;
  /** What the grid's lines are round numbers of, if the chart is several of it high. */
  unit?: number;
  pick?: Picking | undefined;
}

const HEIGHT = 208;
const LEFT = 44;
const LABEL_WIDTH = 64;

/** A line over time with its area, the period before, and a crosshair for mouse, touch and keyboard. */
export function LineChart({ name, points, format, pick, unit = 1 }: LineChartProps) {
  const plot = usePlot(points.length, HEIGHT, LEFT);
  const { bottom, chosen, x } = plot;
  const top = max(points, ({ value, previous }) => Math.max(value ?? 0, previous?.value ?? 0)) || 1;
  const step = top > 2 * unit ? unit : 1;
  // Of nothing there is no scale.
  const isKnown = points.some(({ value, previous }) => value !== null || previous?.value != null);
  const scale = isKnown ? ticks(0, top / step, 4).map((tick) => tick * step) : [0];
  const ceiling = Math.max(top, scale.at(-1) ?? 1);
  const y = (value: number): number => bottom - ((bottom - plot.top) * value) / ceiling;
  const values = points.map(({ value }) => value);
  const isOpen = (index: number): boolean => partialWord(points[index]) !== undefined;
  const closed = values.map((value, index) => (isOpen(index) ? null : value));
  /** What isn't whole, and the lines to it. */
  const open = values.map((value, index) =>
    isOpen(index) || isOpen(index - 1) || isOpen(index + 1) ? value : null,
  );
  const point = chosen === undefined ? undefined : points[chosen];
  return (
    <PlotFrame
      {...{ plot, name, scale, y, format, pick }}
      labels={points.map(({ label }) => label)}
      labelWidth={LABEL_WIDTH}
      spoken={point && spoken(point, format)}
      tip={point && <Tip point={point} format={format} />}
    >
      <path class="area" d={areaPath(values, { x, y }, bottom)} />
      <path
        class="line other"
        d={linePath(
          points.map(({ previous }) => previous?.value ?? null),
          { x, y },
        )}
      />
      <path class="line" d={linePath(closed, { x, y })} />
      <path class="line unfinished" d={linePath(open, { x, y })} />
      {points.map(
        ({ notes = [] }, index) =>
          notes.length > 0 && (
            <g key={index} class="mark">
              <line x1={x(index)} x2={x(index)} y1={plot.top} y2={bottom} />
              <circle cx={x(index)} cy={bottom} r={4} />
            </g>
          ),
      )}
      {point?.previous?.value != null && chosen !== undefined && (
        <circle class="dot other" cx={x(chosen)} cy={y(point.previous.value)} r={4} />
      )}
      {point?.value != null && chosen !== undefined && (
        <circle class="dot" cx={x(chosen)} cy={y(point.value)} r={5} />
      )}
    </PlotFrame>
  );
}

/** Why a value isn't that of its whole time. Undefined: it is. */
export const partialWord = (
  point: Pick<ChartPoint, 'unfinished' | 'isPart'> | undefined,
): string | undefined =>
  point?.unfinished ? words.chart.unfinished : point?.isPart ? words.chart.part : undefined;

const textOf = (
  { value, isFuture = false }: Pick<ChartPoint, 'value' | 'isFuture'>,
  format: (value: number) => string,
): string => (isFuture ? words.chart.future : value === null ? words.chart.notObserved : format(value));

const spoken = (point: ChartPoint, format: (value: number) => string): string =>
  [
    `${point.longLabel}: ${textOf(point, format)}${partialWord(point) === undefined ? '' : `, ${partialWord(point)}`}`,
    point.previous && `${point.previous.longLabel}: ${textOf(point.previous, format)}`,
    ...(point.notes ?? []),
  ]
    .filter(Boolean)
    .join('. ');

const Tip = ({ point, format }: { point: ChartPoint; format: (value: number) => string }) => (
  <>
    <p class="soft">{point.longLabel}</p>
    <p>
      <strong>{textOf(point, format)}</strong> <span class="soft">{partialWord(point)}</span>
    </p>
    {point.previous && (
      <p class="soft">
        {point.previous.longLabel}: {textOf(point.previous, format)}
      </p>
    )}
    {point.notes?.map((note) => (
      <p key={note}>{note}</p>
    ))}
  </>
);
