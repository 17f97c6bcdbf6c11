import { expect, test } from 'vitest';
import { createAgentReader } from '../../../lib/user-agents/read-agent.ts';

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
const HEADLESS = CHROME.replace('Chrome', 'HeadlessChrome');

const ask = (userAgent: string, hints = {}) => new Headers({ 'User-Agent': userAgent, ...hints });

test('tells people from robots, and their devices', () => {
  const read = createAgentReader([]);
  expect(read(ask(CHROME))).toEqual({
    robot: false,
    device: { device: 'desktop', browser: 'Chrome', os: 'Linux' },
  });
  expect(read(ask(HEADLESS))).toMatchObject({ robot: true });
  expect(read(ask(''))).toEqual({ robot: true, device: { device: 'other' } });
  expect(createAgentReader(['Headless'])(ask(HEADLESS))).toMatchObject({ robot: false });
});

test('says the same again, however many came between', () => {
  const read = createAgentReader([]);
  const first = read(ask(CHROME));
  expect(read(ask(CHROME))).toBe(first);
  for (let n = 0; n < 1000; n++) read(ask(`curl/${n}`));
  expect(read(ask(CHROME))).not.toBe(first);
  expect(read(ask(CHROME))).toEqual(first);
});

test('keeps no long ones', () => {
  const read = createAgentReader([]);
  const long = CHROME.padEnd(513, 'x');
  expect(read(ask(long))).not.toBe(read(ask(long)));
  expect(read(ask(long))).toEqual(read(ask(long)));
});

test('remembers hints apart, and sees a robot through them', () => {
  const read = createAgentReader([]);
  const brave = { 'Sec-CH-UA': '"Brave";v="142", "Chromium";v="142"' };
  expect(read(ask(CHROME, brave)).device.browser).toBe('Brave');
  expect(read(ask(CHROME)).device.browser).toBe('Chrome');
  const hidden = ask(CHROME, { 'Sec-CH-UA': '"HeadlessChrome";v="142", "Chromium";v="142"' });
  expect(read(hidden).robot).toBe(true);
  expect(createAgentReader(['HeadlessChrome'])(hidden).robot).toBe(false);
});
