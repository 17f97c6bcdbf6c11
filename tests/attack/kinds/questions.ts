import fc from 'fast-check';
import { mcpRequest } from '../../functions/content/client.ts';
import { hostileText } from '../../security/hostile-values.ts';
import { PASSWORD } from '../../security/test-share.ts';
import type { Attacker, Attempt } from '../attempt.ts';
import { targetOf } from '../targets.ts';

const REPORTS =
  'overview,timeseries,heatmap,pages,entry-pages,exit-pages,sources,channels,countries,regions,cities,devices,browsers,languages,hostnames,events';

/** Filters that every visit of the range is read for. */
const filters = fc.record({
  filter_page: fc.constantFrom('~a', '!/nothing', '~%'),
  filter_country: fc.constantFrom('!AQ', '~P'),
  filter_source: fc.oneof(
    fc.constant('!nobody'),
    hostileText.map((text) => `!${text.toWellFormed().slice(0, 100)}`),
  ),
  compare: fc.constantFrom('previous', 'weekdays', 'year'),
  period: fc.constantFrom('30d', '90d'),
});

/** Batches of reports about the site with the most visits, several at once, by a client that leaves before the answer. */
export const worstQuestions = ({ tracked }: Attacker): fc.Arbitrary<Attempt> =>
  fc
    .tuple(filters, fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 4 }))
    .map(([asked, ms, copies]) => ({
      ...targetOf('getReports'),
      path: `/api/v1/sites/${tracked.siteId}/analytics/reports?${new URLSearchParams({ report: REPORTS, ...asked })}`,
      init: { method: 'GET', headers: { Cookie: tracked.cookie } },
      giveUpMs: ms,
      copies,
    }));

/** Questions of one person by each of their tokens in turn, several at once. */
export const severalTokens = ({ own, moreQueryTokens }: Attacker): fc.Arbitrary<Attempt> => {
  const { headers, ...init } = mcpRequest(
    'tools/call',
    { name: 'summarize_site', arguments: {} },
    '2026-07-28',
  );
  const byToken = fc.constantFrom(own.queryToken, ...moreQueryTokens).map((token) => ({
    ...targetOf('postMcp'),
    path: '/mcp',
    init: { ...init, headers: { ...headers, Authorization: `Bearer ${token}` } },
  }));
  const byKeyOrSession = fc
    .constantFrom<Record<string, string>>({ Authorization: `Bearer ${own.token}` }, { Cookie: own.cookie })
    .map((credential) => ({
      ...targetOf('getReports'),
      path: `/api/v1/sites/${own.values.siteId}/analytics/reports?report=${REPORTS}`,
      init: { method: 'GET', headers: credential },
    }));
  return fc
    .tuple(fc.oneof(byToken, byKeyOrSession), fc.integer({ min: 1, max: 4 }))
    .map(([attempt, copies]) => ({ ...attempt, copies }));
};

/** One reader's address unlocks a share again and again, mostly with the right password. */
export const unlockAgain = ({ own }: Attacker): fc.Arbitrary<Attempt> =>
  fc
    .tuple(
      fc.oneof({ weight: 3, arbitrary: fc.constant(PASSWORD) }, { weight: 1, arbitrary: hostileText }),
      fc.integer({ min: 1, max: 3 }),
    )
    .map(([password, copies]) => ({
      ...targetOf('unlockShare'),
      path: `/api/v1/shares/${own.values.lockedSecret}/unlock`,
      init: {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ password }),
      },
      address: '198.51.100.9',
      copies,
    }));
