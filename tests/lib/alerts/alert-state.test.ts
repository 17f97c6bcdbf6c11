/** The states of an alert: a table of what follows on what, and what holds for every course of minutes. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AlertStatus, CALM_MINUTES, stepAlert } from '../../../lib/alerts/alert-state.ts';

const MINUTE_MS = 60_000;
const START: AlertStatus = { state: 'ok', alarmSince: null, calmSince: null };

/** A minute by its letter: + the condition holds, - it doesn't, ? no data, m muted while it holds, n muted while it doesn't. */
const MINUTES = {
  '+': { holds: true, muted: false },
  '-': { holds: false, muted: false },
  '?': { holds: null, muted: false },
  m: { holds: true, muted: true },
  n: { holds: false, muted: true },
} as const;

/** The states as letters, o f d m, each followed by ! for "fires" and . for "over" where channels hear of it. */
function courseOf(minutes: string): string {
  let status = START;
  let course = '';
  for (const [n, letter] of [...minutes].entries()) {
    const step = stepAlert(status, { at: n * MINUTE_MS, ...MINUTES[letter as keyof typeof MINUTES] });
    status = step;
    course += { ok: 'o', firing: 'f', no_data: 'd', muted: 'm' }[step.state];
    course += step.message === 'firing' ? '!' : step.message === 'over' ? '.' : '';
  }
  return course;
}

test.each([
  ['nothing happens', '---', 'ooo'],
  ['it fires once', '-+++', 'of!ff'],
  ['it is over after five calm minutes', '+-----', 'f!ffffo.'],
  ['around the threshold it is one alarm', '+-+--+---+-----', 'f!fffffffffffffo.'],
  ['it fires again after it was over', '+-----+', 'f!ffffo.f!'],
  ['no data isn’t fine and isn’t firing', '-?-', 'odo'],
  ['an alarm stays open without data', '+??+-----', 'f!ddfffffo.'],
  ['calm minutes before no data don’t count', '+---?-----', 'f!fffdffffo.'],
  ['what fires while it is muted is heard afterwards', '-mm+', 'ommf!'],
  ['what ended while it is muted is over afterwards', '+nnn-----', 'f!mmmffffo.'],
  ['an alarm that goes on isn’t heard twice after it was muted', '+mm++', 'f!mmff'],
  ['muted without an alarm, nothing is heard', '-mn-', 'ommo'],
])('%s', (_, minutes, course) => {
  expect(courseOf(minutes)).toBe(course);
});

test('alarms open and close by turns, and no message comes while muted or without data', () => {
  const letters = fc.array(fc.constantFrom(...Object.keys(MINUTES)), { maxLength: 200 });
  fc.assert(
    fc.property(letters, (minutes) => {
      const course = courseOf(minutes.join(''));
      const messages = course.replace(/[^!.]/g, '');
      expect(messages).toMatch(/^(?:!\.)*!?$/);
      expect(course).not.toMatch(/[dm][!.]/);
      expect(course).not.toMatch(/f\.|o!/);
    }),
  );
});

test('an alarm is over exactly when the last minutes were calm, and not before', () => {
  const letters = fc.array(fc.constantFrom('+', '-'), { maxLength: 100 });
  fc.assert(
    fc.property(letters, (minutes) => {
      const text = minutes.join('');
      const course = courseOf(text);
      const isOpen = course.replace(/[^!.]/g, '').endsWith('!');
      const last = text.lastIndexOf('+');
      expect(isOpen).toBe(last >= 0 && text.length - 1 - last < CALM_MINUTES);
    }),
  );
});
