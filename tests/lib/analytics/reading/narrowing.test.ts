/** What narrows a share's answer, and which of it the share takes (docs/reports.md#what-filters-of-a-share-tell). */
import { describe, expect, test } from 'vitest';
import { FILTER_DIMENSIONS, type Filter, listOf } from '../../../../lib/analytics/reading/filters.ts';
import {
  isWithheld,
  narrowingOf,
  type Question,
  requireNarrowing,
} from '../../../../lib/analytics/reading/small-groups.ts';
import type { ReaderActor } from '../../../../lib/context.ts';
import { DomainError } from '../../../../lib/errors.ts';

const share = (...reports: string[]): ReaderActor => ({ kind: 'share', shareId: '', siteId: '', reports });
const owner: ReaderActor = { kind: 'session', sessionId: '', userId: '' };
const is = (dimension: (typeof FILTER_DIMENSIONS)[number], ...values: string[]): Filter => ({
  ...{ dimension, operator: 'is', values },
});
const plan: Filter = { dimension: 'prop', key: 'plan', operator: 'is', values: ['pro'] };

function narrow(actor: ReaderActor, asked: Question) {
  try {
    return { narrowing: narrowingOf(actor, asked) };
  } catch (error) {
    if (error instanceof DomainError && error.code === 'VALIDATION_ERROR') return error.details;
    throw error;
  }
}

test('the list that shows what a filter names', () => {
  expect(
    Object.fromEntries(FILTER_DIMENSIONS.map((dimension) => [dimension, listOf({ dimension })])),
  ).toEqual({
    ...{
      hostname: 'hostnames',
      source: 'sources',
      channel: 'channels',
      country: 'countries',
      region: 'regions',
    },
    ...{ utm_source: 'utm', utm_medium: 'utm', utm_campaign: 'utm', utm_term: 'utm', utm_content: 'utm' },
    ...{
      city: 'cities',
      device: 'devices',
      browser: 'browsers',
      os: 'operating-systems',
      language: 'languages',
    },
    ...{ page: 'pages', entry_page: 'entry-pages', exit_page: 'exit-pages', goal: 'goals' },
  });
  expect(listOf(plan)).toBe('event-props');
});

test.each<[Question, string[], Question | undefined]>([
  [{}, [], undefined],
  [{ filters: [] }, [], undefined],
  [{ interval: 'hour' }, [], undefined],
  [{ group: 'page' }, [], undefined],
  [{ group: 'site' }, [], undefined],
  [{ group: 'device' }, ['devices'], undefined],
  [{ stack: { by: 'tier' }, interval: 'day' }, ['overview'], undefined],
  [{ stack: { by: 'city' } }, ['cities'], undefined],
  [{ tier: 3 }, ['overview'], { tier: 3, filters: [] }],
  [{ filters: [is('city', 'Porto')], interval: 'hour' }, ['cities'], { filters: [is('city', 'Porto')] }],
  [
    { filters: [is('city', ...'abc'), is('page', '/', '/a')] },
    ['cities', 'pages'],
    {
      filters: [is('city', ...'abc'), is('page', '/', '/a')],
    },
  ],
  [{ start: '/a' }, ['pages'], { filters: [is('page', '/a')] }],
  [{ end: '/b' }, ['pages'], { filters: [is('page', '/b')] }],
  [{ goal: 'Signed up' }, ['goals'], { filters: [is('goal', 'Signed up')] }],
  [
    { tier: 2, filters: [is('country', 'PT')], start: '/a', end: '/b', goal: 'up' },
    ['overview', 'countries', 'pages', 'goals'],
    { tier: 2, filters: [is('country', 'PT'), is('page', '/a'), is('page', '/b'), is('goal', 'up')] },
  ],
])('%# %o of a share of %o is narrowed by %o', (asked, reports, narrowing) => {
  expect(narrow(share(...reports), asked)).toEqual({ narrowing });
  expect(narrow(owner, asked)).toEqual({ narrowing: undefined });
});

const noFilter = (path: string, list: string) => ({
  path,
  message: `is no filter of this share, because it doesn’t show ${list}`,
});
const noBy = (list: string) => ({
  path: 'by',
  message: `is not taken by this share, because it doesn’t show ${list}`,
});
const byHour = { path: 'interval', message: 'must not be hour with `by` in a share' };
const tooMany = (path: string) => ({
  path,
  message: 'must not make more than 5 values of all filters of a share',
});

test.each<[Question, string[], object[]]>([
  [{ tier: 3 }, ['live'], [noFilter('filter_privacy_tier', 'overview')]],
  [{ filters: [is('utm_term', 'x')] }, ['cities'], [noFilter('filter_utm_term', 'utm')]],
  [{ filters: [plan] }, ['pages', 'events'], [noFilter('filter_prop_plan', 'event-props')]],
  [{ start: '/' }, ['journeys'], [noFilter('start', 'pages')]],
  [{ end: '/' }, ['journeys'], [noFilter('end', 'pages')]],
  [{ goal: 'x' }, ['cities'], [noFilter('goal', 'goals')]],
  [{ group: 'device' }, ['vitals'], [noBy('devices')]],
  [{ stack: { by: 'tier' } }, ['timeseries'], [noBy('overview')]],
  [{ stack: { by: 'exit_page' } }, ['timeseries', 'overview'], [noBy('exit-pages')]],
  [{ stack: { by: 'city' }, interval: 'hour' }, ['cities'], [byHour]],
  [{ stack: { by: 'city' }, interval: 'hour' }, [], [noBy('cities'), byHour]],
  [{ filters: [is('city', ...'abc'), is('page', ...'abc')] }, ['cities', 'pages'], [tooMany('filter_page')]],
  [{ filters: [is('page', ...'abcdef'), is('city', 'a')] }, ['cities', 'pages'], [tooMany('filter_city')]],
  [
    { filters: [is('page', '/'), is('city', 'a')] },
    [],
    [noFilter('filter_page', 'pages'), noFilter('filter_city', 'cities')],
  ],
])('%# %o of a share of %o is refused: %o', (asked, reports, details) => {
  expect(narrow(share(...reports), asked)).toEqual(details);
  expect(narrow(owner, asked)).toEqual({ narrowing: undefined });
});

test('a verb that withholds nothing answers no narrowed question of a share', () => {
  const asked = { filters: [is('city', 'Porto')] };
  expect(() => requireNarrowing(share('cities'), asked)).toThrow('withholds nothing');
  requireNarrowing(share('cities'), { ...asked, narrowing: asked });
  requireNarrowing(share('cities'), {});
  requireNarrowing(owner, asked);
});

describe('an answer', () => {
  const split = (missed: number, ...parts: number[]) => ({ missed, parts });
  test.each<[string, Parameters<typeof isWithheld>[0], boolean]>([
    ['of enough', { kept: 5, splits: [] }, false],
    ['of few', { kept: 4, splits: [] }, true],
    ['of none', { kept: 0, splits: [] }, true],
    ['that leaves out enough', { kept: 5, splits: [split(5, 5, 5)] }, false],
    ['that leaves out few', { kept: 5, splits: [split(4, 4)] }, true],
    ['of a value of few', { kept: 9, splits: [split(9, 9), split(9, 9, 5, 4)] }, true],
    ['to a filter that keeps every visit', { kept: 9, splits: [split(0, 0, 4)] }, false],
    ['that leaves out one alone', { kept: 9, splits: [split(1, 0)] }, true],
  ])('%s', (_, sizes, withheld) => {
    expect(isWithheld(sizes)).toBe(withheld);
  });
});
