import * as v from 'valibot';
import { text } from '../collection/track-message.ts';

/** The maximum length of a stored path. */
const MAX_PATTERN_LENGTH = 1024;
const MAX_WILDCARDS = 8;
const MAX_NAME_LENGTH = 64;

/** Whether a pattern follows the grammar in the description of `PagePattern`. */
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
    'A pattern for the path of a page view. The whole path must match, as `pages` shows it, case-sensitively. `*` between ' +
      'slashes is one segment, never empty: `/blog/*` matches `/blog/a`, not `/blog/a/b`. `**` at the end matches any rest, ' +
      `also nothing: \`/blog/**\` matches \`/blog/\` and \`/blog/a/b\`, not \`/blog\`. At most ${MAX_WILDCARDS} wildcards; all other ` +
      'characters match themselves.',
  ),
  v.check(isPagePattern, 'must begin with /; * must be a whole segment, and ** the last segment'),
);

const EventName = v.pipe(text(MAX_NAME_LENGTH), v.nonEmpty(), v.description('The name of a custom event.'));

export const targetFields = { event: v.optional(EventName), page: v.optional(PagePattern) };

/** What a visit must reach: a custom event or a page. */
export type Target = { event: string } | { page: string };

type MaybeTarget = { event?: string | undefined; page?: string | undefined };

export const oneTarget = (input: MaybeTarget): boolean =>
  (input.event === undefined) !== (input.page === undefined);
export const ONE_TARGET = 'must have either `event` or `page`';

/** A target as the database stores it (schema/migrations/0002-sites.sql, `site_goals`). */
export interface StoredTarget {
  /** The same numbers as in `events.kind`. */
  kind: 1 | 2;
  pattern: string;
}

/** The stored form of a target; undefined if it names neither an event nor a page. */
export function storeTarget({ event, page }: MaybeTarget): StoredTarget | undefined {
  if (page !== undefined) return { kind: 1, pattern: page };
  return event === undefined ? undefined : { kind: 2, pattern: event };
}

export const toTarget = ({ kind, pattern }: StoredTarget): Target =>
  kind === 1 ? { page: pattern } : { event: pattern };
