import type { TreeNode, TreeSpan } from './span-tree.ts';

/**
 * How many nanoseconds of the trace's time each node made it longer by, in the order of `nodes`; null for nodes beside the critical
 * path. It is that of the root that lasts longest: back from its end, whichever child ended last was waited for, down to its
 * own children, and where no child was, the node itself. The figures add up to that root's duration. Costs n log n.
 */
export function criticalPath(nodes: readonly TreeNode<TreeSpan>[]): (number | null)[] {
  const critical: (number | null)[] = nodes.map(() => null);
  const root = longestRoot(nodes);
  if (root === undefined) return critical;
  const { start = 0, duration = 0 } = nodes[root] ?? {};
  const left = [{ at: root, from: start, until: start + duration }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { at, from, until } = next;
    let own = 0;
    let cursor = until;
    for (const child of endingLast(nodes, at, from, until)) {
      // It ended after the next one had begun, which so didn't wait for it.
      if (child.until > cursor) continue;
      own += cursor - child.until;
      cursor = child.from;
      left.push(child);
    }
    critical[at] = own + cursor - from;
  }
  return critical;
}

function longestRoot(nodes: readonly TreeNode<TreeSpan>[]): number | undefined {
  let longest: number | undefined;
  for (const [at, { parent, duration }] of nodes.entries())
    if (parent === null && (longest === undefined || duration > (nodes[longest]?.duration ?? 0)))
      longest = at;
  return longest;
}

/** What of each child lies within its parent's part, the last to end first; children that took no time of it are left out. */
function endingLast(nodes: readonly TreeNode<TreeSpan>[], parent: number, from: number, until: number) {
  return (nodes[parent]?.children ?? [])
    .map((at) => {
      const { start = 0, duration = 0 } = nodes[at] ?? {};
      return { at, from: Math.max(start, from), until: Math.min(start + duration, until) };
    })
    .filter((part) => part.from < part.until)
    .sort((a, b) => b.until - a.until || b.from - a.from);
}
