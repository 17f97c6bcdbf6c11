import { max, min, ticks } from 'd3-array';
import { line } from 'd3-shape';
import { useState } from 'preact/hooks';
import { words } from '../words/index.ts';
import { useWidth } from './use-width.ts';

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
const MARGIN = { top: 12, right: 8, bottom: 24, left: 64 };
const LABEL_WIDTH = 72;
const COLOURS = 5;

/** The class of a line: its colour, and from the sixth on dashes too. */
const lineClass = (index: number): string =>
  `line series-${(index % COLOURS) + 1}${index >= COLOURS ? ` dashed-${Math.min(2, Math.floor(index / COLOURS))}` : ''}`;

/** Several lines over the same times, with a legend that has the values at the chosen time. */
export function LinesChart({ name, times, lines, format }: LinesChartProps) {
  const { ref, width } = useWidth<HTMLDivElement>(720);
  const [chosen, setChosen] = useState<number | undefined>();
  const inner = width - MARGIN.left - MARGIN.right;
  const bottom = HEIGHT - MARGIN.bottom;
  const known = lines.flatMap(({ values }) => values.filter((value) => value !== null));
  const floor = Math.min(0, min(known) ?? 0);
  const top = max(known) || 1;
  const scale = ticks(floor, Math.max(0, top), 4);
  const [least, most] = [Math.min(floor, scale[0] ?? 0), Math.max(top, scale.at(-1) ?? 1)];
  const last = Math.max(1, times.length - 1);
  const x = (index: number): number => MARGIN.left + (inner * index) / last;
  const y = (value: number): number =>
    bottom - ((bottom - MARGIN.top) * (value - least)) / (most - least || 1);
  const every = Math.max(1, Math.ceil(times.length / Math.max(2, Math.floor(inner / LABEL_WIDTH))));
  const at = chosen ?? times.length - 1;
  const textAt = ({ values }: ChartLine): string => {
    const value = values[at];
    return value == null ? words.chart.notObserved : format(value);
  };

  const choose = (clientX: number, element: Element): void => {
    const { left } = element.getBoundingClientRect();
    const index = Math.round(((clientX - left - MARGIN.left) / Math.max(1, inner)) * last);
    setChosen(Math.min(times.length - 1, Math.max(0, index)));
  };
  const step = (event: KeyboardEvent): void => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: times.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setChosen(Math.min(times.length - 1, Math.max(0, to)));
  };

  return (
    <>
      <div
        ref={ref}
        class="chart"
        tabIndex={0}
        role="slider"
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at}
        aria-valuetext={`${times[at]?.longLabel ?? ''}: ${lines.map((one) => `${one.name} ${textAt(one)}`).join(', ')}`}
        aria-label={`${name}. ${words.chart.keys}`}
        onPointerMove={(event) => choose(event.clientX, event.currentTarget)}
        onPointerDown={(event) => choose(event.clientX, event.currentTarget)}
        onPointerLeave={() => setChosen(undefined)}
        onKeyDown={step}
        onBlur={() => setChosen(undefined)}
      >
        <svg height={HEIGHT} aria-hidden="true">
          {scale.map((value) => (
            <g key={value}>
              <line class="grid" x1={MARGIN.left} x2={width - MARGIN.right} y1={y(value)} y2={y(value)} />
              <text x={MARGIN.left - 8} y={y(value) + 4} text-anchor="end">
                {format(value)}
              </text>
            </g>
          ))}
          {times.map(
            ({ label }, index) =>
              index % every === 0 &&
              x(index) < width - LABEL_WIDTH / 2 && (
                <text key={index} x={x(index)} y={HEIGHT - 4} text-anchor={index === 0 ? 'start' : 'middle'}>
                  {label}
                </text>
              ),
          )}
          {lines.map(({ name: of, values }, index) => (
            <path
              key={of}
              class={lineClass(index)}
              d={
                line<number | null>()
                  .defined((value) => value !== null)
                  .x((_, place) => x(place))
                  .y((value) => y(value ?? 0))([...values]) ?? ''
              }
            />
          ))}
          {chosen !== undefined && (
            <line class="cross" x1={x(chosen)} x2={x(chosen)} y1={MARGIN.top} y2={bottom} />
          )}
        </svg>
      </div>
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
