/** Where a report with filters reads its figures, and for which filters sums would spare it visits. */
import { expect, test, vi } from 'vitest';
import { withGoal } from '../../../../lib/analytics/lists/conversions.ts';
import {
  asksForVisits,
  type Filter,
  filtersTowards,
  isSealable,
  ofGoal,
} from '../../../../lib/analytics/reading/filters.ts';
import { clausesOf, isSummable } from '../../../../lib/analytics/sums/filter-clauses.ts';
import { filtersToSum, sumAsked, sumFilters } from '../../../../lib/analytics/sums/sum-filters.ts';
import { connectDatabase } from '../../../../lib/db.ts';

const city: Filter = { dimension: 'city', operator: 'is', values: ['Porto'] };
const plan: Filter = { dimension: 'prop', key: 'plan', operator: 'not', values: ['pro'] };
const up = ofGoal('up');
const clauses = (...filters: Filter[]) => clausesOf(filters);

test('the clauses of filters: sorted, each value and each clause once', () => {
  const page = (...values: string[]): Filter => ({ dimension: 'page', operator: 'contains', values });
  expect(clausesOf([plan, page('/b', '/a', '/b'), city, page('/a', '/b')])).toEqual([
    { dimension: 'city', operator: 'is', wanted: ['Porto'] },
    { dimension: 'page', operator: 'contains', wanted: ['/a', '/b'] },
    { dimension: 'prop', key: 'plan', operator: 'not', wanted: ['pro'] },
  ]);
  expect(JSON.stringify(clauses(city, plan))).toBe(JSON.stringify(clauses(plan, city)));
  expect(clauses()).toEqual([]);
});

const day = { range: { period: '7d' } } as const;
const hours = { range: { period: '24h' } } as const;
test.each<[Parameters<typeof isSealable>[0], object]>([
  [day, { asksForVisits: false, isSealable: true, isSummable: true }],
  [hours, { asksForVisits: false, isSealable: false, isSummable: false }],
  [
    { ...day, filters: [] },
    { asksForVisits: false, isSealable: true, isSummable: true },
  ],
  [
    { ...day, filters: [city] },
    { asksForVisits: true, isSealable: false, isSummable: true },
  ],
  [
    { ...hours, filters: [city] },
    { asksForVisits: true, isSealable: false, isSummable: false },
  ],
  [
    { ...day, narrowing: {} },
    { asksForVisits: true, isSealable: false, isSummable: false },
  ],
])('%o is read from %o', (asked, from) => {
  expect({
    asksForVisits: asksForVisits(asked),
    isSealable: isSealable(asked),
    isSummable: isSummable(asked),
  }).toEqual(from);
});

const goal = (operator: Filter['operator'], ...values: string[]): Filter => ({
  ...{ dimension: 'goal', operator, values },
});
test.each<[Filter[], Filter[]]>([
  [[], []],
  [[city, up], [city]],
  [[goal('not', 'up')], [goal('not', 'up')]],
  [[goal('is', 'up', 'down')], [goal('is', 'up', 'down')]],
  [[goal('is', 'down')], [goal('is', 'down')]],
  [[{ ...city, values: ['up'] }], [{ ...city, values: ['up'] }]],
])('of filters %o, those of visits towards a goal are %o', (filters, others) => {
  expect(filtersTowards('up', filters)).toEqual({ others, reaching: [...others, up] });
});

test.each<[string | undefined, Filter[], string | undefined]>([
  [undefined, [city], undefined],
  [undefined, [city, up], 'up'],
  ['down', [up], 'down'],
  [undefined, [goal('is', 'up', 'down')], undefined],
  [undefined, [goal('not', 'up')], undefined],
  [undefined, [goal('contains', 'up')], undefined],
  [undefined, [goal('not', 'down'), up], 'up'],
])(
  'of a list that names goal %s, with filters %o, rows have conversions of %s',
  (named, filters, expected) => {
    const input = { siteId: 's', ...day, limit: 1, filters, goal: named };
    expect(withGoal(input)).toEqual({ ...input, goal: expected });
  },
);

test('sums are made for what filters keep, and for what of it reaches a goal, each once', () => {
  const of = (...filters: Filter[]) => ({ siteId: 's', clauses: clauses(...filters) });
  const asked = { siteId: 's', filters: [city] };
  expect(filtersToSum([])).toEqual([]);
  expect(filtersToSum([{ siteId: 's' }, { siteId: 's', filters: [] }])).toEqual([]);
  expect(filtersToSum([asked, asked, { ...asked, siteId: 't' }])).toEqual([
    of(city),
    { ...of(city), siteId: 't' },
  ]);
  expect(filtersToSum([{ siteId: 's', goal: 'up' }])).toEqual([of(up)]);
  expect(filtersToSum([{ ...asked, goal: 'up' }])).toEqual([of(city), of(city, up)]);
  // A share's answers are never of sums.
  expect(
    filtersToSum([
      { ...asked, narrowing: {} },
      { ...asked, filters: [plan] },
    ]),
  ).toEqual([of(plan)]);
});

test('without time, or without filters, nothing is asked of the database', async () => {
  const fetch = vi.fn();
  const sql = connectDatabase({ url: 'postgres://user:secret@database.example/db', fetch });
  await sumFilters({ sql, now: () => 0 }, { timeMs: 0 });
  expect(await sumAsked({ sql, now: () => 0, actor: { kind: 'operator' } }, [])).toBe(false);
  expect(fetch).not.toHaveBeenCalled();
});
