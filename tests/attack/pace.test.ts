import { expect, test } from 'vitest';
import { createPace } from './pace.ts';

/** A clock that only waiting moves. */
function fakeClock() {
  let ms = 1000;
  const clock = {
    now: () => ms,
    wait: async (more: number) => {
      ms += more;
    },
    pass: (more: number) => {
      ms += more;
    },
  };
  return clock;
}

test('a rate spreads requests evenly, several at once count each, and missed time makes no burst', async () => {
  const clock = fakeClock();
  const { turn } = createPace(10, clock);
  const sentAt: number[] = [];
  for (const requests of [1, 1, 3, 1]) {
    await turn(requests);
    sentAt.push(clock.now());
  }
  clock.pass(5000);
  await turn(1);
  sentAt.push(clock.now());
  await turn(1);
  sentAt.push(clock.now());
  expect(sentAt).toEqual([1000, 1100, 1200, 1500, 6500, 6600]);
});

test('without a rate nothing waits', async () => {
  const clock = fakeClock();
  const { turn } = createPace(undefined, clock);
  for (let request = 0; request < 5; request++) await turn(4);
  expect(clock.now()).toBe(1000);
});

test('nothing is sent in a pause, whose time is known afterwards', async () => {
  const clock = fakeClock();
  const pace = createPace(undefined, clock);
  let sent = 0;
  const send = () =>
    pace.turn(1).then(() => {
      sent += 1;
    });
  pace.pause();
  const sending = [send(), send()];
  await new Promise(setImmediate);
  expect(sent).toBe(0);
  clock.pass(700);
  pace.resume();
  await Promise.all(sending);
  expect([sent, pace.pausedMs()]).toEqual([2, 700]);
});
