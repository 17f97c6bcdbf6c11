import * as v from 'valibot';
import { text } from '../collection/track-message.ts';

/** As long as a stored path. */
const MAX_PATTERN_LENGTH = 1024;
const MAX_WILDCARDS = 8;
const MAX_NAME_LENGTH = 64;

/** Whether a pattern keeps to the grammar that `PagePattern` tells. */
function isPagePattern(pattern: string): boolean {
  const segments = pattern.split('/');
  const wildcards = segments.filter((segment) => segment.includes('*'));
  const last = segments.length - 1;
  return (
    segments[0] === '' &&
    last > 0 &&
    wildcards.length <= MAX_WILDCARDS &&
    segments.every(
      (segment, n) => !segment.includes('*') || segment === '*' || (segment === '**' && n === last),
    )
  );
}

const PagePattern = v.pipe(
  text(MAX_PATTERN_LENGTH),
  v.description(
    'A page view of a path like this. The whole path is compared, as `pages` shows it, in upper and lower case as ' +
      'written. `*` between slashes is one segment, never empty: `/blog/*` is `/blog/a`, not `/blog/a/b`. `**` at the end is ' +
      `whatever follows, also nothing: \`/blog/**\` is \`/blog/\` and \`/blog/a/b\`, not \`/blog\`. At most ${MAX_WILDCARDS} of them; ` +
      'everything else is itself.',
  ),
  v.check(isPagePattern, 'must begin with /; * must be a whole segment, and ** the last segment'),
);

const EventName = v.pipe(text(MAX_NAME_LENGTH), v.nonEmpty(), v.description('A custom event of this name.'));

export const targetFields = { event: v.optional(EventName), page: v.optional(PagePattern) };

/** What a visit is to reach: either of them. */
export type Target = { event: string } | { page: string };

type MaybeTarget = { event?: string | undefined; page?: string | undefined };

export const oneTarget = (input: MaybeTarget): boolean =>
  (input.event === undefined) !== (input.page === undefined);
export const ONE_TARGET = 'must have either `event` or `page`';

/** A target as it is stored (schema/migrations/0002-sites.sql, `site_goals`). */
export interface StoredTarget {
  /** As `events.kind`. */
  kind: 1 | 2;
  pattern: string;
}

/** Absent for neither. */
export function storeTarget({ event, page }: MaybeTarget): StoredTarget | undefined {
  if (page !== undefined) return { kind: 1, pattern: page };
  return event === undefined ? undefined : { kind: 2, pattern: event };
}

export const toTarget = ({ kind, pattern }: StoredTarget): Target =>
  kind === 1 ? { page: pattern } : { event: pattern };
