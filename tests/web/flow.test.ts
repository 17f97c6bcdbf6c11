/** The picture of journeys: what goes into a page and out of it, by step. */
import { expect, test } from 'vitest';
import { flowOf } from '../../web/app/views/journeys/flow.ts';

const rows = [
  { pages: ['/', '/pricing', '/signup'], journeys: 5 },
  { pages: ['/', '/blog'], journeys: 3 },
  { pages: ['/blog', '/pricing'], journeys: 2 },
  { pages: ['/about', '/'], journeys: 1 },
];

test('each step has its most frequent pages, and the others together', () => {
  const { steps, links } = flowOf(rows, { steps: 2, pages: 1 });
  expect(steps).toEqual([
    [
      { step: 0, page: '/', journeys: 8 },
      { step: 0, page: undefined, journeys: 3 },
    ],
    [
      { step: 1, page: '/pricing', journeys: 7 },
      { step: 1, page: undefined, journeys: 4 },
    ],
  ]);
  expect(links.map(({ from, to, journeys }) => [from.page, to.page, journeys])).toEqual([
    ['/', '/pricing', 5],
    ['/', undefined, 3],
    [undefined, '/pricing', 2],
    [undefined, undefined, 1],
  ]);
});

test('no more goes on from a page than came to it', () => {
  const { steps, links } = flowOf(rows, { steps: 4, pages: 5 });
  expect(steps.map((nodes) => nodes.length)).toEqual([3, 3, 1]);
  for (const node of steps.flat()) {
    const sum = links.filter(({ from }) => from === node).reduce((all, { journeys }) => all + journeys, 0);
    expect(sum).toBeLessThanOrEqual(node.journeys);
  }
  expect(flowOf([], { steps: 4, pages: 5 })).toEqual({ steps: [], links: [] });
});
