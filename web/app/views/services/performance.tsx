import { exact, percent, rate } from '../../format.ts';
import { backendWords } from '../../words/backend.ts';

/** 12.3/s, or per minute if that is easier to read. */
export const rateText = (perSecond: number): string => {
  const { perSecond: second, perMinute } = backendWords.services;
  return perSecond >= 1 || perSecond === 0 ? second(rate(perSecond)) : perMinute(rate(perSecond * 60));
};

/** Without entries there is no latency, which isn't 0. */
export const optionalMs = (value: number | null, format: (value: number) => string): string =>
  value === null ? '–' : format(value);

/** The share of entries that failed, with their number. Without entries there is none. */
export const ErrorRate = ({ errors, entries }: { errors: number; entries: number }) => (
  <span class={errors > 0 ? 'wrong' : undefined} title={backendWords.traces.errors(errors, exact(errors))}>
    {entries === 0 ? '–' : percent((100 * errors) / entries, 1)}
  </span>
);
