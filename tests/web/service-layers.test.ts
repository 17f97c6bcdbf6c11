import { describe, expect, it } from 'vitest';
import { type Edge, layersOfAll } from '../../web/app/views/services/layers.ts';

const calls = (caller: string, callee: string, count = 1): Edge => ({
  ...{ caller, callee, calls: count, errors: 0 },
  ...{ meanMs: 1, p50Ms: 1, p95Ms: 1, p99Ms: 1, maxMs: 1 },
});

describe('The map of all services', () => {
  it('has each service right of all its callers, and beside the callers at the same height', () => {
    const { layers, edges, leftOut } = layersOfAll([
      calls('web', 'shop', 9),
      calls('app', 'chat', 5),
      calls('web', 'stock', 4),
      calls('shop', 'stock', 3),
      calls('chat', 'mail', 2),
    ]);
    expect(layers).toEqual([
      ['web', 'app'],
      ['shop', 'chat'],
      ['stock', 'mail'],
    ]);
    expect([edges.length, leftOut]).toEqual([5, 0]);
  });

  it('draws services that call each other or themselves', () => {
    const { layers, edges } = layersOfAll([
      calls('a', 'b', 3),
      calls('b', 'c', 3),
      calls('c', 'a', 3),
      calls('c', 'c'),
    ]);
    expect(layers).toEqual([['a'], ['b'], ['c']]);
    expect(edges).toHaveLength(3);
  });

  it('leaves out those with the fewest calls, and says how many', () => {
    const { layers, edges, leftOut } = layersOfAll(
      Array.from({ length: 50 }, (_, index) => calls('gate', `service ${index}`, 50 - index)),
    );
    expect(layers.map((layer) => layer.length)).toEqual([1, 39]);
    expect(layers[1]?.at(-1)).toBe('service 38');
    expect([edges.length, leftOut]).toEqual([39, 11]);
  });
});
