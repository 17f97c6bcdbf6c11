import { max, ticks } from 'd3-array';
import { area, line } from 'd3-shape';
import { useState } from 'preact/hooks';
import { words } from '../words/index.ts';
import { useWidth } from './use-width.ts';

export interface ChartPoint {
  /** As people read it: short below the axis, long in the tip. */
  label: string;
  longLabel: string;
  /** Null: not observed. It leaves a gap, and is never drawn as 0. */
  value: number | null;
  /** The same of the period that it is compared with. */
  previous?: number | null | undefined;
  /** Whether more may still come. */
  unfinished?: boolean;
  /** Texts of annotations. */
  notes?: readonly string[];
}

interface LineChartProps {
  name: string;
  points: readonly ChartPoint[];
  format: (value: number) => string;
}

const HEIGHT = 240;
const MARGIN = { top: 12, right: 8, bottom: 24, left: 44 };
const LABEL_WIDTH = 64;

/** A line over time with its area, the period before, and a crosshair for mouse, touch and keyboard. */
export function LineChart({ name, points, format }: LineChartProps) {
  const { ref, width } = useWidth<HTMLDivElement>(720);
  const [chosen, setChosen] = useState<number | undefined>();
  const inner = width - MARGIN.left - MARGIN.right;
  const bottom = HEIGHT - MARGIN.bottom;
  const top = max(points, ({ value, previous }) => Math.max(value ?? 0, previous ?? 0)) || 1;
  const scale = ticks(0, top, 4);
  const ceiling = Math.max(top, scale.at(-1) ?? 1);
  const last = Math.max(1, points.length - 1);
  const x = (index: number): number => MARGIN.left + (inner * index) / last;
  const y = (value: number): number => bottom - ((bottom - MARGIN.top) * value) / ceiling;
  const indexed = points.map((point, index) => ({ ...point, index }));
  const draw = (part: typeof indexed, of: 'value' | 'previous' = 'value'): string =>
    line<(typeof indexed)[number]>()
      .defined((point) => typeof point[of] === 'number')
      .x(({ index }) => x(index))
      .y((point) => y(point[of] ?? 0))(part) ?? '';
  const firstOpen = points.findIndex(({ unfinished }) => unfinished);
  const closed = firstOpen < 0 ? indexed : indexed.slice(0, firstOpen);
  const open = firstOpen < 0 ? [] : indexed.slice(Math.max(0, firstOpen - 1));
  const every = Math.max(1, Math.ceil(points.length / Math.max(2, Math.floor(inner / LABEL_WIDTH))));
  const point = chosen === undefined ? undefined : points[chosen];

  const choose = (clientX: number, element: Element): void => {
    const { left } = element.getBoundingClientRect();
    const index = Math.round(((clientX - left - MARGIN.left) / Math.max(1, inner)) * last);
    setChosen(Math.min(points.length - 1, Math.max(0, index)));
  };
  const step = (event: KeyboardEvent): void => {
    const to = {
      ArrowLeft: (chosen ?? points.length) - 1,
      ArrowRight: (chosen ?? -1) + 1,
      Home: 0,
      End: points.length - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setChosen(Math.min(points.length - 1, Math.max(0, to)));
  };

  return (
    <div
      ref={ref}
      class="chart"
      tabIndex={0}
      role="slider"
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={chosen ?? last}
      aria-valuetext={point ? spoken(point, format) : undefined}
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
        {indexed
          .filter(({ index }) => index % every === 0)
          .map(({ index, label }) => (
            <text
              key={index}
              x={x(index)}
              y={HEIGHT - 4}
              text-anchor={index === 0 ? 'start' : x(index) > width - LABEL_WIDTH / 2 ? 'end' : 'middle'}
            >
              {label}
            </text>
          ))}
        <path
          class="area"
          d={
            area<(typeof indexed)[number]>()
              .defined(({ value }) => value !== null)
              .x(({ index }) => x(index))
              .y0(bottom)
              .y1(({ value }) => y(value ?? 0))(indexed) ?? ''
          }
        />
        <path class="line other" d={draw(indexed, 'previous')} />
        <path class="line" d={draw(closed)} />
        <path class="line unfinished" d={draw(open)} />
        {indexed
          .filter(({ notes }) => notes !== undefined && notes.length > 0)
          .map(({ index }) => (
            <circle key={index} class="mark" cx={x(index)} cy={bottom} r={4} />
          ))}
        {point && chosen !== undefined && (
          <>
            <line class="cross" x1={x(chosen)} x2={x(chosen)} y1={MARGIN.top} y2={bottom} />
            {point.value !== null && <circle class="dot" cx={x(chosen)} cy={y(point.value)} r={5} />}
          </>
        )}
      </svg>
      <div
        aria-hidden="true"
        class={point ? 'tip' : 'unseen'}
        style={point && tipPlace(x(chosen ?? 0), width)}
      >
        {point && <Tip point={point} format={format} />}
      </div>
    </div>
  );
}

const spoken = ({ longLabel, value }: ChartPoint, format: (value: number) => string): string =>
  `${longLabel}: ${value === null ? words.chart.notObserved : format(value)}`;

const tipPlace = (at: number, width: number) =>
  at > width / 2 ? { right: `${width - at + 12}px` } : { left: `${at + 12}px` };

const Tip = ({ point, format }: { point: ChartPoint; format: (value: number) => string }) => (
  <>
    <p class="soft">{point.longLabel}</p>
    <p>
      <strong>{point.value === null ? words.chart.notObserved : format(point.value)}</strong>{' '}
      {point.unfinished && <span class="soft">{words.chart.unfinished}</span>}
    </p>
    {typeof point.previous === 'number' && (
      <p class="soft">
        {words.compare.previous}: {format(point.previous)}
      </p>
    )}
    {point.notes?.map((note) => (
      <p key={note}>{note}</p>
    ))}
  </>
);
