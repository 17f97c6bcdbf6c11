import { useMemo, useRef, useState } from 'preact/hooks';
import type { AnySpan } from './span-tree.ts';
import { isError } from './span-tree.ts';

/** A part of a trace in milliseconds from its start. */
export interface Zoom {
  from: number;
  to: number;
}

const HEIGHT = 44;
/** The drawing's own units along the time. */
const UNITS = 1000;
/** The least part of the trace that is shown, and the least way that a pointer drags. */
const LEAST = 0.002;

/** What the address says of the zoom: `12.5~90`. Undefined: the whole trace. */
export function readZoom(text: string | undefined, whole: number): Zoom | undefined {
  const [from = Number.NaN, to = Number.NaN] = (text ?? '').split('~').map(Number);
  return from >= 0 && to <= whole && from < to ? { from, to } : undefined;
}

export const writeZoom = (zoom: Zoom | undefined): string | undefined =>
  zoom && `${Number(zoom.from.toFixed(3))}~${Number(zoom.to.toFixed(3))}`;

/** The part around a span. */
export const zoomOf = ({ offsetMs, durationMs }: AnySpan, whole: number): Zoom => {
  const room = Math.max(durationMs * 0.05, (whole * LEAST) / 2);
  return { from: Math.max(0, offsetMs - room), to: Math.min(whole, offsetMs + durationMs + room) };
};

interface MinimapProps {
  spans: readonly AnySpan[];
  seriesOf: (span: AnySpan) => number;
  /** Milliseconds of the whole trace. */
  whole: number;
  zoom: Zoom | undefined;
  onZoom: (zoom: Zoom | undefined) => void;
}

/** The whole trace in small. Dragging over it shows that part in large, a click the whole again. */
export function Minimap({ spans, seriesOf, whole, zoom, onZoom }: MinimapProps) {
  const container = useRef<HTMLDivElement>(null);
  const [dragged, setDragged] = useState<readonly [number, number] | undefined>();
  const paths = useMemo(() => pathsOf(spans, seriesOf, whole), [spans, whole]);
  const at = ({ clientX }: PointerEvent): number => {
    const { left = 0, width = 1 } = container.current?.getBoundingClientRect() ?? {};
    return Math.min(1, Math.max(0, (clientX - left) / width));
  };
  const release = (event: PointerEvent): void => {
    if (dragged === undefined) return;
    const [from, to] = [Math.min(dragged[0], at(event)), Math.max(dragged[0], at(event))];
    setDragged(undefined);
    onZoom(to - from < LEAST ? undefined : { from: from * whole, to: to * whole });
  };
  const [from, to] = dragged
    ? [Math.min(...dragged), Math.max(...dragged)]
    : zoom
      ? [zoom.from / whole, zoom.to / whole]
      : [0, 1];
  return (
    <div
      ref={container}
      class="minimap"
      aria-hidden="true"
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDragged([at(event), at(event)]);
      }}
      onPointerMove={(event) => dragged && setDragged([dragged[0], at(event)])}
      onPointerUp={release}
      onPointerCancel={() => setDragged(undefined)}
    >
      <svg viewBox={`0 0 ${UNITS} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {paths.map(([kind, path]) => (
          <path key={kind} class={kind} d={path} />
        ))}
        <rect class="beyond" x={0} width={from * UNITS} height={HEIGHT} />
        <rect class="beyond" x={to * UNITS} width={(1 - to) * UNITS} height={HEIGHT} />
      </svg>
    </div>
  );
}

/** One line a span, in the order of the tree; one path for each service's colour, and errors above them. */
function pathsOf(
  spans: readonly AnySpan[],
  seriesOf: MinimapProps['seriesOf'],
  whole: number,
): [string, string][] {
  const paths = new Map<string, string[]>();
  const step = (HEIGHT - 4) / Math.max(1, spans.length - 1);
  for (const [index, span] of spans.entries()) {
    const kind = isError(span) ? 'wrong' : `series-${seriesOf(span)}`;
    const [begin, end] = [span.offsetMs, span.offsetMs + span.durationMs].map((ms) => (UNITS * ms) / whole);
    const line = `M${begin?.toFixed(1)} ${(2 + Math.min(step, 6) * index).toFixed(1)}H${Math.max(end ?? 0, (begin ?? 0) + 2).toFixed(1)}`;
    const lines = paths.get(kind);
    if (lines === undefined) paths.set(kind, [line]);
    else lines.push(line);
  }
  return [...paths]
    .map(([kind, lines]): [string, string] => [kind, lines.join('')])
    .sort(([a], [b]) => Number(a === 'wrong') - Number(b === 'wrong'));
}
