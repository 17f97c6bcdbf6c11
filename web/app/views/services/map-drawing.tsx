import { Link } from 'wouter-preact';
import type { ServiceMap } from '../../api/operations.generated.ts';
import { useWidth } from '../../charts/use-width.ts';
import { compact, exact } from '../../format.ts';
import { useFields } from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';
import type { Layers } from './layers.ts';

const NODE_HEIGHT = 44;
const GAP = 20;
const MOST_STROKE = 6;
const MOST_CHARS = 18;
const LEAST_COLUMN = 150;

interface MapDrawingProps extends Layers {
  map: ServiceMap;
  name: string;
  /** The service that the drawing is about. */
  chosen?: string;
}

/** Services in layers from left to right, with their calls. */
export function MapDrawing({ map, layers, edges, leftOut, name: title, chosen }: MapDrawingProps) {
  const { hrefWith } = useFields();
  const { ref, width } = useWidth<HTMLElement>(900);
  const texts = backendWords.services;
  const rows = Math.max(...layers.map((layer) => layer.length));
  const height = rows * (NODE_HEIGHT + GAP) + GAP;
  const column = width / layers.length;
  const nodeWidth = Math.min(180, column * 0.66);
  const most = Math.max(...edges.map(({ calls }) => calls));
  const positions = new Map(
    layers.flatMap((layer, at) =>
      layer.map((name, row) => {
        const x = column * (at + 0.5);
        const y = (height * (row + 0.5)) / layer.length;
        return [name, { x, y, at }] as const;
      }),
    ),
  );
  return (
    <figure
      ref={ref}
      {...(chosen === undefined
        ? { class: 'service-map whole', style: { minWidth: `${LEAST_COLUMN * layers.length}px` } }
        : { class: 'service-map' })}
      aria-label={title}
    >
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: the figure around it has its name */}
      <svg height={height}>
        {edges.map(({ caller, callee, calls, errors }) => {
          const from = positions.get(caller);
          const to = positions.get(callee);
          if (from === undefined || to === undefined) return null;
          const isBack = to.at <= from.at;
          const [x1, x2] = [from.x + nodeWidth / 2, to.x + (isBack ? nodeWidth / 2 : -nodeWidth / 2)];
          const bend = isBack ? column * 0.3 : Math.max(20, (x2 - x1) / 2);
          const middle = isBack ? Math.max(x1, x2) + bend * 0.75 : (x1 + x2) / 2;
          return (
            <g key={`${caller} ${callee}`} class={errors > 0 ? 'edge wrong' : 'edge'}>
              <path
                d={`M${x1},${from.y}C${x1 + bend},${from.y} ${isBack ? x2 + bend : x2 - bend},${to.y} ${x2},${to.y}`}
                stroke-width={1 + (MOST_STROKE * calls) / most}
              />
              <text x={middle} y={(from.y + to.y) / 2 - 8} text-anchor="middle">
                {compact(calls)}
              </text>
            </g>
          );
        })}
        {[...positions].map(([name, { x, y }]) => {
          const node = map.nodes.find((one) => one.service === name);
          return (
            <Link
              key={name}
              href={hrefWith({ service: name })}
              aria-current={name === chosen ? 'true' : undefined}
            >
              <g class={name === chosen ? 'node chosen' : 'node'}>
                <title>{name}</title>
                <rect
                  x={x - nodeWidth / 2}
                  y={y - NODE_HEIGHT / 2}
                  width={nodeWidth}
                  height={NODE_HEIGHT}
                  rx={8}
                />
                <text x={x} y={y - 2} text-anchor="middle">
                  {name.length > MOST_CHARS ? `${name.slice(0, MOST_CHARS - 1)}…` : name}
                </text>
                <text x={x} y={y + 14} text-anchor="middle" class="soft">
                  {node?.entries == null ? '' : texts.entryCount(node.entries, compact(node.entries))}
                </text>
              </g>
            </Link>
          );
        })}
      </svg>
      {leftOut > 0 && <p class="soft">{texts.leftOut(leftOut, exact(leftOut))}</p>}
    </figure>
  );
}
