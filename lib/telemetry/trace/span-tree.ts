/** The fields of a span that decide its position in the tree. */
export interface TreeSpan {
  spanId: string;
  parentSpanId: string | null;
  /** Nanoseconds since 1970, as digits. */
  startNano: string;
  /** Nanoseconds, as digits. */
  durationNano: string;
  service: string;
  /** 4 is a producer, 5 a consumer; spans of other kinds wait for what they call. */
  kind: number;
}

export type Irregularity = 'cycle' | 'duplicate';

/** Times are nanoseconds since the start of the first span, as sent. */
export interface TreeNode<Span> {
  spanId: string;
  /** Null for a span that wasn't received but that others name as parent. Such a node has the times of its children. */
  span: Span | null;
  /** Indexes into the list of nodes. */
  parent: number | null;
  children: number[];
  depth: number;
  start: number;
  duration: number;
  /**
   * `cycle`: its parent is also below it, so it is shown as a root. `duplicate`: an earlier span has the same id and keeps the
   * children.
   */
  irregularity: Irregularity | null;
}

interface Link {
  spanId: string;
  at: number | null;
  /** Rank by start. */
  rank: number;
  parent: Link | null;
  children: Link[];
  irregularity: Irregularity | null;
}

/**
 * Spans as a tree: a list with each node before its children, siblings ordered by start. Every span is in the list once, for any
 * parents. A cycle is opened at its earliest span. Costs n log n.
 */
export function buildTree<Span extends TreeSpan>(spans: readonly Span[]): TreeNode<Span>[] {
  const nanos = spans.map(({ startNano }) => BigInt(startNano));
  const first = nanos.reduce((least, nano) => (nano < least ? nano : least), nanos[0] ?? 0n);
  const starts = nanos.map((nano) => Number(nano - first));
  const order = spans
    .map((_, at) => at)
    .sort(
      (a, b) =>
        (starts[a] ?? 0) - (starts[b] ?? 0) || ((spans[a]?.spanId ?? '') < (spans[b]?.spanId ?? '') ? -1 : 1),
    );
  const roots = openCycles(linkParents(spans, order));

  const nodes: TreeNode<Span>[] = [];
  const left = roots.reverse().map((link) => ({ link, parent: null as number | null, depth: 0 }));
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { link, parent, depth } = next;
    const index = nodes.length;
    const span = link.at === null ? null : (spans[link.at] ?? null);
    const times = {
      start: link.at === null ? 0 : (starts[link.at] ?? 0),
      duration: Number(span?.durationNano ?? 0),
    };
    nodes.push({
      spanId: link.spanId,
      span,
      parent,
      children: [],
      depth,
      ...times,
      irregularity: link.irregularity,
    });
    if (parent !== null) nodes[parent]?.children.push(index);
    for (const child of link.children.toReversed())
      left.push({ link: child, parent: index, depth: depth + 1 });
  }
  for (const node of nodes)
    if (node.span === null) Object.assign(node, extentOf(node.children.map((at) => nodes[at])));
  return nodes;
}

/** From the first start to the last end of the nodes. */
export function extentOf(nodes: readonly ({ start: number; duration: number } | undefined)[]): {
  start: number;
  duration: number;
} {
  let start = Number.POSITIVE_INFINITY;
  let end = Number.NEGATIVE_INFINITY;
  for (const node of nodes) {
    if (node === undefined) continue;
    start = Math.min(start, node.start);
    end = Math.max(end, node.start + node.duration);
  }
  return end === Number.NEGATIVE_INFINITY ? { start: 0, duration: 0 } : { start, duration: end - start };
}

/** All links, ordered by start; a missing parent stands before its first child. */
function linkParents(spans: readonly TreeSpan[], order: readonly number[]): Link[] {
  const byId = new Map<string, Link>();
  const links = order.map((at, rank): Link => {
    const { spanId = '' } = spans[at] ?? {};
    const isDuplicate = byId.has(spanId);
    const irregularity = isDuplicate ? 'duplicate' : null;
    const link: Link = { spanId, at, rank, parent: null, children: [], irregularity };
    if (!isDuplicate) byId.set(spanId, link);
    return link;
  });
  const all: Link[] = [];
  for (const link of links) {
    const { parentSpanId = null } = (link.at === null ? undefined : spans[link.at]) ?? {};
    if (parentSpanId !== null) {
      let parent = byId.get(parentSpanId);
      if (parent === undefined) {
        parent = {
          spanId: parentSpanId,
          at: null,
          rank: link.rank,
          parent: null,
          children: [],
          irregularity: null,
        };
        byId.set(parentSpanId, parent);
        all.push(parent);
      }
      link.parent = parent;
      parent.children.push(link);
    }
    all.push(link);
  }
  return all;
}

/**
 * Returns the roots. Follows parents upwards from each link, visiting every link once; a link that is met again on the same way is part
 * of a cycle.
 */
function openCycles(links: readonly Link[]): Link[] {
  const metBy = new Map<Link, Link>();
  for (const begin of links) {
    let at: Link | null = begin;
    while (at !== null && !metBy.has(at)) {
      metBy.set(at, begin);
      at = at.parent;
    }
    if (at !== null && metBy.get(at) === begin) openCycle(at);
  }
  return links.filter(({ parent }) => parent === null);
}

function openCycle(on: Link): void {
  let earliest = on;
  for (let at = on.parent; at !== null && at !== on; at = at.parent)
    if (at.rank < earliest.rank) earliest = at;
  const { parent } = earliest;
  if (parent !== null) parent.children = parent.children.filter((child) => child !== earliest);
  earliest.parent = null;
  earliest.irregularity ??= 'cycle';
}
