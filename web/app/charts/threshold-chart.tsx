import { max } from 'd3-array';
import { words } from '../words/index.ts';
import { areaPath, linePath } from './path.ts';
import { PlotFrame, usePlot } from './plot.tsx';
import { roundScale } from './scale.ts';

export interface ThresholdPoint {
  label: string;
  longLabel: string;
  /** Null: not observed. */
  value: number | null;
  baseline: number | null;
  /** Where the rule begins to hold. */
  limit: number | null;
}

/** A part of the times, by the numbers of its first and last one. */
export interface Band {
  from: number;
  to: number;
}

interface ThresholdChartProps {
  name: string;
  points: readonly ThresholdPoint[];
  bands: readonly Band[];
  /** What the lines are called when they are read aloud. */
  names: { limit: string; baseline: string; band: string };
  format: (value: number) => string;
}

const HEIGHT = 220;
/** The least room for the numbers of the axis, and about the width of a character of theirs, in pixels. */
const LEFT = 60;
const CHARACTER = 7;
const LABEL_WIDTH = 64;
const LEAST_WIDTH = 4;

/** A line over time, the limit that it shouldn't cross, and bands where it was crossed. */
export function ThresholdChart({ name, points, bands, names, format }: ThresholdChartProps) {
  const top =
    max(points, ({ value, baseline, limit }) => Math.max(value ?? 0, baseline ?? 0, limit ?? 0)) || 1;
  const scale = roundScale(0, top);
  const ceiling = scale.at(-1) ?? 1;
  const left = Math.max(LEFT, 16 + CHARACTER * Math.max(...scale.map((value) => format(value).length)));
  const plot = usePlot(points.length, HEIGHT, left);
  const { bottom, chosen, x } = plot;
  const y = (value: number): number => bottom - ((bottom - plot.top) * value) / ceiling;
  const lineOf = (which: 'value' | 'baseline' | 'limit'): string =>
    linePath(
      points.map((point) => point[which]),
      { x, y },
    );
  const values = points.map(({ value }) => value);
  const point = chosen === undefined ? undefined : points[chosen];
  const isIn = (index: number): boolean => bands.some(({ from, to }) => from <= index && index <= to);
  const rows = (index: number): [string, string][] => {
    const { value, baseline, limit } = points[index] ?? { value: null, baseline: null, limit: null };
    return [
      [name, value === null ? words.chart.notObserved : format(value)],
      ...(baseline === null ? [] : [[names.baseline, format(baseline)] as [string, string]]),
      ...(limit === null ? [] : [[names.limit, format(limit)] as [string, string]]),
    ];
  };
  const spoken = (index: number): string =>
    [
      `${points[index]?.longLabel ?? ''}: ${rows(index)
        .map((row) => row.join(' '))
        .join(', ')}`,
      ...(isIn(index) ? [names.band] : []),
    ].join('. ');
  return (
    <PlotFrame
      {...{ plot, name, scale, y, format }}
      labels={points.map(({ label }) => label)}
      labelWidth={LABEL_WIDTH}
      spoken={chosen === undefined ? undefined : spoken(chosen)}
      tip={
        point &&
        chosen !== undefined && (
          <>
            <p class="soft">{point.longLabel}</p>
            {rows(chosen).map(([what, text], index) => (
              <p key={what} class={index === 0 ? undefined : 'soft'}>
                {index === 0 ? <strong>{text}</strong> : `${what}: ${text}`}
              </p>
            ))}
            {isIn(chosen) && <p class="wrong">{names.band}</p>}
          </>
        )
      }
    >
      {bands.map(({ from, to }) => {
        const left = Math.max(plot.left, x(from - 0.5));
        const width = Math.max(LEAST_WIDTH, Math.min(x(points.length - 1), x(to + 0.5)) - left);
        return (
          <g key={from} class="fired">
            <rect x={left} y={plot.top} width={width} height={bottom - plot.top} />
            <path d={`M${x(from) - 4},${plot.top - 8}h8l-4,7z`} />
          </g>
        );
      })}
      <path class="area" d={areaPath(values, { x, y }, bottom)} />
      <path class="line other" d={lineOf('baseline')} />
      <path class="line" d={lineOf('value')} />
      <path class="line limit" d={lineOf('limit')} />
      {point?.value != null && chosen !== undefined && (
        <circle class="dot" cx={x(chosen)} cy={y(point.value)} r={5} />
      )}
    </PlotFrame>
  );
}
