import { toMs } from '../latency.ts';
import { clockSkews, shiftNodes } from './clock-skew.ts';
import { criticalPath } from './critical-path.ts';
import { buildTree, extentOf, type Irregularity, type TreeSpan } from './span-tree.ts';

/** A node's position in its trace, with corrected clocks. */
interface SpanLayout {
  spanId: string;
  parent: number | null;
  depth: number;
  offsetMs: number;
  durationMs: number;
  criticalMs: number | null;
}

export interface LaidOut<Span> {
  /** When the first span began; null without spans. */
  start: string | null;
  durationMs: number | null;
  /** Each node before its children. `span` is null if it wasn't received. */
  nodes: { layout: SpanLayout; span: Span | null; clockSkewMs: number; irregularity: Irregularity | null }[];
}

/** Lays out a trace's spans, given in any order: as a tree, with corrected clocks and the critical path. */
export function layOut<Span extends TreeSpan>(spans: readonly Span[]): LaidOut<Span> {
  const tree = buildTree(spans);
  const skews = clockSkews(tree);
  const nodes = shiftNodes(tree, skews);
  const critical = criticalPath(nodes);
  const whole = extentOf(nodes);
  return {
    start: spans.length === 0 ? null : startOf(spans, whole.start),
    durationMs: spans.length === 0 ? null : toMs(whole.duration),
    nodes: nodes.map(({ spanId, parent, depth, start, duration, span, irregularity }, at) => {
      const criticalNano = critical[at] ?? null;
      return {
        layout: {
          ...{ spanId, parent, depth, offsetMs: toMs(start - whole.start), durationMs: toMs(duration) },
          criticalMs: criticalNano === null ? null : toMs(criticalNano),
        },
        span,
        clockSkewMs: toMs(skews[at] ?? 0),
        irregularity,
      };
    }),
  };
}

/** The instant `offset` nanoseconds after the first start. */
function startOf(spans: readonly TreeSpan[], offset: number): string {
  const first = spans
    .map(({ startNano }) => BigInt(startNano))
    .reduce((least, nano) => (nano < least ? nano : least));
  return new Date(Number((first + BigInt(Math.round(offset))) / 1_000_000n)).toISOString();
}
