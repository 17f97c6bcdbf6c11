import { expect, test } from 'vitest';
import { createErrorNotes } from '../../../lib/telemetry/error-notes.ts';
import type { NotedError } from '../../../lib/telemetry/note-error.ts';

/** Notes with a clock that stands still until `pass` moves it. */
function start() {
  let nowMs = 0;
  const sleepers: { untilMs: number; wake: () => void }[] = [];
  const written: [number, string, NotedError['dropped']][] = [];
  const noteLater = createErrorNotes({
    now: () => nowMs,
    sleep: (ms) => new Promise((wake) => sleepers.push({ untilMs: nowMs + ms, wake })),
  });
  return {
    written,
    note: (message: string, key = 'a', dropped: NotedError['dropped'] = { time: 1 }) =>
      noteLater(
        key,
        { signal: 'traces', status: 400, message, dropped, atMs: nowMs },
        async (error) => void written.push([nowMs, error.message, error.dropped]),
      ),
    pass(ms: number): void {
      nowMs += ms;
      for (const { untilMs, wake } of sleepers) if (untilMs <= nowMs) wake();
    },
  };
}

test('the first error is stored at once, and the last of the next 5 seconds after them, with what all of them dropped', async () => {
  const { note, pass, written } = start();
  await note('one');
  expect(written).toEqual([[0, 'one', { time: 1 }]]);
  pass(1000);
  const waits = note('two');
  pass(1000);
  await note('three', 'a', { time: 2, ids: 1 });
  expect(written).toHaveLength(1);
  pass(3000);
  await waits;
  expect(written.slice(1)).toEqual([[5000, 'three', { time: 3, ids: 1 }]]);
  pass(5000);
  await note('four');
  expect(written.slice(2)).toEqual([[10_000, 'four', { time: 1 }]]);
});

test('keys don’t wait for each other', async () => {
  const { note, written } = start();
  await note('one', 'a');
  await note('two', 'b');
  expect(written.map(([, message]) => message)).toEqual(['one', 'two']);
});

test('a call that was stopped while it waited keeps no other one waiting for long', async () => {
  const { note, pass, written } = start();
  await note('one');
  void note('stopped');
  // Nobody wakes it: the runtime has stopped it.
  const stuck = start();
  await stuck.note('one');
  pass(0);
  expect(written).toHaveLength(1);
  pass(20_000);
  await note('late');
  expect(written.at(-1)?.[1]).toBe('late');
});
