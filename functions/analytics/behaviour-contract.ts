import * as v from 'valibot';
import {
  CustomEventItem,
  EventPropItem,
  JourneyItem,
  RetentionItem,
} from '../../lib/analytics/behaviour-schemas.ts';
import type { RouteContract } from '../../lib/http/contract.ts';
import { EventName, EventPropsQuery, JourneysQuery, RetentionQuery } from './behaviour-query.ts';
import { ValuesQuery } from './query.ts';
import { bad, limits, ok, ranges, report } from './report-contract.ts';

/** What the OpenAPI document says of the reports on what visitors did. */
export const behaviourRoutes: RouteContract[] = [
  report(
    'events',
    {
      summary: 'Custom events, and what they brought',
      description:
        'By how often they happened in the range. Filters choose visits, with all of their events.',
      query: ValuesQuery,
      data: v.array(CustomEventItem),
      sample: [
        {
          name: 'purchase',
          visitors: 28,
          visits: 31,
          events: 33,
          revenue: [{ currency: 'EUR', amount: '1240.50' }],
        },
      ],
      isList: true,
    },
    [...ranges, ...limits],
  ),
  report(
    'events/:name/props',
    {
      summary: 'Properties of a custom event',
      description:
        'Its keys, or with `key` the values of that one. An event that never happened is like one without properties. Not shown ' +
        'by shares.',
      operationId: 'getEventProps',
      named: { params: { name: EventName }, samples: { name: 'purchase' } },
      query: EventPropsQuery,
      data: v.array(EventPropItem),
      sample: [{ key: 'plan', value: null, visitors: 28, visits: 31, events: 33 }],
      isList: true,
    },
    [
      ...ranges,
      ...limits,
      { ...ok('Values of a key', { key: 'plan', period: '7d' }), params: { name: 'Signed up/€' } },
      bad('An empty key', { key: '' }),
      { summary: 'A name that no event can have', status: 400, params: { name: 'x'.repeat(65) } },
    ],
  ),
  report(
    'journeys',
    {
      summary: 'Paths that visits took',
      description:
        'Up to 5 pages of each visit at tiers 2 and 3 that began in the range, the first ones unless `end` comes alone. A ' +
        'consented journey may start on the page where consent was given: nothing joins it to what came before. Filters ' +
        'choose visits, with all of their pages.',
      query: JourneysQuery,
      data: v.array(JourneyItem),
      sample: [{ pages: ['/', '/pricing', '/signup'], visitors: 40, visits: 41, journeys: 44 }],
      isList: true,
      tiers: [2, 3],
    },
    [
      ...ranges,
      ...limits,
      ok('From the prices on', { start: '/pricing', period: '7d' }),
      ok('What led to the signup', { end: '/signup', limit: '100' }),
      ok('Between the two', { start: '/pricing', end: '/signup' }),
      bad('From no page', { start: '' }),
    ],
  ),
  report(
    'retention',
    {
      summary: 'Who came back, by the week of the first visit',
      description:
        'Of consented visitors (tier 3): others can’t be known again the next day. ISO weeks in the site’s zone, all that the ' +
        'range touches and that have begun, oldest first. Filters are about the first visit.',
      query: RetentionQuery,
      data: v.array(RetentionItem),
      sample: [
        { week: '2026-11-08T23:00:00.000Z', visitors: 120, returned: [31] },
        { week: '2026-11-15T23:00:00.000Z', visitors: 97, returned: [] },
      ],
      isList: true,
      tiers: [3],
    },
    [
      ...ranges,
      ...limits,
      ok('13 weeks', { from: '2026-08-24', to: '2026-11-22' }),
      bad('A day more', { from: '2026-08-24', to: '2026-11-23' }),
    ],
  ),
];

export const behaviourComponents = { CustomEventItem, EventPropItem, JourneyItem, RetentionItem };
