import { max } from 'd3-array';
import { areaPath, linePath } from './path.ts';

const HEIGHT = 30;

interface SparklineProps {
  /** Null: not observed, which leaves a gap. */
  values: readonly (number | null)[];
  /** Whether the last one isn't over. */
  unfinished?: boolean;
}

/** A small line without axes. The number beside it says what it is about. */
export function Sparkline({ values, unfinished = false }: SparklineProps) {
  const top = max(values, (value) => value ?? 0) || 1;
  const last = Math.max(1, values.length - 1);
  const x = (index: number): number => (100 * index) / last;
  const y = (value: number): number => HEIGHT - 1 - ((HEIGHT - 2) * value) / top;
  const drawn = { x, y, isSmooth: true };
  const isOpen = (index: number): boolean => unfinished && index === values.length - 1;
  return (
    <svg class="spark" viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path class="area" d={areaPath(values, drawn, HEIGHT)} />
      <path d={linePath(values, drawn, (_, to) => !isOpen(to))} />
      {unfinished && <path class="unfinished" d={linePath(values, drawn, (_, to) => isOpen(to))} />}
    </svg>
  );
}
