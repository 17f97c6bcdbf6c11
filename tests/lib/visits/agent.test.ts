import { expect, test } from 'vitest';
import { createAgentReader } from '../../../lib/visits/agent.ts';

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
const HEADLESS = CHROME.replace('Chrome', 'HeadlessChrome');

test('tells people from robots, and their devices', () => {
  const read = createAgentReader([]);
  expect(read(CHROME)).toEqual({
    robot: false,
    device: { device: 'desktop', browser: 'Chrome', os: 'Linux' },
  });
  expect(read(HEADLESS)).toMatchObject({ robot: true });
  expect(read('')).toEqual({ robot: true, device: { device: 'other' } });
  expect(createAgentReader(['Headless'])(HEADLESS)).toMatchObject({ robot: false });
});

test('says the same again, however many came between', () => {
  const read = createAgentReader([]);
  const first = read(CHROME);
  expect(read(CHROME)).toBe(first);
  for (let n = 0; n < 1000; n++) read(`curl/${n}`);
  expect(read(CHROME)).not.toBe(first);
  expect(read(CHROME)).toEqual(first);
});

test('keeps no long ones', () => {
  const read = createAgentReader([]);
  const long = CHROME.padEnd(513, 'x');
  expect(read(long)).not.toBe(read(long));
  expect(read(long)).toEqual(read(long));
});
