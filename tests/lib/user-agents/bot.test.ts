import { expect, test } from 'vitest';
import { isLoadedAhead, isRobot } from '../../../lib/user-agents/bot.ts';

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
const HEADLESS = CHROME.replace('Chrome', 'HeadlessChrome');

test.each([
  '',
  'curl/8.0',
  'python-requests/2.31',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  'Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
  HEADLESS,
])('%j is one', (userAgent) => expect(isRobot(userAgent, [])).toBe(true));

test('a browser is none', () => expect(isRobot(CHROME, [])).toBe(false));

test('an exception is a person', () => {
  expect(isRobot(HEADLESS, ['HeadlessChrome'])).toBe(false);
  expect(isRobot('curl/8.0', ['HeadlessChrome'])).toBe(true);
  expect(isRobot('', ['HeadlessChrome'])).toBe(true);
});

test.each([
  ['Sec-Purpose', 'prefetch'],
  ['Sec-Purpose', 'prefetch;prerender'],
  ['Purpose', 'prefetch'],
  ['X-Moz', 'prefetch'],
  ['X-Purpose', 'preview'],
])('a page loaded ahead by %s: %s is seen by nobody', (name, value) => {
  expect(isLoadedAhead(new Headers({ [name]: value }))).toBe(true);
});

test('other pages are seen', () => {
  expect(isLoadedAhead(new Headers())).toBe(false);
  expect(isLoadedAhead(new Headers({ 'Sec-Purpose': 'other' }))).toBe(false);
});
