import { extentOf, type TreeNode, type TreeSpan } from './span-tree.ts';

const PRODUCER = 4;
const CONSUMER = 5;

/**
 * By how many nanoseconds each node is moved from its own clock, in the order of `nodes`. Clocks of two services differ. A span that
 * lies outside its parent of another service is moved to the parent's middle, or to the parent's start if it is longer. The spans below
 * it in its own service move too. A span that consumes from a queue isn't moved: it may end after its producer.
 */
export function clockSkews(nodes: readonly TreeNode<TreeSpan>[]): number[] {
  const shifts: number[] = [];
  for (const { span, parent, start, duration } of nodes) {
    const above = parent === null ? undefined : nodes[parent];
    const shift = above === undefined ? 0 : (shifts[parent ?? 0] ?? 0);
    if (span === null || above === undefined || above.span === null) shifts.push(0);
    else if (above.span.service === span.service) shifts.push(shift);
    else {
      const isQueued = span.kind === CONSUMER || above.span.kind === PRODUCER;
      shifts.push(
        skewOf({ start, duration }, { start: above.start + shift, duration: above.duration }, isQueued),
      );
    }
  }
  return shifts;
}

interface Time {
  start: number;
  duration: number;
}

function skewOf(child: Time, parent: Time, isQueued: boolean): number {
  const isBefore = child.start < parent.start;
  const isAfter = child.start + child.duration > parent.start + parent.duration;
  if (isQueued || child.duration > parent.duration) return isBefore ? parent.start - child.start : 0;
  if (!isBefore && !isAfter) return 0;
  return Math.round(parent.start + (parent.duration - child.duration) / 2 - child.start);
}

/** The nodes with each moved by its skew. */
export function shiftNodes<Span extends TreeSpan>(
  nodes: readonly TreeNode<Span>[],
  shifts: readonly number[],
): TreeNode<Span>[] {
  const shifted = nodes.map((node, at) => ({ ...node, start: node.start + (shifts[at] ?? 0) }));
  // A missing span replaces its children at the root.
  for (const node of shifted)
    if (node.span === null) Object.assign(node, extentOf(node.children.map((child) => shifted[child])));
  return shifted;
}
