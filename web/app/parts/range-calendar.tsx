/** A month in which a first and a last day are chosen, by pointer or keyboard. */
import { flushSync } from 'preact/compat';
import { useRef, useState } from 'preact/hooks';
import { addDays, addMonths, firstOfMonth, weekdayOf } from '../../../lib/dates.ts';
import { time } from '../format.ts';
import { words } from '../words/index.ts';
import { Icon } from './icon.tsx';

interface RangeCalendarProps {
  from: string;
  to: string;
  /** No later day can be chosen. */
  last: string;
  /** Both are the same day after the first choice. */
  onChange: (from: string, to: string) => void;
}

const DAYS_OF_WEEK = 7;
const STEPS: Readonly<Record<string, number>> = {
  ...{ ArrowLeft: -1, ArrowRight: 1, ArrowUp: -DAYS_OF_WEEK, ArrowDown: DAYS_OF_WEEK },
};
/** Any Sunday. */
const SUNDAY = '2026-11-01';

const noon = (date: string): string => `${date}T12:00:00Z`;
const textOf = (date: string, form: 'long-day' | 'long-month' | 'short-weekday'): string =>
  time(noon(date), form, 'UTC');

/** Of the browser's own locale; 0 is Sunday. Where the browser doesn't know it, a week begins on Monday. */
function firstWeekday(): number {
  // `navigator.language` may be none, as `en-US@posix`.
  const { locale: own } = Intl.DateTimeFormat().resolvedOptions();
  const locale = new Intl.Locale(own) as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number };
  };
  return (locale.getWeekInfo?.().firstDay ?? 1) % DAYS_OF_WEEK;
}

export function RangeCalendar({ from, to, last, onChange }: RangeCalendarProps) {
  const [chosen, setChosen] = useState(to);
  const [isEnding, setEnding] = useState(false);
  const grid = useRef<HTMLDivElement>(null);
  const month = firstOfMonth(chosen);
  const begins = firstWeekday();
  const before = (weekdayOf(month) - begins + DAYS_OF_WEEK) % DAYS_OF_WEEK;
  const count = Number(addDays(addMonths(month, 1), -1).slice(8));
  const show = (date: string): void => setChosen(date > last ? last : date);
  const choose = (date: string): void => {
    setChosen(date);
    if (!isEnding) onChange(date, date);
    else onChange(date < from ? date : from, date < from ? from : date);
    setEnding(!isEnding);
  };
  const step = (event: KeyboardEvent): void => {
    const days = STEPS[event.key];
    const months = { PageUp: -1, PageDown: 1 }[event.key];
    if (days === undefined && months === undefined) return;
    event.preventDefault();
    // The next key may come before the page is drawn by itself.
    flushSync(() => show(days === undefined ? addMonths(chosen, months ?? 0) : addDays(chosen, days)));
    grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  };
  return (
    <section class="calendar" aria-label={words.periods.calendar}>
      <p class="calendar-month">
        <button type="button" class="button plain" onClick={() => show(addMonths(chosen, -1))}>
          <Icon name="left" />
          <span class="unseen">{words.periods.monthBefore}</span>
        </button>
        <strong aria-live="polite">{textOf(month, 'long-month')}</strong>
        <button
          type="button"
          class="button plain"
          disabled={addMonths(month, 1) > last}
          onClick={() => show(addMonths(chosen, 1))}
        >
          <Icon name="right" />
          <span class="unseen">{words.periods.monthAfter}</span>
        </button>
      </p>
      <div class="calendar-days" aria-hidden="true">
        {Array.from({ length: DAYS_OF_WEEK }, (_, n) => (
          <span key={n}>{textOf(addDays(SUNDAY, n + begins), 'short-weekday')}</span>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys go through the days in it */}
      <div ref={grid} class="calendar-days" onKeyDown={step}>
        {Array.from({ length: count }, (_, n) => addDays(month, n)).map((date, n) => (
          <button
            key={date}
            type="button"
            style={n === 0 ? { gridColumnStart: before + 1 } : undefined}
            class={date > from && date < to ? 'within' : undefined}
            tabIndex={date === chosen ? 0 : -1}
            disabled={date > last}
            aria-pressed={date === from || date === to}
            aria-label={textOf(date, 'long-day')}
            onClick={() => choose(date)}
          >
            {n + 1}
          </button>
        ))}
      </div>
    </section>
  );
}
