import { useRef, useState } from 'preact/hooks';
import { ShadeKey, shadeOf } from '../charts/shades.tsx';
import { tipPosition } from '../charts/tip-position.ts';
import { useWidth } from '../charts/use-width.ts';
import { country } from '../format.ts';
import { words } from '../words/index.ts';
import { HEIGHT, PATHS, POINTS, WIDTH } from './country-shapes.generated.ts';

export interface MapPlace {
  /** Of a country. */
  code: string;
  name: string;
  weight: number;
  /** Its figures as people read them. */
  text: string;
}

interface WorldMapProps {
  name: string;
  /** The heaviest first. */
  places: readonly MapPlace[];
  isHatched: boolean;
  /** What is said of a country that isn't among the places. */
  none: string;
  onOpen: (code: string) => void;
}

/** Of a country that is a point. */
const RADIUS = 2.5;
const POINT_OF = POINTS as unknown as Readonly<Record<string, readonly [number, number]>>;

/** Countries shaded by their weight, which a mouse, a finger and the keyboard read and open. */
export function WorldMap({ name, places, isHatched, none, onOpen }: WorldMapProps) {
  const { ref, width } = useWidth<HTMLDivElement>(WIDTH);
  const [chosen, setChosen] = useState<string | undefined>();
  /** A finger reads a country first, and opens it when it comes back. */
  const before = useRef<string | undefined>(undefined);
  const byCode = new Map(places.map((place) => [place.code, place]));
  const top = Math.max(1, ...places.map(({ weight }) => weight));
  const index = places.findIndex(({ code }) => code === chosen);
  const shown =
    chosen === undefined ? undefined : (byCode.get(chosen) ?? { name: country(chosen), text: none });

  const codeAt = ({ target }: Event): string | undefined =>
    target instanceof SVGElement ? target.dataset.code : undefined;
  const open = (code: string | undefined): void => {
    if (code !== undefined && byCode.has(code)) onOpen(code);
  };
  const step = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') setChosen(undefined);
    if (event.key === 'Enter') open(chosen);
    const last = places.length - 1;
    const to = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setChosen(places[Math.min(last, Math.max(0, to))]?.code);
  };
  const classOf = (code: string): string => {
    const weight = byCode.get(code)?.weight ?? 0;
    return `land shade-${shadeOf(weight, top)}${code === chosen ? ' chosen' : ''}`;
  };
  const draw = (code: string) => {
    const point = POINT_OF[code];
    const path = PATHS[code as keyof typeof PATHS];
    if (path !== undefined) return <path key={code} data-code={code} class={classOf(code)} d={path} />;
    // Of the smallest countries those are drawn that somebody came from.
    if (point === undefined || !byCode.has(code)) return null;
    return (
      <circle key={code} data-code={code} class={classOf(code)} cx={point[0]} cy={point[1]} r={RADIUS} />
    );
  };
  const at = chosen === undefined ? undefined : positionOf(chosen, ref.current);
  return (
    <>
      <div
        ref={ref}
        class={isHatched ? 'chart map hatched' : 'chart map'}
        tabIndex={0}
        role="slider"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, places.length - 1)}
        aria-valuenow={Math.max(0, index)}
        aria-valuetext={shown && `${shown.name}: ${shown.text}`}
        aria-label={`${name}. ${words.chart.keys} ${words.map.keys}`}
        onPointerDown={(event) => {
          before.current = event.pointerType === 'mouse' ? codeAt(event) : chosen;
          setChosen(codeAt(event));
        }}
        onPointerMove={(event) => event.pointerType === 'mouse' && setChosen(codeAt(event))}
        onPointerLeave={(event) => event.pointerType === 'mouse' && setChosen(undefined)}
        onClick={(event) => before.current === codeAt(event) && open(codeAt(event))}
        onKeyDown={step}
        onBlur={() => setChosen(undefined)}
      >
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
          {[...Object.keys(PATHS), ...Object.keys(POINT_OF)].filter((code) => code !== chosen).map(draw)}
          {/* Above its neighbours, for its edge. */}
          {chosen !== undefined && draw(chosen)}
        </svg>
        {shown && (
          <div
            aria-hidden="true"
            class="tip"
            style={{ ...tipPosition(at?.x ?? 0, width), top: `${at?.y ?? 0}px` }}
          >
            <p class="soft">{shown.name}</p>
            <strong>{shown.text}</strong>
          </div>
        )}
      </div>
      {places.length > 0 && (
        <p class="shades soft" aria-hidden="true">
          <ShadeKey top={top} />
        </p>
      )}
    </>
  );
}

/** The middle of a country in pixels of the map, as it is drawn. */
function positionOf(code: string, map: HTMLElement | null): { x: number; y: number } | undefined {
  const shape = map?.querySelector(`[data-code="${code}"]`)?.getBoundingClientRect();
  const frame = map?.getBoundingClientRect();
  if (shape === undefined || frame === undefined) return undefined;
  return { x: (shape.left + shape.right) / 2 - frame.left, y: (shape.top + shape.bottom) / 2 - frame.top };
}
