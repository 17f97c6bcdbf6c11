import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clockSkews, shiftNodes } from '../../../lib/telemetry/trace/clock-skew.ts';
import { criticalPath } from '../../../lib/telemetry/trace/critical-path.ts';
import { buildTree, type TreeSpan } from '../../../lib/telemetry/trace/span-tree.ts';

const EPOCH = 1_795_132_800_000_000_000n;

/** A span of a service. `start` and `duration` are in nanoseconds. */
function span(
  id: string,
  parent: string | null,
  start: number,
  duration: number,
  service = 'a',
  kind = 2,
): TreeSpan {
  return {
    ...{ spanId: id, parentSpanId: parent, startNano: String(EPOCH + BigInt(start)) },
    ...{ durationNano: String(duration), service, kind },
  };
}

const shape = (spans: readonly TreeSpan[]) =>
  buildTree(spans).map(({ spanId, depth, span: of, irregularity }) =>
    [' '.repeat(depth), spanId, of === null ? '?' : '', irregularity ? ` ${irregularity}` : ''].join(''),
  );

describe('the tree', () => {
  test.each<[what: string, spans: TreeSpan[], expected: string[]]>([
    ['nothing', [], []],
    [
      'children in the order of their starts, whatever the order of the spans',
      [span('c', 'r', 5, 1), span('d', 'b', 3, 1), span('b', 'r', 2, 9), span('r', null, 0, 10)],
      ['r', ' b', '  d', ' c'],
    ],
    ['several roots', [span('s', null, 5, 1), span('r', null, 0, 1)], ['r', 's']],
    [
      'a missing parent, once for all its children, where the first of them is',
      [span('r', null, 0, 9), span('b', 'x', 2, 1), span('c', 'x', 1, 1), span('d', null, 4, 1)],
      ['r', 'x?', ' c', ' b', 'd'],
    ],
    ['a span that is its own parent', [span('r', 'r', 0, 1), span('b', 'r', 1, 1)], ['r cycle', ' b']],
    [
      'a cycle, opened at its earliest span',
      [span('c', 'b', 3, 1), span('a', 'c', 1, 1), span('b', 'a', 2, 1), span('d', 'c', 4, 1)],
      ['a cycle', ' b', '  c', '   d'],
    ],
    [
      'an id twice: the first has the children',
      [span('b', 'r', 2, 1), span('b', 'r', 1, 1), span('c', 'b', 3, 1), span('r', null, 0, 9)],
      ['r', ' b', '  c', ' b duplicate'],
    ],
  ])('%s', (_, spans, expected) => {
    expect(shape(spans)).toEqual(expected);
  });

  test('10,000 spans below each other', () => {
    const spans = Array.from({ length: 10_000 }, (_, n) =>
      span(`${n}`, n === 0 ? null : `${n - 1}`, n, 20_000 - n),
    );
    const nodes = buildTree(spans);
    expect(nodes.at(-1)).toMatchObject({ depth: 9999, spanId: '9999' });
    expect(criticalPath(nodes).reduce<number>((sum, part) => sum + (part ?? 0), 0)).toBe(20_000);
  });
});

describe('clock skew', () => {
  test.each<[what: string, spans: TreeSpan[], expected: Record<string, number>]>([
    [
      'a child within its parent stays',
      [span('r', null, 0, 100), span('c', 'r', 10, 20, 'b')],
      { r: 0, c: 0 },
    ],
    ['a service’s own clock is believed', [span('r', null, 0, 100), span('c', 'r', 90, 20)], { r: 0, c: 0 }],
    [
      'one that begins before its parent is put in its middle, with what it called',
      [span('r', null, 100, 100), span('c', 'r', 0, 20, 'b'), span('d', 'c', 5, 5, 'b')],
      { r: 0, c: 140, d: 140 },
    ],
    [
      'one that ends after its parent too',
      [span('r', null, 0, 100), span('c', 'r', 90, 20, 'b')],
      { r: 0, c: -50 },
    ],
    [
      'one that lasts longer begins with its parent',
      [span('r', null, 50, 10), span('c', 'r', 0, 20, 'b')],
      { r: 0, c: 50 },
    ],
    [
      'what is taken from a queue may end late, but not begin early',
      [span('r', null, 50, 10, 'a', 4), span('c', 'r', 90, 5, 'b', 5), span('d', 'r', 40, 5, 'b', 5)],
      { r: 0, c: 0, d: 10 },
    ],
    [
      'a third service is compared with its parent as that is shown',
      [span('r', null, 100, 100), span('c', 'r', 0, 20, 'b'), span('d', 'c', 145, 5, 'c')],
      { r: 0, c: 140, d: 0 },
    ],
    ['a missing parent has no clock', [span('c', 'x', 5, 10, 'b')], { x: 0, c: 0 }],
  ])('%s', (_, spans, expected) => {
    const nodes = buildTree(spans);
    const skews = clockSkews(nodes);
    expect(Object.fromEntries(nodes.map(({ spanId }, at) => [spanId, skews[at]]))).toEqual(expected);
  });
});

