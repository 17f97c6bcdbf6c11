/** Query parameters of the reports on what visitors did (docs/reports.md#the-reports). */
import * as v from 'valibot';
import { daysOf } from '../../lib/analytics/range.ts';
import { text } from '../../lib/collection/track-message.ts';
import { paging } from '../../lib/http/paging.ts';
import { rangeOf, ValuesQuery, withRange } from './query.ts';

const MAX_WEEKS = 13;
/** As long as an event's name and a property's key, and a path, can be (`StoredEvent`). */
const MAX_NAME_LENGTH = 64;
const MAX_PATH_LENGTH = 1024;

export const EventName = v.pipe(text(MAX_NAME_LENGTH), v.nonEmpty(), v.description('The event’s name.'));

export const EventPropsQuery = withRange({
  ...paging,
  key: v.optional(
    v.pipe(
      text(MAX_NAME_LENGTH),
      v.nonEmpty(),
      v.description('Lists the values of this key. Without it, the keys are listed.'),
    ),
  ),
});

const Path = (description: string) =>
  v.optional(v.pipe(text(MAX_PATH_LENGTH), v.nonEmpty(), v.description(description)));

export const JourneysQuery = withRange({
  ...paging,
  start: Path('Only journeys with this page, from its first view on.'),
  end: Path('Only journeys with this page, up to its last view. Without `start`, the last 5 pages.'),
});

/** The rule that a range breaks which is too long for cohorts. */
export function findLongRetention(
  query: Parameters<typeof rangeOf>[0],
): { path: 'to'; message: string } | undefined {
  if (daysOf(rangeOf(query)) <= 7 * MAX_WEEKS) return undefined;
  return { path: 'to', message: `must be within ${MAX_WEEKS} weeks of \`from\`` };
}

export const RetentionQuery = v.pipe(
  ValuesQuery,
  v.rawCheck(({ dataset, addIssue }) => {
    const long = dataset.typed ? findLongRetention(dataset.value) : undefined;
    if (long === undefined) return;
    const { path: key, message } = long;
    const input = dataset.value as Record<string, unknown>;
    addIssue({ message, path: [{ type: 'object', origin: 'value', input, key, value: input[key] }] });
  }),
);
