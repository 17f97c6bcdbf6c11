import { expect, test } from 'vitest';
import { readStartOptions } from '../../host/start/start-options.ts';

test('--demo is the only option; another one is refused by its name', () => {
  expect(readStartOptions([], {})).toEqual({ demo: false });
  expect(readStartOptions(['--demo'], {})).toEqual({ demo: true });
  for (const wrong of ['--dem', '--demo=1', '--no-demo', '-d', 'demo', '--port', '--'])
    expect(() => readStartOptions(['--demo', wrong], {})).toThrow(`${wrong} is no option of npm start`);
});

test('an option that npm took for itself is said to need -- before it', () => {
  expect(() => readStartOptions([], { npm_config_demo: 'true' })).toThrow('Write npm start -- --demo.');
});
