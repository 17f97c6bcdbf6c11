import { safeParse } from 'valibot';
import { expect, test } from 'vitest';
import {
  CreateShare,
  OneShare,
  SHARED_REPORTS,
  SharedSite,
  SharePage,
  Unlocking,
  UnlockToken,
} from '../../../lib/shares/schemas.ts';

const ID = '0b0e6a3c-6d1e-4c1c-9a6e-2f3f9f3a8b11';
const LEAST = { siteId: ID, name: 'Board' };
const isRight = (schema: Parameters<typeof safeParse>[0], input: unknown) => safeParse(schema, input).success;
const messagesOf = (input: object) =>
  safeParse(CreateShare, { ...LEAST, ...input }).issues?.map(({ message }) => message) ?? [];
const numbered = Array.from({ length: 21 }, (_, n) => `https://a${n}.example`);

test('a share takes these fields, and no other', () => {
  const all = {
    ...{ ...LEAST, password: 'salt and brine', reports: ['overview', 'funnels'] },
    ...{ embedOrigins: ['*', 'https://intranet.example'], expiresAt: '2096-12-31T23:00:00.000Z' },
  };
  expect(safeParse(CreateShare, all)).toMatchObject({ success: true, output: all });
  expect(safeParse(CreateShare, { ...LEAST, name: ' Board ' })).toMatchObject({
    success: true,
    output: LEAST,
  });
  expect(isRight(CreateShare, { ...LEAST, other: 1 })).toBe(false);
  expect(isRight(CreateShare, { ...LEAST, siteId: 'x' })).toBe(false);
  expect(isRight(CreateShare, { ...LEAST, reports: SHARED_REPORTS })).toBe(true);
  expect(new Set(SHARED_REPORTS).size).toBe(SHARED_REPORTS.length);
});

test('these reports can be shared', () => {
  expect(SHARED_REPORTS).toEqual(
    expect.arrayContaining([
      ...[
        'overview',
        'timeseries',
        'heatmap',
        'pages',
        'entry-pages',
        'exit-pages',
        'utm',
        'countries',
        'live',
      ],
      ...['engagement', 'vitals', 'dropped', 'events', 'journeys', 'retention', 'goals', 'funnels'],
    ]),
  );
  expect(new Set(SHARED_REPORTS).size).toBe(SHARED_REPORTS.length);
});

test('each field has its bounds', () => {
  const refused = [
    ...[{ name: '' }, { name: '  ' }, { name: 'n'.repeat(101) }],
    ...[{ password: 'seven..' }, { password: 'p'.repeat(129) }, { reports: [] }, { reports: ['traces'] }],
    ...[
      numbered,
      ...['intranet.example', 'https://intranet.example/', 'http://intranet.example', '**', ''].map((one) => [
        one,
      ]),
      [`https://${'a'.repeat(300)}.example`],
    ].map((embedOrigins) => ({ embedOrigins })),
    { expiresAt: '2096-12-31' },
  ];
  for (const field of refused) expect(messagesOf(field), JSON.stringify(field)).not.toEqual([]);
  const taken = [
    ...[{ name: 'n'.repeat(100) }, { password: 'eight...' }, { password: 'p'.repeat(128) }],
    ...[[], numbered.slice(1), ['http://localhost:8080']].map((embedOrigins) => ({ embedOrigins })),
  ];
  for (const field of taken) expect(messagesOf(field), JSON.stringify(field)).toEqual([]);
});

test('nothing is named twice', () => {
  expect(messagesOf({ reports: ['overview', 'pages', 'overview'] })).toEqual([
    'must not name a report twice',
  ]);
  expect(messagesOf({ embedOrigins: ['*', '*'] })).toEqual(['must not be in the list twice']);
  expect(messagesOf({ embedOrigins: ['x'] })).toEqual([expect.stringMatching(/^must be an origin/)]);
});

test('one share has the id of its site and its own', () => {
  expect(isRight(OneShare, { siteId: ID, shareId: ID })).toBe(true);
  for (const wrong of [
    {},
    { siteId: ID },
    { shareId: ID },
    { siteId: ID, shareId: 'x' },
    { siteId: ID, shareId: ID, other: 1 },
  ])
    expect(isRight(OneShare, wrong)).toBe(false);
});

test('a typed password has 1 to 128 characters', () => {
  const tried = ['', 'p', 'p'.repeat(128), 'p'.repeat(129)].map((password) =>
    isRight(Unlocking, { password }),
  );
  expect(tried).toEqual([false, true, true, false]);
  expect(isRight(Unlocking, { password: 'p', other: 1 })).toBe(false);
});

test('readers get these answers', () => {
  const site = { name: 'Lamps', domain: 'lamps.example', timezone: 'UTC' };
  const answers: [Parameters<typeof safeParse>[0], object][] = [
    [SharedSite, { name: 'Board', site, reports: ['pages'], expiresAt: null }],
    [SharedSite, { name: 'Board', site, reports: [], expiresAt: '2026-11-24T09:00:00.000Z' }],
    [SharePage, { title: { name: 'Board', site: 'Lamps' }, embedOrigins: ['*'] }],
    [SharePage, { title: null, embedOrigins: [] }],
    [UnlockToken, { token: 'a', expiresAt: '2026-11-24T09:00:00.000Z' }],
  ];
  for (const [schema, answer] of answers)
    expect(safeParse(schema, { ...answer, other: 1 })).toMatchObject({ success: true, output: answer });
  for (const [schema, answer] of answers) {
    const [field = ''] = Object.keys(answer);
    expect(isRight(schema, { ...answer, [field]: 1 })).toBe(false);
  }
});
