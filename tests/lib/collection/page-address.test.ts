import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanUrl } from '../../../lib/collection/page-address.ts';

const clean = (url: string) => cleanUrl(url) ?? { hostname: '-', path: '-', campaign: {} };

describe('what is kept of an address', () => {
  test.each([
    ['https://example.com', 'example.com', '/'],
    ['https://EXAMPLE.com:8443/A/b', 'example.com', '/A/b'],
    ['http://user:password@example.com/a', 'example.com', '/a'],
    ['https://example.com./a', 'example.com', '/a'],
    ['https://bücher.example/ä', 'xn--bcher-kva.example', '/%C3%A4'],
    ['https://example.com/a?token=secret&b=c', 'example.com', '/a'],
    ['https://example.com/a#section', 'example.com', '/a'],
    ['https://example.com/a#b#/c', 'example.com', '/a'],
    ['https://example.com/a#access_token=secret', 'example.com', '/a'],
    ['https://example.com/#/route/1', 'example.com', '/#/route/1'],
    ['https://example.com/app#!/route', 'example.com', '/app#!/route'],
    ['https://example.com/#/route?token=secret', 'example.com', '/#/route'],
    ['https://example.com/#/access_token=secret&state=1', 'example.com', '/#/access_token'],
    ['https://example.com/#/a#b', 'example.com', '/#/a'],
    ['http://[::1]:3000/a', '[::1]', '/a'],
    ['http://localhost:3000/a/../b', 'localhost', '/b'],
  ])('%s', (url, hostname, path) => {
    expect(clean(url)).toMatchObject({ hostname, path });
  });

  test.each([
    '',
    'nonsense',
    '/a',
    '//example.com',
    'about:blank',
    'data:text/html,x',
    'file:///etc/passwd',
    'blob:https://example.com/1',
  ])('%j is no page', (url) => expect(cleanUrl(url)).toBeUndefined());

  test.each([
    [1023, 'aé', 'a'],
    [1022, 'é', ''],
    [1021, 'é', '%C3'],
    [1020, 'aé', 'a%C3'],
    [1024, '', ''],
    [1023, 'a', 'a'],
    [1023, 'é', ''],
    [1022, ' a', ''],
  ])('of %i characters with %j after them, %j stays', (length, more, kept) => {
    const path = `/${'a'.repeat(length - 1)}`;
    expect(clean(`https://example.com${path}${more}`).path).toBe(path + kept);
  });

  test('long paths are cut, never inside an escape', () => {
    const path = clean(`https://example.com/${'ä'.repeat(1000)}`).path;
    expect(path.length).toBeLessThanOrEqual(1024);
    expect(() => decodeURIComponent(path.replace(/(%C3)$/, ''))).not.toThrow();
  });
});

describe('campaign', () => {
  const campaignOf = (query: string) => clean(`https://example.com/?${query}`).campaign;
  test.each([
    [
      'utm_source=a&utm_medium=b&utm_campaign=c&utm_term=d&utm_content=e',
      { utmSource: 'a', utmMedium: 'b', utmCampaign: 'c', utmTerm: 'd', utmContent: 'e' },
    ],
    ['ref=a&source=b&x=y', { ref: 'a', source: 'b' }],
    ['utm_source=&utm_medium=%20%20', {}],
    ['utm_source=a%00b%0a', { utmSource: 'a b' }],
    ['utm_source=%FF', { utmSource: '\ufffd' }],
    ['utm_source=a&utm_source=b', { utmSource: 'a' }],
    ['gclid=secret', { clickId: 'gclid' }],
    ['fbclid=secret&gclid=secret', { clickId: 'gclid' }],
    ['mc_cid=secret&mc_eid=secret', { clickId: 'mc_cid' }],
    ['fbclid=secret&utm_source=a', { utmSource: 'a', clickId: 'fbclid' }],
    ['GCLID=secret&utm_nonsense=1', {}],
  ])('%s', (query, campaign) => expect(campaignOf(query)).toEqual(campaign));

  test('values are cut to 128 units, never inside a code point', () => {
    const value = campaignOf(`utm_source=${encodeURIComponent(`a${'🎸'.repeat(100)}`)}`).utmSource ?? '';
    expect(value).toBe(`a${'🎸'.repeat(63)}`);
  });
});

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc
    .tuple(fc.webUrl(), fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }))
    .map(([url, query, fragment]) => `${url}?${query}#${fragment}`),
);

describe('for any text', () => {
  test('never throws, and is bounded and well-formed', () => {
    fc.assert(
      fc.property(hostile, (url) => {
        const page = cleanUrl(url);
        if (page === undefined) return;
        expect(page.hostname.length).toBeLessThanOrEqual(253);
        expect(page.path.length).toBeLessThanOrEqual(1024);
        for (const text of [page.hostname, page.path, ...Object.values(page.campaign)]) {
          expect(text.isWellFormed()).toBe(true);
          expect(text).not.toContain('\0');
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('nothing of user-info, other parameters or anchors is left', () => {
    const secret = fc.stringMatching(/^zz[a-z0-9]{8}$/);
    const name = fc.stringMatching(/^q[a-z]{1,8}$/);
    fc.assert(
      fc.property(fc.webUrl(), secret, name, (base, mark, parameter) => {
        const url = new URL(base);
        url.username = mark;
        url.password = mark;
        url.searchParams.append(parameter, mark);
        url.searchParams.append('gclid', mark);
        for (const fragment of [
          mark,
          `/route?${mark}`,
          `/route&a=${mark}`,
          `!/route#${mark}`,
          `token=${mark}`,
        ]) {
          url.hash = fragment;
          expect(JSON.stringify(cleanUrl(url.href))).not.toContain(mark);
        }
      }),
    );
  });

  test('cleaning what is clean changes nothing', () => {
    fc.assert(
      fc.property(hostile, (url) => {
        const page = cleanUrl(url);
        if (page === undefined) return;
        const again = cleanUrl(`https://${page.hostname}${page.path}`);
        expect(again).toEqual({ hostname: page.hostname, path: page.path, campaign: {} });
      }),
      { numRuns: 2000 },
    );
  });
});
