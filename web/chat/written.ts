/** Figures and times of views, by a locale. */

export const count = (value: number, tag: string): string => new Intl.NumberFormat(tag).format(value);

/** 41.5 is 41.5 %. */
export const percent = (value: number, tag: string): string =>
  new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 }).format(value / 100);

export const change = (value: number, tag: string): string =>
  new Intl.NumberFormat(tag, {
    ...{ style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' },
  }).format(value / 100);

/** 850 µs, 12.3 ms, 1.24 s. */
export function milliseconds(value: number, tag: string): string {
  const [scaled, unit] =
    value >= 1000 ? [value / 1000, 's'] : value >= 1 || value === 0 ? [value, 'ms'] : [value * 1000, 'µs'];
  return `${new Intl.NumberFormat(tag, { maximumSignificantDigits: 3 }).format(scaled)} ${unit}`;
}

/** 2m 18s. */
export function seconds(value: number): string {
  const whole = Math.round(value);
  return whole < 60 ? `${whole}s` : `${Math.floor(whole / 60)}m ${whole % 60}s`;
}

export const when = (
  at: string | number,
  tag: string,
  timeZone: string,
  options: Intl.DateTimeFormatOptions,
): string => new Intl.DateTimeFormat(tag, { timeZone, ...options }).format(new Date(at));

export const DAY = { day: 'numeric', month: 'short' } as const;
export const CLOCK = { hour: '2-digit', minute: '2-digit' } as const;

export function country(code: string, tag: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  return new Intl.DisplayNames(tag, { type: 'region' }).of(code) ?? code;
}
