/** Figures and intervals as answers have them. */
import { expect, test } from 'vitest';
import { partialIn } from '../../../functions/mcp/intervals.ts';
import { shortFigure } from '../../../functions/mcp/tool-answer.ts';

test.each([
  [321.42857142857144, 321.4],
  [194.44444444444446, 194.4],
  [0.1 + 0.2, 0.3],
  [0.000123456, 0.0001235],
  [13_761.63, 13_761.6],
  [-1234.56, -1234.6],
  [999.96, 1000],
  [123_456_789, 123_456_789],
  [0, 0],
])('%d is shown as %d', (figure, shown) => {
  expect(shortFigure(figure)).toBe(shown);
});

test.each([
  ['2026-11-22T08:00:00.000Z', true],
  ['2026-11-22T08:30:00.000Z', false],
  ['2026-11-22T09:00:00.000Z', false],
  ['2026-11-22T09:30:00.000Z', true],
])('of a range from 08:30 to 10:20 the hour from %s is partial: %s', (time, partial) => {
  const range = { from: '2026-11-22T08:30:00.000Z', to: '2026-11-22T10:20:00.000Z' };
  expect(partialIn(range, 3600)(time)).toEqual(partial ? { partial: true } : {});
});
