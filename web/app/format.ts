/** Numbers and times as the browser's region writes them, and names, in the page's language. */
import { chosenClock } from './state/own-preferences.ts';
import { language, locale, words } from './words/index.ts';

const kept = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat | Intl.DisplayNames>();

function keep<Format extends Intl.NumberFormat | Intl.DateTimeFormat | Intl.DisplayNames>(
  key: string,
  make: () => Format,
): Format {
  const known = kept.get(key) as Format | undefined;
  if (known !== undefined) return known;
  const made = make();
  kept.set(key, made);
  return made;
}

const numbers = (key: string, options: Intl.NumberFormatOptions): Intl.NumberFormat =>
  keep(`n ${key}`, () => new Intl.NumberFormat(locale, options));

/** 12,345 */
export const exact = (value: number): string => numbers('exact', { maximumFractionDigits: 2 }).format(value);

/** 12,345, and 1.2M from a million on: for counts that stand beside each other, so that all have the same precision. */
export const count = (value: number): string => (Math.abs(value) < 1_000_000 ? exact(value) : compact(value));

/** 12.3K from ten thousand on, for narrow rooms. */
export const compact = (value: number): string =>
  Math.abs(value) < 10_000
    ? exact(value)
    : numbers('compact', { notation: 'compact', maximumFractionDigits: 1 }).format(value);

/** Of a number of percent: 41.5 is 41.5 %. */
export const percent = (value: number, digits = 1): string =>
  numbers(`percent ${digits}`, { style: 'percent', maximumFractionDigits: digits }).format(value / 100);

/** Of a number of percent, as a column has them: one digit after the point, also a 0. */
export const columnPercent = (value: number): string =>
  numbers('column percent', { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(
    value / 100,
  );

/** A change in percent with its sign. */
export const change = (value: number): string =>
  numbers('change', { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' }).format(
    value / 100,
  );

/** A difference of shares: +2.1 pp. */
export const points = (value: number): string =>
  `${numbers('points', { maximumFractionDigits: 1, signDisplay: 'exceptZero' }).format(value)} ${words.compare.points}`;

/** 1m 23s */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const parts = [
    [hours, 'h'],
    [minutes, 'm'],
    [whole % 60, 's'],
  ] as const;
  const shown = parts.filter(([value], index) => value > 0 || (index === 2 && whole < 60));
  return shown
    .slice(0, 2)
    .map(([value, unit]) => `${exact(value)}${unit}`)
    .join(' ');
}

/** Three digits: 0.0123, 12.3, 1,230. */
export const rate = (value: number): string =>
  numbers('three digits', { maximumSignificantDigits: 3 }).format(value);

/** A decimal number as text in its currency, exact: it never becomes a number of the machine. */
export function money(amount: string, currency: string): string {
  const digits = amount.split('.')[1]?.length ?? 0;
  const format = numbers(`money ${currency} ${digits}`, {
    ...{ style: 'currency', currency, currencyDisplay: 'code' },
    ...{ minimumFractionDigits: digits, maximumFractionDigits: digits },
  });
  return format.format(amount as `${number}`);
}

/** 850 µs, 12.3 ms, 1.24 s, 2m 5s. */
export function milliseconds(value: number): string {
  if (Math.abs(value) >= 60_000) return duration(value / 1000);
  const [scaled, unit] =
    Math.abs(value) >= 1000
      ? [value / 1000, 's']
      : Math.abs(value) >= 1 || value === 0
        ? [value, 'ms']
        : [value * 1000, 'µs'];
  return `${rate(scaled)} ${unit}`;
}

export type TimeForm =
  | 'second'
  | 'long-second'
  | 'moment'
  | 'hour'
  | 'whole-hour'
  | 'weekday'
  | 'day'
  | 'month'
  | 'long-month'
  | 'short-weekday'
  | 'long-day'
  | 'long-hour'
  | 'instant';

const FORMS: Record<TimeForm, Intl.DateTimeFormatOptions> = {
  second: { hour: 'numeric', minute: '2-digit', second: '2-digit' },
  'long-second': {
    ...{ weekday: 'short', day: 'numeric', month: 'short' },
    ...{ hour: 'numeric', minute: '2-digit', second: '2-digit' },
  },
  /** Beside an `instant`. */
  moment: { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  hour: { hour: 'numeric', minute: '2-digit' },
  'whole-hour': { hour: 'numeric' },
  weekday: { weekday: 'long' },
  day: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
  'long-month': { month: 'long', year: 'numeric' },
  'short-weekday': { weekday: 'short' },
  'long-day': { weekday: 'short', day: 'numeric', month: 'long', year: 'numeric' },
  'long-hour': { weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' },
  instant: {
    ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' },
    ...{ fractionalSecondDigits: 3, hourCycle: 'h23' },
  },
};

/** The form as the person wants times of day, if it has one. */
function formOf(form: TimeForm): Intl.DateTimeFormatOptions {
  const clock = chosenClock();
  const options = FORMS[form];
  return clock === 'auto' || options.hour === undefined ? options : { ...options, hourCycle: clock };
}

/** An instant in a zone. */
export const time = (at: string | number, form: TimeForm, timeZone: string): string =>
  keep(
    `t ${form} ${timeZone} ${chosenClock()}`,
    () => new Intl.DateTimeFormat(locale, { ...formOf(form), timeZone }),
  ).format(new Date(at));

/** Two instants, with what they have in common said once: 24 Oct – 22 Nov 2026. */
export const timeRange = (
  from: string | number,
  to: string | number,
  by: 'days' | 'hours',
  timeZone: string,
): string =>
  keep(
    `r ${by} ${timeZone} ${chosenClock()}`,
    () =>
      new Intl.DateTimeFormat(locale, {
        ...{ day: 'numeric', month: 'short', year: 'numeric', timeZone },
        ...(by === 'hours' && formOf('hour')),
      }),
  ).formatRange(new Date(from), new Date(to));

/** The zone of the browser, for what concerns the person and no site. */
export const zoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A list of names: a, b and c. */
export const listed = (names: readonly string[]): string =>
  new Intl.ListFormat(language, { type: 'conjunction' }).format(names);

/** 2026-11-22, today in a zone. */
export const dateIn = (timeZone: string, now: number): string =>
  keep(`d ${timeZone}`, () => new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })).format(now);

const named = (type: 'region' | 'language' | 'currency', code: string): string => {
  try {
    return keep(`name ${type}`, () => new Intl.DisplayNames(language, { type })).of(code) ?? code;
  } catch {
    return code;
  }
};

export const country = (code: string): string => (/^[A-Z]{2}$/.test(code) ? named('region', code) : code);
export const languageName = (tag: string): string =>
  /^[a-z]{2,3}(-|$)/i.test(tag) ? named('language', tag) : tag;
