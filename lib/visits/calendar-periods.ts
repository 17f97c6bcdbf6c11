/** Periods of the calendar, for those who ask by dates: their days, and the days that they are compared with. Weeks begin on Monday. */
import { addDays, addMonths, dateIn, firstOfMonth, weekdayOf } from '../dates.ts';

/** Those of the present end today. */
export const CALENDAR_PERIODS = [
  'today',
  'yesterday',
  'this_week',
  'last_week',
  'this_month',
  'last_month',
] as const;
export type CalendarPeriod = (typeof CALENDAR_PERIODS)[number];

export const isCalendarPeriod = (period: string | undefined): period is CalendarPeriod =>
  CALENDAR_PERIODS.some((named) => named === period);

/** Days, both inclusive. */
export interface Dates {
  from: string;
  to: string;
}

/** First and last day of a period in the zone. */
export function calendarDates(period: CalendarPeriod, now: number, timeZone: string): Dates {
  const today = dateIn(now, timeZone);
  if (period === 'today') return { from: today, to: today };
  if (period === 'yesterday') return { from: addDays(today, -1), to: addDays(today, -1) };
  if (period === 'this_month') return { from: firstOfMonth(today), to: today };
  if (period === 'last_month') {
    const last = addDays(firstOfMonth(today), -1);
    return { from: firstOfMonth(last), to: last };
  }
  const monday = addDays(today, -((weekdayOf(today) + 6) % 7));
  return period === 'this_week'
    ? { from: monday, to: today }
    : { from: addDays(monday, -7), to: addDays(monday, -1) };
}

/**
 * The days that a period is compared with: the same days of the week or month before, or the day before. A month is compared with the whole
 * month before, and the present one with its same days; a shorter month ends earlier.
 */
export function datesBefore(period: CalendarPeriod, { from, to }: Dates): Dates {
  switch (period) {
    case 'today':
    case 'yesterday':
      return { from: addDays(from, -1), to: addDays(to, -1) };
    case 'this_week':
    case 'last_week':
      return { from: addDays(from, -7), to: addDays(to, -7) };
    case 'this_month':
      return { from: addMonths(from, -1), to: addMonths(to, -1) };
    case 'last_month':
      return { from: addMonths(from, -1), to: addDays(from, -1) };
  }
}
