import { expect, test } from 'vitest';
import { DomainError, unavailable } from '../../../lib/errors.ts';
import { createWaitOut } from '../../../lib/telemetry/wait-out.ts';

/** Fails `times` times, then succeeds. */
function failing(times: number, error: Error = unavailable('away')) {
  let calls = 0;
  const attempt = async () => {
    calls += 1;
    if (calls <= times) throw error;
    return 'stored';
  };
  return { attempt, calls: () => calls };
}

const sleepless = () => Promise.resolve();

test.each([
  [0, 1],
  [1, 2],
  [4, 5],
])('%i failures take %i attempts', async (times, attempts) => {
  const { attempt, calls } = failing(times);
  expect([await createWaitOut({ sleep: sleepless, now: Date.now })(attempt), calls()]).toEqual([
    'stored',
    attempts,
  ]);
});

test('a fault that lasts is reported in the end', async () => {
  const { attempt, calls } = failing(99);
  await expect(createWaitOut({ sleep: sleepless, now: Date.now })(attempt)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  });
  expect(calls()).toBe(5);
});

test('a fault that took long is reported at once', async () => {
  let at = 0;
  const { attempt, calls } = failing(99);
  const slow = () => {
    at += 8000;
    return attempt();
  };
  await expect(createWaitOut({ sleep: sleepless, now: () => at })(slow)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  });
  expect(calls()).toBe(1);
});

test('what would fail again is not tried again', async () => {
  const { attempt, calls } = failing(1, new DomainError('VALIDATION_ERROR', 'Wrong.'));
  await expect(createWaitOut({ sleep: sleepless, now: Date.now })(attempt)).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
  });
  expect(calls()).toBe(1);
});

test('no more wait at once than may', async () => {
  const wakers: (() => void)[] = [];
  const waitOut = createWaitOut({
    sleep: () => new Promise((wake) => wakers.push(wake)),
    now: Date.now,
    maxWaiting: 2,
  });
  const [first, second] = [failing(1), failing(1)].map(({ attempt }) => waitOut(attempt));
  await expect.poll(() => wakers.length).toBe(2);
  await expect(waitOut(failing(1).attempt)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  for (const wake of wakers.splice(0)) wake();
  expect(await Promise.all([first, second])).toEqual(['stored', 'stored']);
  const third = waitOut(failing(1).attempt);
  await expect.poll(() => wakers.length).toBe(1);
  wakers[0]?.();
  expect(await third).toBe('stored');
});
