import { max } from 'd3-array';
import { words } from '../words/index.ts';
import { type Picking, PlotFrame, usePlot } from './plot.tsx';
import { roundScale } from './scale.ts';
import { partialWord } from './time-chart.tsx';

/** A part of each bar. The first one stands below. */
export interface ChartLayer {
  name: string;
  /** The class of its colour. */
  kind: string;
  /** One for each column. Null: not known, which is hatched and never drawn as 0. */
  values: readonly (number | null)[];
}

export interface ChartColumn {
  label: string;
  longLabel: string;
  /** Whether more may still come. */
  unfinished?: boolean;
  /** Whether it is of a part of its time alone, since the range ends there. */
  isPart?: boolean;
  /** What else the tip says of it. */
  notes?: readonly string[];
}

interface BarsChartProps {
  name: string;
  /** As people read them: short below the axis, long in the tip. */
  columns: readonly ChartColumn[];
  layers: readonly ChartLayer[];
  format: (value: number) => string;
  pick?: Picking | undefined;
  /** Upright lines. `at` is a column's number, with a fraction: 0 is where the first one begins. */
  marks?: readonly { at: number; label: string }[];
  height?: number;
}

const LEFT = 52;
const LABEL_WIDTH = 72;
const MARK_LINE = 14;
/** Room between bars, unless they are too narrow for any. */
const GAP = 1;

/** Stacked bars with a crosshair and a tip. A bar is picked by click or Enter, several by dragging or Shift with the arrows. */
export function BarsChart(props: BarsChartProps) {
  const { name, columns, layers, format, pick, marks = [], height = 200 } = props;
  const plot = usePlot(columns.length, height, LEFT, { columns: true });
  const { width, bottom, chosen, x, band } = plot;
  const top = plot.top + marks.length * MARK_LINE;
  const totals = columns.map((_, index) => totalOf(layers, index));
  const most = max(totals, (total) => total ?? 0) || 1;
  const scale = roundScale(0, most).filter(Number.isInteger);
  const ceiling = Math.max(most, scale.at(-1) ?? 1);
  const y = (value: number): number => bottom - ((bottom - top) * value) / ceiling;
  const wide = Math.max(1, band - GAP);
  const column = chosen === undefined ? undefined : columns[chosen];
  return (
    <PlotFrame
      {...{ plot, name, scale, y, format, pick }}
      labels={columns.map(({ label }) => label)}
      labelWidth={LABEL_WIDTH}
      spoken={
        column &&
        [`${column.longLabel}: ${spoken(layers, chosen ?? 0, format)}`, ...(column.notes ?? [])].join('. ')
      }
      tip={
        column && (
          <>
            <p class="soft">
              {column.longLabel}
              {partialWord(column) && `, ${partialWord(column)}`}
            </p>
            {totals[chosen ?? 0] === null ? (
              <p>{words.chart.notObserved}</p>
            ) : (
              shownOf(layers, chosen ?? 0).map(({ name: of, kind, value }) => (
                <p key={of}>
                  <svg class="swatch" aria-hidden="true">
                    <rect class={`bar ${kind}`} width="10" height="10" rx="2" />
                  </svg>{' '}
                  {of} <strong>{format(value)}</strong>
                </p>
              ))
            )}
            {column.notes?.map((note) => (
              <p key={note}>{note}</p>
            ))}
          </>
        )
      }
    >
      {columns.map((one, index) => {
        if (totals[index] === null)
          return (
            <rect
              key={index}
              class="unknown"
              x={x(index) - band / 2}
              y={top}
              width={band}
              height={bottom - top}
            />
          );
        let below = 0;
        return layers.map(({ name: of, kind, values }) => {
          const value = values[index] ?? 0;
          if (value === 0) return null;
          below += value;
          // One of a million is still seen.
          const high = Math.max(1, y(below - value) - y(below));
          return (
            <rect
              key={`${index} ${of}`}
              class={partialWord(one) === undefined ? `bar ${kind}` : `bar ${kind} unfinished`}
              x={x(index) - wide / 2}
              y={y(below - value) - high}
              width={wide}
              height={high}
            />
          );
        });
      })}
      {marks.map(({ at, label }, index) => {
        const position = x(at - 0.5);
        const isRight = position > width / 2;
        return (
          <g key={label}>
            <line
              class="percentile under"
              x1={position}
              x2={position}
              y1={plot.top + index * MARK_LINE}
              y2={bottom}
            />
            <line
              class="percentile"
              x1={position}
              x2={position}
              y1={plot.top + index * MARK_LINE}
              y2={bottom}
            />
            <text
              class="percentile"
              x={position + (isRight ? -4 : 4)}
              y={plot.top + index * MARK_LINE + 10}
              text-anchor={isRight ? 'end' : 'start'}
            >
              {label}
            </text>
          </g>
        );
      })}
    </PlotFrame>
  );
}

function totalOf(layers: readonly ChartLayer[], index: number): number | null {
  let sum: number | null = null;
  for (const { values } of layers) {
    const value = values[index];
    if (value != null) sum = (sum ?? 0) + value;
  }
  return sum;
}

/** The layers of a column as the tip lists them: those above first, without empty ones if there are many. */
const shownOf = (layers: readonly ChartLayer[], index: number) => {
  const all = layers.map(({ name, kind, values }) => ({ name, kind, value: values[index] ?? 0 })).reverse();
  const some = all.filter(({ value }) => value > 0);
  return some.length > 0 ? some : all.slice(-1);
};

const spoken = (layers: readonly ChartLayer[], index: number, format: (value: number) => string): string =>
  totalOf(layers, index) === null
    ? words.chart.notObserved
    : shownOf(layers, index)
        .map(({ name, value }) => `${name} ${format(value)}`)
        .join(', ');
