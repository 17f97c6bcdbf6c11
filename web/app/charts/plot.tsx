import type { ComponentChildren, RefObject } from 'preact';
import { useState } from 'preact/hooks';
import { words } from '../words/index.ts';
import { tipPosition } from './tip-position.ts';
import { useWidth } from './use-width.ts';

/** How much larger texts are than usual, where a person has larger ones. */
const TEXT_SCALE = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
const TOP = 12 * TEXT_SCALE;
const RIGHT = 8;
const BELOW = 24 * TEXT_SCALE;

/** The area of a chart over time, and which of its times is chosen. */
export interface Plot {
  ref: RefObject<HTMLDivElement>;
  height: number;
  width: number;
  /** Whether the width is known. Nothing is drawn before. */
  isKnown: boolean;
  /** Where the drawing begins and ends, in pixels. */
  left: number;
  top: number;
  bottom: number;
  count: number;
  /** How many cells each column has; 1 if it is one. Cells are numbered from below, then from left to right. */
  rows: number;
  /** The number of the chosen time, or cell. */
  chosen: number | undefined;
  choose: (index: number | undefined) => void;
  /** Where a selection began that ends at the chosen time. */
  anchor: number | undefined;
  setAnchor: (index: number | undefined) => void;
  /** The width of a column in pixels; 0 if times are points. */
  band: number;
  /** The position of the time with this number, in pixels: of a column its middle. */
  x: (index: number) => number;
  /** The number of the time, or cell, at a position. */
  at: (x: number, y: number) => number;
}

/** One of `all` numbers from 0 on. */
const within = (number: number, all: number): number => Math.min(all - 1, Math.max(0, number));

/** A plot of `count` times, `left` pixels from the edge: points on a line, or columns side by side, of `rows` cells. */
export function usePlot(
  count: number,
  usualHeight: number,
  usualLeft: number,
  { columns = false, rows = 1 }: { columns?: boolean; rows?: number } = {},
): Plot {
  const { ref, width, isKnown } = useWidth<HTMLDivElement>(720);
  const [height, left] = [usualHeight * TEXT_SCALE, usualLeft * TEXT_SCALE];
  const [chosen, setChosen] = useState<number | undefined>();
  const [anchor, setAnchor] = useState<number | undefined>();
  const choose = (index: number | undefined): void =>
    setChosen(index === undefined ? undefined : within(index, count * rows));
  const room = Math.max(1, width - left - RIGHT);
  const step = room / Math.max(1, columns ? count : count - 1);
  const x = (index: number): number => left + step * (columns ? index + 0.5 : index);
  const bottom = height - BELOW;
  const at = (position: number, y: number): number =>
    within(columns ? Math.floor((position - left) / step) : Math.round((position - left) / step), count) *
      rows +
    within(Math.floor(((bottom - y) / (bottom - TOP)) * rows), rows);
  return {
    ...{
      ref,
      height,
      width,
      isKnown,
      left,
      top: TOP,
      bottom,
      count,
      rows,
      // Another range may have fewer.
      chosen: chosen !== undefined && chosen < count * rows ? chosen : undefined,
      choose,
      anchor,
      setAnchor,
    },
    ...{ band: columns ? step : 0, x, at },
  };
}

/** A click or Enter picks one time, or cell, dragging or Shift with the arrows several. */
export interface Picking {
  /** What it does. */
  hint: string;
  /** Of several cells they are two opposite corners. */
  onPick: (first: number, last: number) => void;
}

interface PlotFrameProps {
  plot: Plot;
  name: string;
  /** The numbers of the grid's lines, their heights in pixels, and how they are written. */
  scale: readonly number[];
  y: (value: number) => number;
  format: (value: number) => string;
  /** What stands below each time. */
  labels: readonly string[];
  labelWidth: number;
  /** The chosen time as it is read aloud. */
  spoken: string | undefined;
  /** What is drawn, and what stands beside the chosen time. */
  children: ComponentChildren;
  tip?: ComponentChildren;
  pick?: Picking | undefined;
}

/** About the width of a character below the axis, and how far a label may stand over the edge, in pixels. */
const CHARACTER = 6 * TEXT_SCALE;
const OVER = 14;
/** How many times from one label to the next: parts of a day, a week or a year. */
const STEPS = [1, 2, 3, 4, 6, 7, 12, 14, 24, 28, 48, 56];

