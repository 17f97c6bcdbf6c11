import { expect, test } from 'vitest';
import { isBot } from '../../../lib/visits/bot.ts';

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
const HEADLESS = CHROME.replace('Chrome', 'HeadlessChrome');
const check = (headers: Record<string, string>, exceptions: string[] = []) =>
  isBot(new Headers(headers), exceptions);

test.each([
  '',
  'curl/8.0',
  'python-requests/2.31',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  'Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
  HEADLESS,
])('%j is one', (userAgent) => expect(check({ 'User-Agent': userAgent })).toBe(true));

test('no user agent is one, and a browser is none', () => {
  expect(check({})).toBe(true);
  expect(check({ 'User-Agent': CHROME })).toBe(false);
});

test('an exception is a person', () => {
  expect(check({ 'User-Agent': HEADLESS }, ['HeadlessChrome'])).toBe(false);
  expect(check({ 'User-Agent': 'curl/8.0' }, ['HeadlessChrome'])).toBe(true);
  expect(check({}, ['HeadlessChrome'])).toBe(true);
});

test.each([
  ['Sec-Purpose', 'prefetch'],
  ['Sec-Purpose', 'prefetch;prerender'],
  ['Purpose', 'prefetch'],
  ['X-Moz', 'prefetch'],
  ['X-Purpose', 'preview'],
])('a page loaded ahead by %s: %s is seen by nobody', (name, value) => {
  expect(check({ 'User-Agent': CHROME, [name]: value })).toBe(true);
});
