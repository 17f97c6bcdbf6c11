/** What of a span its place in the tree depends on. */
export interface TreeSpan {
  spanId: string;
  parentSpanId: string | null;
  /** Digits, nanoseconds since 1970. */
  startNano: string;
  /** Digits, nanoseconds. */
  durationNano: string;
  service: string;
  /** 4 is a producer, 5 a consumer; the others wait for whom they call. */
  kind: number;
}

export type Irregularity = 'cycle' | 'duplicate';

/** Times are nanoseconds since the start of the span that began first, as sent. */
export interface TreeNode<Span> {
  spanId: string;
  /** Null for a span that others name as their parent and that isn't there. Its times are those of its children. */
  span: Span | null;
  /** Places in the list of nodes. */
  parent: number | null;
  children: number[];
  depth: number;
  start: number;
  duration: number;
  /** `cycle`: its parent is below it, so it is shown as a root. `duplicate`: an earlier span has its id, and that one's children. */
  irregularity: Irregularity | null;
}

interface Link {
  spanId: string;
  at: number | null;
  /** By its start. */
  rank: number;
  parent: Link | null;
  children: Link[];
  irregularity: Irregularity | null;
}

/**
 * Spans as a tree: a list in which each node stands before its children, which are in the order of their starts. Whatever the parents
 * say, each span is in it once, and every cycle is opened where its earliest span is. Costs n log n.
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
    const place = nodes.length;
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
    if (parent !== null) nodes[parent]?.children.push(place);
    for (const child of link.children.toReversed())
      left.push({ link: child, parent: place, depth: depth + 1 });
  }
  for (const node of nodes)
    if (node.span === null) Object.assign(node, extentOf(node.children.map((at) => nodes[at])));
  return nodes;
}

/** From the first start of some nodes to their last end. */
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

/** All links, in the order of their starts; a missing parent stands before its first child. */
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

/** The roots. Going up from each link, once over every link, what is met again on the same way is a cycle. */
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
