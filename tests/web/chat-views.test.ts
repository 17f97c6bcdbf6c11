/** The documents of views in chats, and the points of their chart. */
import { expect, test } from 'vitest';
import { CHAT_VIEWS } from '../../functions/mcp/chat-views.generated.ts';
import { LANGUAGES } from '../../lib/languages.ts';
import { MAX_VIEW_BYTES } from '../../web/chat/bundle-chat.ts';
import { SITE_WORDS } from '../../web/chat/site-words.ts';
import { TRACE_WORDS } from '../../web/chat/trace-words.ts';
import { stepsOf } from '../../web/chat/trend.ts';
import { languageFor, SENTENCES } from '../../web/chat/words.ts';

test.each(Object.entries(CHAT_VIEWS))('%s: at most 30 KB, names no address, runs no text', (_, html) => {
  expect(MAX_VIEW_BYTES).toBe(30 * 1024);
  expect(Buffer.byteLength(html)).toBeLessThanOrEqual(MAX_VIEW_BYTES);
  // Names of XML namespaces, which nothing loads.
  const others = html.replaceAll(/http:\/\/www\.w3\.org\/(?:2000\/svg|1999\/xhtml|1998\/Math\/MathML)/g, '');
  expect(others).not.toMatch(/https?:\/\/|wss?:\/\/|url\(|@import|src=|href="/);
  expect(html).not.toMatch(/\beval\b|\bFunction\(|\bfetch\(|XMLHttpRequest|WebSocket|sendBeacon|import\(/);
  expect(html).toMatch(/content="default-src 'none';script-src 'sha256-[^']+';style-src 'sha256-[^']+'/);
  expect(html.match(/<script/g)).toHaveLength(1);
});

test('the language is the chat’s, for numbers and dates with its region', () => {
  const cases = {
    'en-GB': ['en', 'en-GB'],
    'es-MX': ['es', 'es-MX'],
    'pt-BR': ['pt-PT', 'pt-BR'],
    pt: ['pt-PT', 'pt'],
    'de-DE': ['en', 'en'],
    '': ['en', 'en'],
    'es-': ['es', 'es'],
  };
  for (const [locale, [language, tag]] of Object.entries(cases))
    expect(languageFor(locale)).toEqual({ language, tag });
});

test('each language has words of its own', () => {
  for (const words of [SITE_WORDS, TRACE_WORDS, SENTENCES])
    for (const language of LANGUAGES.filter((one) => one !== 'en'))
      expect(Object.keys(words[language])).toEqual(Object.keys(words.en));
});

const point = (time: string, visitors: number) => ({ time, visitors, visits: visitors + 1 });

test('times without traffic are zeros, from the first observed day to the last', () => {
  const days = stepsOf([point('2026-11-03', 5), point('2026-11-05', 2)], 'day', {
    from: '2026-11-02',
    to: '2026-11-06',
  });
  expect(days.map(({ visitors }) => visitors)).toEqual([0, 5, 0, 2, 0]);
  const months = stepsOf([point('2026-01-01', 1), point('2026-04-01', 4)], 'month', {
    from: '2026-01-01',
    to: '2026-04-30',
  });
  expect(months.map(({ visitors }) => visitors)).toEqual([1, 0, 0, 4]);
  const hours = stepsOf(
    [point('2026-03-29T01:00:00+01:00', 1), point('2026-03-29T04:00:00+02:00', 3)],
    'hour',
    {
      from: '2026-03-29',
      to: '2026-03-29',
    },
  );
  expect(hours.map(({ visitors }) => visitors)).toEqual([1, 0, 3]);
});
