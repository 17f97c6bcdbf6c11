import fc from 'fast-check';
import { FILTER_DIMENSIONS, type Filter } from '../../lib/analytics/filters.ts';
import type { OracleGoal } from '../oracle/hits.ts';

/** Goals that filters name. */
export const GOALS: readonly [OracleGoal, OracleGoal] = [
  { id: '5f0c7a52-8d1e-4b39-a6c4-2e9b1d7f3a60', name: 'Signed up', event: 'signup' },
  { id: '8a3e6d14-0b7c-4f25-9e81-c5d2a4b6f038', name: 'Docs', page: '/docs/*' },
];

/** Values that streams have, and one that they haven't. */
const VALUES: Record<Filter['dimension'], [string, ...string[]]> = {
  source: ['Google', 'Direct', 'news.example'],
  channel: ['Direct', 'Email', 'AI assistants'],
  utm_source: ['letter'],
  utm_medium: ['email', 'cpc'],
  utm_campaign: ['spring', 'autumn'],
  utm_term: ['boats'],
  utm_content: ['top'],
  country: ['DE', 'US', 'Unknown'],
  region: ['PT-13'],
  city: ['Porto'],
  device: ['desktop', 'mobile', 'Unknown'],
  browser: ['Chrome', 'Firefox', 'o'],
  os: ['Linux', 'Unknown'],
  language: ['de', 'pt-PT', 'Unknown'],
  hostname: ['example.com', 'blog.example.com'],
  page: ['/', '/pricing', 'doc'],
  entry_page: ['/', '/pricing', 'DOC'],
  exit_page: ['/', '/über'],
  goal: ['Signed up', 'Docs', GOALS[1].id, 'up'],
};

/** One filter of a report. */
export const drawnFilter: fc.Arbitrary<Filter> = fc.constantFrom(...FILTER_DIMENSIONS).chain((dimension) =>
  fc.record({
    dimension: fc.constant(dimension),
    operator: fc.constantFrom('is' as const, 'not' as const, 'contains' as const),
    values: fc.uniqueArray(fc.constantFrom(...VALUES[dimension], 'nowhere'), { minLength: 1, maxLength: 2 }),
  }),
);
