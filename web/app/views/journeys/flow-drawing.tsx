import { useWidth } from '../../charts/use-width.ts';
import { exact } from '../../format.ts';
import { words } from '../../words/index.ts';
import { type Flow, type FlowNode, flowOf, type JourneyRow } from './flow.ts';

const PAGES = 5;
const MOST_STEPS = 4;
/** The least room for a step with the name of its page, in pixels. */
const STEP_WIDTH = 150;
const BAR = 6;
const GAP = 26;
const HEIGHT = 260;
const TEXT = 14;
const CHARACTER = 6.5;

interface FlowDrawingProps {
  rows: readonly JourneyRow[];
  name: string;
}

interface Position {
  x: number;
  y: number;
  height: number;
}

/** The most frequent journeys from left to right, as wide as they are frequent. The table below says the same. */
export function FlowDrawing({ rows, name }: FlowDrawingProps) {
  const { ref, width, isKnown } = useWidth<HTMLDivElement>(720);
  const flow = flowOf(rows, {
    steps: Math.max(2, Math.min(MOST_STEPS, Math.floor(width / STEP_WIDTH))),
    pages: PAGES,
  });
  const step = width / Math.max(1, flow.steps.length);
  const { positions, scale, height } = layOut(flow, step);
  const shorten = (text: string): string => {
    const most = Math.floor((step - BAR - 12) / CHARACTER);
    return text.length > most ? `${text.slice(0, Math.max(1, most - 1))}…` : text;
  };
  const left = new Map<FlowNode, number>();
  const arrived = new Map<FlowNode, number>();
  const bands = flow.links
    .toSorted(
      (a, b) => orderOf(flow, a.from) - orderOf(flow, b.from) || orderOf(flow, a.to) - orderOf(flow, b.to),
    )
    .map((link) => {
      const [from, to] = [positions.get(link.from), positions.get(link.to)];
      const wide = link.journeys * scale;
      const [begun, ended] = [left.get(link.from) ?? 0, arrived.get(link.to) ?? 0];
      left.set(link.from, begun + wide);
      arrived.set(link.to, ended + wide);
      return { link, wide, d: from && to ? bandOf(from, to, begun + wide / 2, ended + wide / 2) : '' };
    });
  return (
    <div ref={ref} class="flow">
      {isKnown && (
        <svg height={height} role="img" aria-label={name}>
          {bands.map(({ link, wide, d }) => (
            <path
              key={`${link.from.step} ${link.from.page} ${link.to.page}`}
              class="flow-band"
              d={d}
              stroke-width={Math.max(1, wide)}
            >
              <title>{`${nameOf(link.from)} → ${nameOf(link.to)}: ${exact(link.journeys)}`}</title>
            </path>
          ))}
          {flow.steps.flat().map((node) => {
            const at = positions.get(node);
            return (
              at && (
                <g key={`${node.step} ${node.page}`}>
                  <rect class="flow-page" x={at.x} y={at.y} width={BAR} height={at.height} rx={2} />
                  <text class={node.page === undefined ? 'soft' : undefined} x={at.x} y={at.y - 6}>
                    {shorten(`${nameOf(node)} ${exact(node.journeys)}`)}
                    <title>{`${nameOf(node)}: ${exact(node.journeys)}`}</title>
                  </text>
                </g>
              )
            );
          })}
        </svg>
      )}
    </div>
  );
}

const nameOf = ({ page }: FlowNode): string => page ?? words.split.others;

const orderOf = ({ steps }: Flow, node: FlowNode): number => steps[node.step]?.indexOf(node) ?? 0;

/** Where each page stands: below each other, as high as it is frequent, with room for its name. */
function layOut({ steps }: Flow, step: number) {
  const sums = steps.map((nodes) => nodes.reduce((sum, { journeys }) => sum + journeys, 0));
  const scale = HEIGHT / Math.max(1, ...sums);
  const positions = new Map<FlowNode, Position>();
  let height = 0;
  for (const [index, nodes] of steps.entries()) {
    let y = 0;
    for (const node of nodes) {
      y += GAP;
      const high = Math.max(2, node.journeys * scale);
      positions.set(node, { x: index * step, y, height: high });
      y += high;
    }
    height = Math.max(height, y);
  }
  return { positions, scale, height: height + TEXT };
}

/** The middle of a band, from the right edge of a page to the left edge of another. */
function bandOf(from: Position, to: Position, below: number, belowTo: number): string {
  const [x0, x1] = [from.x + BAR, to.x];
  const [y0, y1] = [from.y + below, to.y + belowTo];
  const middle = (x0 + x1) / 2;
  return `M${x0},${y0}C${middle},${y0} ${middle},${y1} ${x1},${y1}`;
}
