import { Link } from 'wouter-preact';
import type { TraceItem } from '../../api/operations.generated.ts';
import { useWidth } from '../../charts/use-width.ts';
import { milliseconds, time } from '../../format.ts';

const HEIGHT = 132;
const LEFT = 56;
const RIGHT = 8;
const TOP = 10;
const BOTTOM = HEIGHT - 26;
const LONG_MS = 36 * 3_600_000;
/** The least that a duration is taken for, in milliseconds: a logarithm has no 0. */
const LEAST = 0.001;

interface ScatterProps {
  traces: readonly TraceItem[];
  hrefOf: (trace: TraceItem) => string;
}

/** When traces began and how long they took. The list below it says the same, so that only the pointer needs it. */
export function Scatter({ traces, hrefOf }: ScatterProps) {
  const { ref, width } = useWidth<HTMLDivElement>(720);
  const starts = traces.map(({ start }) => Date.parse(start));
  const tooks = traces.map(({ durationMs }) => Math.log10(Math.max(LEAST, durationMs)));
  const [first, last] = [Math.min(...starts), Math.max(...starts)];
  const [low, high] = [Math.floor(Math.min(...tooks)), Math.ceil(Math.max(...tooks) + 0.01)];
  const x = (at: number): number =>
    LEFT + ((width - LEFT - RIGHT) * (at - first)) / Math.max(1, last - first);
  const y = (took: number): number => BOTTOM - ((BOTTOM - TOP) * (took - low)) / Math.max(1, high - low);
  const powers = Array.from({ length: high - low + 1 }, (_, index) => low + index);
  const form = last - first > LONG_MS ? 'day' : 'hour';
  return (
    <div class="card part scatter">
      <div ref={ref} class="chart">
        <svg height={HEIGHT} aria-hidden="true">
          {powers.map((power) => (
            <g key={power}>
              <line class="grid" x1={LEFT} x2={width - RIGHT} y1={y(power)} y2={y(power)} />
              <text x={LEFT - 8} y={y(power) + 4} text-anchor="end">
                {milliseconds(10 ** power)}
              </text>
            </g>
          ))}
          <text x={LEFT} y={HEIGHT - 6}>
            {time(first, form, 'UTC')} UTC
          </text>
          <text x={width - RIGHT} y={HEIGHT - 6} text-anchor="end">
            {time(last, form, 'UTC')} UTC
          </text>
          {traces.map((trace, index) => (
            <Link key={trace.traceId} href={hrefOf(trace)} tabindex={-1}>
              <circle
                class={trace.errors > 0 ? 'wrong' : undefined}
                cx={x(starts[index] ?? first)}
                cy={y(tooks[index] ?? low)}
                r="5"
              >
                <title>{`${trace.root.service} ${trace.root.operation}, ${milliseconds(trace.durationMs)}`}</title>
              </circle>
            </Link>
          ))}
        </svg>
      </div>
    </div>
  );
}
