import type { ServiceMap } from '../../api/operations.generated.ts';

export type Edge = ServiceMap['edges'][number];

/** Services from left to right. Around one, `layers` go from its callers' callers to what its callees call. It is alone in the middle one. */
export interface Layers {
  layers: string[][];
  edges: Edge[];
  /** Neighbours that are left out, since a layer is full. */
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

const MOST_ON_MAP = 40;

/**
 * All services that call or are called, without those with the fewest calls: each stands right of its callers. Where calls go in a circle,
 * the one with the fewest other callers stands first.
 */
export function layersOfAll(all: readonly Edge[]): Layers {
  const edges = all.filter(({ caller, callee }) => caller !== callee);
  const calls = new Map<string, number>();
  for (const edge of edges)
    for (const name of [edge.caller, edge.callee]) calls.set(name, (calls.get(name) ?? 0) + edge.calls);
  const busiest = [...calls].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  const waiting = new Set(busiest.slice(0, MOST_ON_MAP));
  const drawn = edges.filter(({ caller, callee }) => waiting.has(caller) && waiting.has(callee));
  const callersOf = (name: string) =>
    drawn.filter((edge) => edge.callee === name).map(({ caller }) => caller);
  /** By name: the index in its layer. */
  const rows = new Map<string, number>();
  const layers: string[][] = [];
  while (waiting.size > 0) {
    const open = [...waiting].map((name) => ({
      name,
      callers: callersOf(name).filter((caller) => waiting.has(caller)).length,
    }));
    const fewest = Math.min(...open.map(({ callers }) => callers));
    const next = open.filter(({ callers }) => callers === fewest).map(({ name }) => name);
    // Of a circle one at a time: the others may then stand right of it.
    const layer = fewest === 0 ? next : next.slice(0, 1);
    const heightOf = (name: string): number => {
      const known = callersOf(name).flatMap((caller) => rows.get(caller) ?? []);
      return known.length === 0 ? 0 : known.reduce((sum, row) => sum + row, 0) / known.length;
    };
    layer.sort((a, b) => heightOf(a) - heightOf(b));
    for (const [row, name] of layer.entries()) {
      rows.set(name, row);
      waiting.delete(name);
    }
    layers.push(layer);
  }
  return { layers, edges: drawn, leftOut: busiest.length - rows.size };
}
