/** What holds for each mail of messages: nothing remote, text beside HTML, both colour schemes, narrow readers, each language. */
import { describe, expect, test } from 'vitest';
import { ENVIRONMENT_METRICS, SITE_METRICS } from '../../../lib/alerts/alert-fields.ts';
import { LANGUAGES, type Language } from '../../../lib/languages.ts';
import { describeMessage } from '../../../lib/messages/describe-message.ts';
import type { MessageEvent } from '../../../lib/messages/event-types.ts';
import { EVENTS } from '../../../lib/messages/events.ts';
import { writeMessageMail } from '../../../lib/messages/write-message-mail.ts';
import { writeReportMail } from '../../../lib/messages/write-report-mail.ts';

const publicUrl = 'https://stats.example.com';
const id = crypto.randomUUID();
const LONG = `/${'a-long-path-'.repeat(12)}`;

const report = (language: Language, more: object = {}) =>
  writeReportMail({
    ...{ site: 'Six Strings', from: '2026-11-16', to: '2026-11-22', language, id },
    ...{ url: `${publicUrl}/sites/x`, unsubscribeUrl: `${publicUrl}/messages/unsubscribe-report/x` },
    figures: {
      ...{ observed: true, visitors: 12_847, visits: 18_203, pageviews: 51_990, bounceRate: 43.7 },
      ...{ visitorsChange: 12.4, visitsChange: -3.1, pageviewsChange: null, dropped: 1, segment: null },
      pages: [{ name: LONG, count: 18_233 }],
      sources: [{ name: 'https://spam.example/<b>', count: 8044 }],
      goals: [],
      ...more,
    },
  });
const message = (language: Language, event: MessageEvent, data: object) =>
  writeMessageMail([describeMessage({ event, data, language, publicUrl })], {
    ...{ language, id, ending: { unsubscribeUrl: `${publicUrl}/messages/unsubscribe/x` } },
  });

describe.each(LANGUAGES)('%s', (language) => {
  const mails = {
    report: report(language),
    alert: message(language, 'alert.firing', EVENTS['alert.firing'].example),
    over: message(language, 'alert.over', EVENTS['alert.over'].example),
    paused: message(language, 'channel.paused', EVENTS['channel.paused'].example),
    question: message(language, 'channel.confirm', {}),
  };

  test.each(Object.entries(mails))('%s', (_, { subject, text, html = '' }) => {
    expect(html).not.toMatch(/<(?:img|script|link|iframe|video|svg)|url\(|src=|@import|@font-face/i);
    const urls = [...html.matchAll(/https?:\/\/[^\s"'<>&]+/g)].map(([url]) => url);
    expect(urls.filter((url) => !url.startsWith(publicUrl) && !url.startsWith('https://spam.'))).toEqual([]);
    for (const [, href] of html.matchAll(/href="([^"]*)"/g))
      expect(href?.startsWith(`${publicUrl}/`)).toBe(true);
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).toContain('max-width:600px');
    // Nothing else has a width of its own, so a phone of 320 px shows it whole.
    expect(html.replaceAll(/max-width:\d+px/g, '')).not.toMatch(/width(?::\d{3,}px|="\d{3,}")/);
    expect(html).toContain('content="light dark"');
    expect(html).toContain('@media (prefers-color-scheme:dark)');
    expect(subject).not.toMatch(/\n/);
    // All that is read in HTML is in the text, too.
    const plain = (part: string) => part.replace(/&[#\w]+;/g, '').replaceAll(/[<>&"'\s]/g, '');
    for (const [, words = ''] of html.matchAll(/<(?:p|td|h1|h2|a)\b[^>]*>([^<]+)</g))
      expect(plain(text)).toContain(plain(words));
  });

  test('each metric has a name that a person reads', () => {
    const { example } = EVENTS['alert.firing'];
    for (const metric of [...SITE_METRICS, ...ENVIRONMENT_METRICS]) {
      const { text } = message(language, 'alert.firing', { ...example, metric });
      expect(text).toMatch(/^\p{Lu}[^_\n]*: 540/mu);
    }
  });
});

test('days have in common what they share, and percent is written as the language does', () => {
  expect(report('en').subject).toMatch(/^Six Strings: report, 16\s?–\s?22 November 2026$/);
  expect(report('es').subject).toMatch(/^Six Strings: informe, 16\s?–\s?22 de noviembre de 2026$/);
  expect(report('pt-PT').subject).toMatch(/^Six Strings: relatório, 16\s?–\s?22 de novembro de 2026$/);
  expect(report('en').text).toContain('Visits: 18,203 (-3.1%)');
  expect(report('es').text).toMatch(/Visitas: 18\.203 \(-3,1\s%\)/);
});

test('what changes are against is said only beside a change', () => {
  expect(report('en').text).toContain('just before');
  const none = { visitorsChange: null, visitsChange: null };
  expect(report('en', none).text).not.toContain('just before');
});