describe('the critical path', () => {
  const pathOf = (spans: readonly TreeSpan[]) => {
    const nodes = buildTree(spans);
    const critical = criticalPath(nodes);
    return Object.fromEntries(
      nodes.flatMap(({ spanId }, at) => (critical[at] === null ? [] : [[spanId, critical[at]]])),
    );
  };
  test.each<[what: string, spans: TreeSpan[], expected: Record<string, number>]>([
    ['a span alone', [span('r', null, 0, 10)], { r: 10 }],
    [
      'one after the other',
      [span('r', null, 0, 100), span('b', 'r', 10, 20), span('c', 'r', 40, 50)],
      { r: 30, b: 20, c: 50 },
    ],
    [
      'side by side: the one that ends last',
      [span('r', null, 0, 100), span('b', 'r', 10, 80), span('c', 'r', 20, 30)],
      { r: 20, b: 80 },
    ],
    [
      'what goes on after its parent is waited for until the parent ends',
      [span('r', null, 0, 100), span('b', 'r', 60, 100)],
      { r: 60, b: 40 },
    ],
    [
      'what begins after its parent ended is not waited for',
      [span('r', null, 0, 10), span('b', 'r', 20, 5)],
      { r: 10 },
    ],
    [
      'the root that lasts longest, also if it is missing',
      [span('r', null, 0, 5), span('b', 'x', 10, 10), span('c', 'x', 25, 5)],
      { x: 5, b: 10, c: 5 },
    ],
  ])('%s', (_, spans, expected) => {
    expect(pathOf(spans)).toEqual(expected);
  });
});

/** Random spans with few ids, so that there are cycles, duplicates and missing parents. */
const anySpans = fc.array(
  fc
    .record({
      id: fc.nat(12),
      parent: fc.option(fc.nat(14), { freq: 6 }),
      start: fc.nat(200),
      duration: fc.nat(100),
      service: fc.constantFrom('a', 'b', 'c'),
      kind: fc.nat(5),
    })
    .map(({ id, parent, start, duration, service, kind }) =>
      span(`${id}`, parent === null ? null : `${parent}`, start, duration, service, kind),
    ),
  { maxLength: 40 },
);

test('whatever the spans: each is once in the tree, after its parent', () => {
  fc.assert(
    fc.property(anySpans, (spans) => {
      const nodes = buildTree(spans);
      const shown = nodes.flatMap(({ span: of }) => (of === null ? [] : [of]));
      expect(new Set(shown)).toEqual(new Set(spans));
      expect(shown).toHaveLength(spans.length);
      for (const [at, node] of nodes.entries()) {
        const parent = node.parent === null ? undefined : nodes[node.parent];
        expect(node.depth).toBe(parent === undefined ? 0 : parent.depth + 1);
        if (node.parent !== null) {
          expect(node.parent).toBeLessThan(at);
          expect(parent?.spanId).toBe(node.span?.parentSpanId);
          expect(parent?.children).toContain(at);
        } else if (node.span !== null && node.span.parentSpanId !== null)
          expect(node.irregularity).not.toBeNull();
      }
    }),
    { numRuns: 500 },
  );
});

test('whatever the spans: the critical path adds up to the longest root, and lies within its nodes', () => {
  fc.assert(
    fc.property(anySpans, (spans) => {
      const tree = buildTree(spans);
      const nodes = shiftNodes(tree, clockSkews(tree));
      const critical = criticalPath(nodes);
      const longest = Math.max(
        0,
        ...nodes.flatMap(({ parent, duration }) => (parent === null ? [duration] : [])),
      );
      expect(critical.reduce<number>((sum, part) => sum + (part ?? 0), 0)).toBe(longest);
      for (const [at, part] of critical.entries()) {
        if (part === null) continue;
        expect(part).toBeGreaterThanOrEqual(0);
        expect(part).toBeLessThanOrEqual(nodes[at]?.duration ?? 0);
      }
    }),
    { numRuns: 500 },
  );
});

test('whatever the spans: a shorter one of another service lies within its parent, unless it was queued', () => {
  fc.assert(
    fc.property(anySpans, (spans) => {
      const tree = buildTree(spans);
      const nodes = shiftNodes(tree, clockSkews(tree));
      for (const node of nodes) {
        const parent = node.parent === null ? undefined : nodes[node.parent];
        if (!node.span || !parent?.span || parent.span.service === node.span.service) continue;
        expect(node.start).toBeGreaterThanOrEqual(parent.start);
        if (node.duration > parent.duration || node.span.kind === 5 || parent.span.kind === 4) continue;
        expect(node.start + node.duration).toBeLessThanOrEqual(parent.start + parent.duration);
      }
    }),
    { numRuns: 500 },
  );
});
