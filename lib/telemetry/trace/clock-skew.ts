import { extentOf, type TreeNode, type TreeSpan } from './span-tree.ts';

const PRODUCER = 4;
const CONSUMER = 5;

/**
 * By how many nanoseconds each node is shown later than its clock said, in the order of `nodes`. The clocks of two services differ: a
 * span whose parent is of another service, and that begins before it or ends after it, is moved to its middle, or to its start
 * if it is longer; what it called within its service moves with it. What is taken from a queue may well end after it was put there.
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

/** Nodes as they are shown, each so much later. */
export function shiftNodes<Span extends TreeSpan>(
  nodes: readonly TreeNode<Span>[],
  shifts: readonly number[],
): TreeNode<Span>[] {
  const shifted = nodes.map((node, at) => ({ ...node, start: node.start + (shifts[at] ?? 0) }));
  // What is missing is where its children are, and stands at the root.
  for (const node of shifted)
    if (node.span === null) Object.assign(node, extentOf(node.children.map((child) => shifted[child])));
  return shifted;
}
