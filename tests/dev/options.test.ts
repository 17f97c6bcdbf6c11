import { expect, test } from 'vitest';
import { readDevOptions } from '../../dev/dev-options.ts';

const defaults = { port: 8787, contentPort: 8788, database: 'local', redis: 'memory', demo: true };

test.each([
  [[], {}],
  [['--port', '0'], { port: 0 }],
  [['--port=9000', '--content-port=9001'], { port: 9000, contentPort: 9001 }],
  [['--no-demo'], { demo: false }],
  [['--memory'], { database: 'memory' }],
  [['--database', 'postgres://u@h/d'], { database: { url: 'postgres://u@h/d' } }],
  [['--redis', 'rediss://h:1'], { redis: { url: 'rediss://h:1' } }],
])('%j', (args, expected) => {
  expect(readDevOptions(args)).toEqual({ ...defaults, ...expected });
});

test.each([
  [['--port', 'http'], '--port takes a port number'],
  [['--port', '65536'], '--port takes a port number'],
  [['--port', '-1'], 'port'],
  [['--content-port', '1.5'], '--content-port takes a port number'],
  [['--database', 'mysql://h/d'], '--database takes an address that begins with postgres://'],
  [['--redis', 'nonsense'], '--redis takes an address that begins with redis://'],
  [['--memory', '--database', 'postgres://h/d'], 'not both'],
  [['--prot', '1'], "Unknown option '--prot'"],
])('refuses %j', (args, message) => {
  expect(() => readDevOptions(args)).toThrow(message);
});