/** The numbers of the times that are labelled: all equally far from each other, none over another or beyond the edges. */
function labelled({ count, width, x }: Plot, labels: readonly string[], labelWidth: number): number[] {
  // A day with several times is named where it begins.
  const starts = labels.flatMap((label, index) => (label === labels[index - 1] ? [] : [index]));
  const [first = 0, second = 0, third = 0] = starts;
  // The first day may have begun earlier.
  if (starts.length > 2 && second - first < third - second) starts.shift();
  const apart = (x(count - 1) - x(0)) / Math.max(1, starts.length - 1);
  const needed = (labelWidth * TEXT_SCALE) / Math.max(1, apart);
  const every = STEPS.find((step) => step >= needed) ?? Math.ceil(needed);
  return starts.filter((index, number) => {
    const half = (CHARACTER * (labels[index]?.length ?? 0)) / 2;
    return number % every === 0 && x(index) + half < width + OVER && x(index) - half > -OVER;
  });
}

/** Grid, labels, and a crosshair for mouse, touch and keyboard. */
export function PlotFrame(props: PlotFrameProps) {
  const { plot, name, scale, y, format, labels, labelWidth, spoken, children, tip, pick } = props;
  const {
    ref,
    height,
    width,
    isKnown,
    left,
    top,
    bottom,
    count,
    rows,
    chosen,
    choose,
    anchor,
    setAnchor,
    x,
    at,
    band,
  } = plot;
  const total = count * rows;
  const last = Math.max(1, total - 1);
  const point = ({ clientX, clientY, currentTarget }: PointerEvent & { currentTarget: Element }): number => {
    const position = currentTarget.getBoundingClientRect();
    const index = at(clientX - position.left, clientY - position.top);
    choose(index);
    return index;
  };
  const leave = (): void => {
    choose(undefined);
    setAnchor(undefined);
  };
  const pickUpTo = (index: number): void => {
    const from = anchor ?? index;
    leave();
    pick?.onPick(Math.min(from, index), Math.max(from, index));
  };
  const press = (event: PointerEvent & { currentTarget: HTMLElement }): void => {
    const before = chosen;
    const index = point(event);
    if (pick === undefined || event.button !== 0) return;
    // A finger's first touch reads a time, its second one picks it.
    if (event.pointerType === 'touch' && index !== before) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setAnchor(index);
  };
  const step = (event: KeyboardEvent): void => {
    if (pick !== undefined && event.key === 'Enter' && chosen !== undefined) pickUpTo(chosen);
    if (event.key === 'Escape') leave();
    const row = (chosen ?? 0) % rows;
    const to = {
      ArrowLeft: (chosen ?? total) - rows,
      ArrowRight: (chosen ?? -rows) + rows,
      ...(rows > 1 && {
        ArrowUp: (chosen ?? 0) + (row < rows - 1 ? 1 : 0),
        ArrowDown: (chosen ?? 0) - (row > 0 ? 1 : 0),
      }),
      Home: row,
      End: total - rows + row,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to < 0 || to >= total) return;
    setAnchor(pick !== undefined && event.shiftKey ? (anchor ?? chosen) : undefined);
    choose(to);
  };
  const selected =
    rows > 1 || anchor === undefined || chosen === undefined || anchor === chosen
      ? undefined
      : [Math.min(anchor, chosen), Math.max(anchor, chosen)];
  return (
    <div
      ref={ref}
      class="chart"
      tabIndex={0}
      role="slider"
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={chosen ?? last}
      aria-valuetext={spoken}
      aria-label={[`${name}.`, words.chart.keys, pick?.hint].filter(Boolean).join(' ')}
      onPointerMove={point}
      onPointerDown={press}
      onPointerUp={(event) => anchor !== undefined && pickUpTo(point(event))}
      onPointerCancel={leave}
      // A finger that was lifted leaves what it chose to be read.
      onPointerLeave={(event) => event.pointerType === 'mouse' && leave()}
      onKeyDown={step}
      onBlur={leave}
    >
      <svg height={height} aria-hidden="true">
        {isKnown && (
          <>
            {scale.map((value) => (
              <g key={value}>
                <line class="grid" x1={left} x2={width - RIGHT} y1={y(value)} y2={y(value)} />
                <text x={left - 8} y={y(value) + 4 * TEXT_SCALE} text-anchor="end">
                  {format(value)}
                </text>
              </g>
            ))}
            {labelled(plot, labels, labelWidth).map((index) => (
              <text key={index} x={x(index)} y={height - 4} text-anchor="middle">
                {labels[index]}
              </text>
            ))}
            {selected && (
              <rect
                class="selected"
                x={x(selected[0] ?? 0) - band / 2}
                y={top}
                width={x(selected[1] ?? 0) - x(selected[0] ?? 0) + band}
                height={bottom - top}
              />
            )}
            {children}
            {chosen !== undefined && rows === 1 && (
              <line class="cross" x1={x(chosen)} x2={x(chosen)} y1={top} y2={bottom} />
            )}
          </>
        )}
      </svg>
      {tip && (
        <div aria-hidden="true" class="tip" style={tipPosition(x(Math.floor((chosen ?? 0) / rows)), width)}>
          {tip}
        </div>
      )}
    </div>
  );
}
