/** The hits of a goal or a step, by regular expressions, which the reports don't use. */
import type { Target } from '../../lib/goals/target.ts';
import type { OracleVisit } from './visits.ts';

export type OracleGoal = Target & { id: string; name: string };

interface Hit {
  at: number;
  /** See `OracleVisit`. */
  data: string | null;
}

const literally = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** `*` stands for one segment, which isn't empty; `**` stands for any text. */
export function isPageLike(path: string, pattern: string): boolean {
  const source = pattern
    .split(/(\*+)/)
    .map((part) => (part === '**' ? '[^]*' : part === '*' ? '[^/]+' : literally(part)))
    .join('');
  return new RegExp(`^${source}$`, 'u').test(path);
}

/** Whether a page view before sent the same event at tier 1. */
export const isRepeat = ({ data }: Hit): boolean => data !== null && JSON.parse(data).repeated === true;

/** The page views or custom events of a visit that reach the target. */
export function hitsOf({ pages, events }: OracleVisit, target: Target): Hit[] {
  if ('event' in target) return events.filter(({ text }) => text === target.event);
  return pages.filter(({ text }) => isPageLike(text, target.page)).map(({ at }) => ({ at, data: null }));
}
