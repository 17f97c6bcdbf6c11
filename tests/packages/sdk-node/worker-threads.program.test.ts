/** Threads of `node:worker_threads` collect and send for themselves. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type PlayedService, playService } from './play-service.ts';
import { type Ended, NODES, REGISTER, type Run, runApp, variables } from './run-app.ts';

let service: PlayedService;
beforeEach(async () => {
  service = await playService();
});
afterEach(() => service.close());

interface ThreadOptions {
  argv: ['end' | 'exit' | 'throw'];
  execArgv?: string[];
  /** False: nobody listens to its errors. */
  isWatched?: boolean;
}

const runThread = (options: ThreadOptions, run: Run = { args: REGISTER }): Promise<Ended> =>
  runApp('starts-thread.mjs', {
    ...run,
    env: { ...variables(service.url), THREAD_OPTIONS: JSON.stringify(options) },
  });

describe.each(NODES)('%s', (node) => {
  test.each<[end: ThreadOptions['argv'][0], stdout: string]>([
    ['end', 'exit 0\n'],
    ['exit', 'exit 3\n'],
    ['throw', 'error broken\nexit 1\n'],
  ])('the thread ends: %s. Its requests are sent', async (end, stdout) => {
    const ended = await runThread({ argv: [end] }, { node, args: REGISTER });
    expect(ended).toEqual({ stdout, said: [], end: 0 });
    const [client, server] = service.spans.toSorted((a, b) => b.kind - a.kind);
    expect(service.spans).toHaveLength(2);
    expect(server?.parentSpanId).toBe(client?.spanId);
  });
});

test.each([
  ['the application listens to errors of the thread', true, ['ERROR']],
  ['nobody listens: the process ends', false, ['ERROR', 'FATAL']],
])('the record of an error in a thread. %s', async (_what, isWatched, severities) => {
  await runThread({ argv: ['throw'], isWatched });
  expect(service.logs.map(({ severityText }) => severityText)).toEqual(severities);
  expect(service.logs.map(({ attributes }) => attributes['exception.type'])).toEqual(
    severities.map(() => 'RangeError'),
  );
});

test('what the process takes is measured once, what a thread takes by the thread', async () => {
  await runThread({ argv: ['end'], execArgv: REGISTER }, {});
  expect([...service.metrics]).toEqual(
    expect.arrayContaining(['v8js.memory.heap.used', 'nodejs.eventloop.utilization']),
  );
  expect([...service.metrics].filter((name) => name.startsWith('process.'))).toEqual([]);
});

test('a thread without the option collects nothing', async () => {
  await runThread({ argv: ['end'], execArgv: [] });
  expect(service.spans).toEqual([]);
});
