import type { TreeNode, TreeSpan } from './span-tree.ts';

/**
 * By how many nanoseconds each node makes the trace longer, in the order of `nodes`; null for nodes off the critical path. Starts at
 * the end of the longest root and goes backwards: the time belongs to the child that ends last, then to its children, and to the node
 * itself where no child runs. The figures add up to that root's duration. Costs n log n.
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
      // This child ended after the next one began, so the next one didn't wait for it.
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

/** The part of each child within its parent's part, the last to end first, without children that take no time there. */
function endingLast(nodes: readonly TreeNode<TreeSpan>[], parent: number, from: number, until: number) {
  return (nodes[parent]?.children ?? [])
    .map((at) => {
      const { start = 0, duration = 0 } = nodes[at] ?? {};
      return { at, from: Math.max(start, from), until: Math.min(start + duration, until) };
    })
    .filter((part) => part.from < part.until)
    .sort((a, b) => b.until - a.until || b.from - a.from);
}
