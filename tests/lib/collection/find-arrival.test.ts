import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findArrival } from '../../../lib/collection/find-arrival.ts';
import type { Campaign } from '../../../lib/collection/page-address.ts';

const sourceOf = (referrer: string | undefined, campaign: Campaign = {}) =>
  findArrival(referrer, campaign, ['example.com']).source;

describe('referrers', () => {
  test.each([
    ['https://www.google.com/', 'Google'],
    ['https://www.google.co.uk/', 'Google'],
    ['https://google.com.br/search?q=secret', 'Google'],
    ['https://www.google.de/', 'Google'],
    ['https://mail.google.com/mail/u/0', 'Gmail'],
    ['https://news.google.com/', 'Google News'],
    ['https://gemini.google.com/app', 'Gemini'],
    ['https://www.bing.com/', 'Bing'],
    ['https://duckduckgo.com/', 'DuckDuckGo'],
    ['https://search.yahoo.com/', 'Yahoo'],
    ['https://mail.yahoo.com/', 'Yahoo Mail'],
    ['https://yandex.kz/', 'Yandex'],
    ['https://chatgpt.com/', 'ChatGPT'],
    ['https://claude.ai/chat/1', 'Claude'],
    ['https://www.perplexity.ai/', 'Perplexity'],
    ['https://l.facebook.com/l.php?u=x', 'Facebook'],
    ['https://lm.facebook.com/', 'Facebook'],
    ['https://l.instagram.com/', 'Instagram'],
    ['https://t.co/abc', 'X'],
    ['https://x.com/', 'X'],
    ['https://www.linkedin.com/', 'LinkedIn'],
    ['https://old.reddit.com/r/guitar', 'Reddit'],
    ['https://www.pinterest.pt/', 'Pinterest'],
    ['https://news.ycombinator.com/item?id=1', 'Hacker News'],
    ['https://en.wikipedia.org/wiki/Guitar', 'Wikipedia'],
    ['android-app://com.google.android.googlequicksearchbox/', 'Google'],
    ['android-app://com.google.android.gm/', 'Gmail'],
    ['android-app://com.linkedin.android/', 'LinkedIn'],
    ['android-app://org.example.reader/', 'org.example.reader'],
    ['https://www.blog.test/post', 'blog.test'],
    ['https://google.evil.test/', 'google.evil.test'],
    ['https://notgoogle.com/', 'notgoogle.com'],
    ['https://google.com.evil.test/', 'google.com.evil.test'],
    ['https://user:secret@blog.test:8080/a?b#c', 'blog.test'],
    ['', undefined],
    [undefined, undefined],
    ['about:client', undefined],
    ['https://example.com/other', undefined],
    ['https://shop.example.com/other', undefined],
  ])('%s is %s', (referrer, source) => expect(sourceOf(referrer)).toBe(source));
});

describe('what the link says of itself', () => {
  test.each<[Campaign, string | undefined]>([
    [{ utmSource: 'newsletter' }, 'newsletter'],
    [{ utmSource: 'Google' }, 'Google'],
    [{ utmSource: 'chatgpt.com' }, 'ChatGPT'],
    [{ utmSource: 'fb' }, 'Facebook'],
    [{ utmSource: 'IG' }, 'Instagram'],
    [{ ref: 'producthunt' }, 'Product Hunt'],
    [{ ref: 'a', source: 'b', utmSource: 'c' }, 'c'],
    [{ ref: 'a', source: 'b' }, 'b'],
    [{ utmSource: 'constructor' }, 'constructor'],
    [{ utmSource: '__proto__' }, '__proto__'],
    [{ utmMedium: 'email' }, 'Bing'],
    [{ clickId: 'gclid' }, 'Bing'],
  ])('%j over a referrer is %s', (campaign, source) => {
    expect(sourceOf('https://www.bing.com/', campaign)).toBe(source);
  });

  test('a click id counts when there is nothing else, and not within the site', () => {
    expect(sourceOf(undefined, { clickId: 'gclid' })).toBe('Google');
    expect(sourceOf(undefined, { clickId: 'li_fat_id' })).toBe('LinkedIn');
    expect(sourceOf('https://example.com/', { clickId: 'gclid' })).toBeUndefined();
  });
});

test('a step within the site is no arrival', () => {
  const both = ['example.com', 'shop.example'];
  for (const host of ['example.com', 'www.shop.example', 'pay.shop.example'])
    expect(findArrival(`https://${host}/a`, {}, both)).toEqual({ internal: true });
  expect(findArrival('https://www.example.com/a', {}, ['example.com'])).toEqual({ internal: true });
  expect(findArrival('https://www.example.com/a', { utmSource: 'flyer' }, ['example.com'])).toEqual({
    source: 'flyer',
    internal: true,
  });
  expect(findArrival('https://blog.test/', {}, ['example.com'])).toEqual({
    source: 'blog.test',
    internal: false,
  });
  expect(findArrival(undefined, {}, ['example.com'])).toEqual({ internal: false });
});

test('any referrer gives a bounded host or nothing', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl({ withQueryParameters: true })),
      (referrer) => {
        const { source } = findArrival(referrer, {}, ['example.com']);
        expect(source?.length ?? 1).toBeLessThanOrEqual(128);
        expect(source ?? '').not.toMatch(/[/?#@\0]/);
      },
    ),
  );
});
