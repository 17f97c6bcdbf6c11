import type { ServiceMap } from '../../api/operations.generated.ts';

export type Edge = ServiceMap['edges'][number];

/** Services around one: `layers` go from its callers' callers to what its callees call. It is alone in the middle one. */
export interface Layers {
  layers: string[][];
  edges: Edge[];
  /** Neighbours that are left out, since a layer holds only so many. */
  leftOut: number;
}

const HOPS = 2;
const MOST_IN_LAYER = 8;

/** The neighbourhood of a service: whom it is called by and whom it calls, directly and over one more service. Busiest first. */
export function layersAround(service: string, edges: readonly Edge[]): Layers {
  const known = new Set([service]);
  let leftOut = 0;
  const walk = (from: 'caller' | 'callee', to: 'caller' | 'callee'): string[][] => {
    const found: string[][] = [];
    let last = [service];
    for (let hop = 0; hop < HOPS; hop += 1) {
      const calls = new Map<string, number>();
      for (const edge of edges) {
        if (last.includes(edge[from]) && !known.has(edge[to]))
          calls.set(edge[to], (calls.get(edge[to]) ?? 0) + edge.calls);
      }
      const next = [...calls].sort((a, b) => b[1] - a[1]).map(([name]) => name);
      leftOut += Math.max(0, next.length - MOST_IN_LAYER);
      last = next.slice(0, MOST_IN_LAYER);
      for (const name of last) known.add(name);
      found.push(last);
    }
    return found;
  };
  const callees = walk('caller', 'callee');
  const callers = walk('callee', 'caller');
  const layers = [...callers.reverse(), [service], ...callees].filter((layer) => layer.length > 0);
  return {
    layers,
    edges: edges.filter(({ caller, callee }) => known.has(caller) && known.has(callee) && caller !== callee),
    leftOut,
  };
}
