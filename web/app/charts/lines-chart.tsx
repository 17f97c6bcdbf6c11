import { max, min } from 'd3-array';
import { words } from '../words/index.ts';
import { linePath } from './path.ts';
import { PlotFrame, usePlot } from './plot.tsx';
import { roundScale } from './scale.ts';

export interface ChartLine {
  name: string;
  /** One for each time. Null: not observed. It leaves a gap. */
  values: readonly (number | null)[];
}

interface LinesChartProps {
  name: string;
  /** As people read them: short below the axis, long in the table. */
  times: readonly { label: string; longLabel: string }[];
  lines: readonly ChartLine[];
  format: (value: number) => string;
}

const HEIGHT = 260;
const LEFT = 64;
const LABEL_WIDTH = 72;
const COLOURS = 5;

/** The class of a line: its colour, and from the sixth on dashes too. */
const lineClass = (index: number): string =>
  `line series-${(index % COLOURS) + 1}${index >= COLOURS ? ` dashed-${Math.min(2, Math.floor(index / COLOURS))}` : ''}`;

/** Several lines over the same times, with a legend that has the values at the chosen time. */
export function LinesChart({ name, times, lines, format }: LinesChartProps) {
  const plot = usePlot(times.length, HEIGHT, LEFT);
  const { bottom, chosen, x } = plot;
  const known = lines.flatMap(({ values }) => values.filter((value) => value !== null));
  const floor = Math.min(0, min(known) ?? 0);
  const top = max(known) || 1;
  const scale = roundScale(floor, Math.max(0, top));
  const [least, most] = [Math.min(floor, scale[0] ?? 0), Math.max(top, scale.at(-1) ?? 1)];
  const y = (value: number): number => bottom - ((bottom - plot.top) * (value - least)) / (most - least || 1);
  const at = chosen ?? times.length - 1;
  const textAt = ({ values }: ChartLine): string => {
    const value = values[at];
    return value == null ? words.chart.notObserved : format(value);
  };
  return (
    <>
      <PlotFrame
        {...{ plot, name, scale, y, format }}
        labels={times.map(({ label }) => label)}
        labelWidth={LABEL_WIDTH}
        spoken={`${times[at]?.longLabel ?? ''}: ${lines.map((one) => `${one.name} ${textAt(one)}`).join(', ')}`}
      >
        {lines.map(({ name: of, values }, index) => (
          <path key={of} class={lineClass(index)} d={linePath(values, { x, y })} />
        ))}
      </PlotFrame>
      <p class="soft">{times[at]?.longLabel}</p>
      <ul class="legend">
        {lines.map((one, index) => (
          <li key={one.name}>
            <svg class="key" viewBox="0 0 24 8" aria-hidden="true">
              <path class={lineClass(index)} d="M1,4H23" />
            </svg>
            <span>{one.name}</span> <span class="number">{textAt(one)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
