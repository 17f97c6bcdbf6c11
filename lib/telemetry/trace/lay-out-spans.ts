import { toMs } from '../latency.ts';
import { clockSkews, shiftNodes } from './clock-skew.ts';
import { criticalPath } from './critical-path.ts';
import { buildTree, extentOf, type Irregularity, type TreeSpan } from './span-tree.ts';

/** Where a node stands in its trace; times are by clocks that agree. */
interface Placed {
  spanId: string;
  parent: number | null;
  depth: number;
  offsetMs: number;
  durationMs: number;
  criticalMs: number | null;
}

export interface LaidOut<Span> {
  /** When its first span began; null without spans. */
  start: string | null;
  durationMs: number | null;
  /** Each before its children. A null span is one that wasn't received. */
  nodes: { placed: Placed; span: Span | null; clockSkewMs: number; irregularity: Irregularity | null }[];
}

/** A trace's spans, in any order, as they are shown: a tree with clocks that agree and the critical path. */
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
        placed: {
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

/** `offset` nanoseconds after the first start. */
function startOf(spans: readonly TreeSpan[], offset: number): string {
  const first = spans
    .map(({ startNano }) => BigInt(startNano))
    .reduce((least, nano) => (nano < least ? nano : least));
  return new Date(Number((first + BigInt(Math.round(offset))) / 1_000_000n)).toISOString();
}
