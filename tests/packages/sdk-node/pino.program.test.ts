/** Loggers of pino that name their fields in their own way. */
import { expect, test } from 'vitest';
import { playService } from './play-service.ts';
import { NODES, REGISTER, runApp, variables } from './run-app.ts';

const PROGRAM = `
import pino from 'pino';
const lines = [];
const to = { write: (line) => lines.push(JSON.parse(line)) };
const own = pino({
  messageKey: 'message',
  errorKey: 'failure',
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ severity: label }) },
}, to);
own.warn({ order: 7 }, 'own');
own.child({ part: 'child' }).error(new TypeError('broken'), 'own child');
pino({ timestamp: pino.stdTimeFunctions.unixTime }, to).info('seconds');
pino({ timestamp: () => ',"at":"2026-01-02T03:04:05.678Z"' }, to).info('own time');
pino({ timestamp: false }, to).info('no time');
pino({ timestamp: () => ',"when":"soon"' }, to).info({ time: 'mine' }, 'no time either');
pino({}, to).fatal({ err: new RangeError('plain'), failure: 1, message: 'field' }, 'usual');
console.log(JSON.stringify(lines));
`;

test.each(NODES)('message, error, level and time by other names: %s', async (node) => {
  const service = await playService();
  const { stdout, said, end } = await runApp(PROGRAM, { node, args: REGISTER, env: variables(service.url) });
  service.close();
  expect({ said, end }).toEqual({ said: [], end: 0 });
  const lines = JSON.parse(stdout) as { time: string | number }[];
  const { logs } = service;
  expect(
    logs.map(({ body, severityNumber, severityText, attributes }) => [
      body,
      severityNumber,
      severityText,
      Object.fromEntries(Object.entries(attributes).filter(([name]) => name !== 'exception.stacktrace')),
    ]),
  ).toEqual([
    ['own', 13, 'WARN', { severity: 'warn', order: 7 }],
    [
      'own child',
      17,
      'ERROR',
      { severity: 'error', part: 'child', 'exception.type': 'TypeError', 'exception.message': 'broken' },
    ],
    ['seconds', 9, 'INFO', {}],
    ['own time', 9, 'INFO', {}],
    ['no time', 9, 'INFO', {}],
    ['no time either', 9, 'INFO', { time: 'mine' }],
    [
      'usual',
      21,
      'FATAL',
      { failure: 1, message: 'field', 'exception.type': 'RangeError', 'exception.message': 'plain' },
    ],
  ]);
  const ms = logs.map(({ timeNano }) => Number(BigInt(timeNano) / 1_000_000n));
  expect(ms.slice(0, 4)).toEqual([
    Date.parse(`${lines[0]?.time}`),
    Date.parse(`${lines[1]?.time}`),
    Number(lines[2]?.time) * 1000,
    Date.parse('2026-01-02T03:04:05.678Z'),
  ]);
  expect(ms.at(-1)).toBe(lines.at(-1)?.time);
});
