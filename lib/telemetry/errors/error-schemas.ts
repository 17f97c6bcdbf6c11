import * as v from 'valibot';
import { Count, described, Instant } from '../../fields.ts';
import { paging } from '../../paging.ts';
import { OneEnvironment } from '../../projects/schemas.ts';
import { FilterText, isOneRange, ranged } from '../question-schemas.ts';
import { PagedMeta, TelemetryMeta } from '../schemas.ts';

export const ERROR_STATES = ['open', 'returned', 'resolved', 'ignored'] as const;
export type ErrorState = (typeof ERROR_STATES)[number];

/** What people set. A group returns by itself. */
export const SETTABLE_STATES = ['open', 'resolved', 'ignored'] as const;

export const ERROR_ORDERS = ['last-seen', 'first-seen', 'count'] as const;
export type ErrorOrder = (typeof ERROR_ORDERS)[number];

export const ErrorId = v.pipe(
  v.string(),
  v.regex(/^[0-9a-f]{16}$/, 'must be 16 lower-case hexadecimal digits'),
);

const release = v.optional(
  described(v.pipe(v.string(), v.minLength(1), v.maxLength(64)), 'Errors of this `service.version` alone.'),
);

export const ListErrors = v.pipe(
  v.strictObject({
    ...ranged,
    ...paging,
    service: v.optional(FilterText),
    release,
    state: v.optional(
      described(
        v.picklist([...ERROR_STATES, 'unsolved']),
        '`unsolved`: open and returned ones. Default: all.',
      ),
    ),
    order: v.optional(
      described(
        v.picklist(ERROR_ORDERS),
        'Newest, newest first, or most frequent in the range. Default: `last-seen`.',
      ),
      'last-seen',
    ),
  }),
  isOneRange(),
);
export type ListErrors = v.InferOutput<typeof ListErrors>;

const range = { period: ranged.period, from: ranged.from, to: ranged.to };
export const OneError = v.pipe(
  v.strictObject({ ...OneEnvironment.entries, errorId: ErrorId, ...range }),
  isOneRange(),
);
export type OneError = v.InferOutput<typeof OneError>;

export const ChangeError = v.strictObject({
  ...OneEnvironment.entries,
  errorId: ErrorId,
  state: v.picklist(SETTABLE_STATES),
});
export type ChangeError = v.InferOutput<typeof ChangeError>;

const Release = v.nullable(v.string());

const Example = v.object({
  time: Instant,
  traceId: described(v.nullable(v.string()), 'Null: a log record without a trace.'),
  spanId: v.nullable(v.string()),
});

/** Errors of one service, type and location in the code (docs/errors.md#groups). */
export const ErrorGroup = v.object({
  id: v.string(),
  title: described(v.string(), 'Type, location and text in one line.'),
  service: described(v.nullable(v.string()), 'Null: the errors beyond the limit of groups, of any service.'),
  type: v.nullable(v.string()),
  cause: described(
    v.nullable(v.string()),
    'The type of the exception that caused it, where the location is of that one.',
  ),
  location: described(
    v.nullable(v.string()),
    'Function and file where it began; of a failed span without an exception, its operation. Null: it is known by its text alone.',
  ),
  template: described(
    v.nullable(v.string()),
    'The text with `*` for its variable parts. Null: the location says which error it is.',
  ),
  state: described(v.picklist(ERROR_STATES), '`returned`: it was resolved, and occurred again later.'),
  firstSeenAt: Instant,
  lastSeenAt: Instant,
  firstRelease: described(Release, '`service.version` of the first error; null: unknown.'),
  lastRelease: Release,
  isNew: described(v.boolean(), 'Whether it was seen for the first time in the range.'),
  returnedAt: v.nullable(Instant),
  traces: described(
    v.nullable(Count),
    'In how many traces it occurred: one failed request may have several occurrences. Null: not known of hours before the upgrade.',
  ),
  occurrences: described(
    Count,
    'How often it occurred in the range, in the release that was asked for: failed spans, exceptions and log records.',
  ),
  counts: described(
    v.array(Count),
    'The same by interval: `meta.intervalSeconds` each, the first at `meta.countedFrom`.',
  ),
  example: described(v.nullable(Example), 'The newest.'),
});
export type ErrorGroup = v.InferOutput<typeof ErrorGroup>;

const counted = {
  intervalSeconds: described(Count, '3600; in ranges of over 7 days 86400.'),
  countedFrom: described(
    Instant,
    'The beginning of the first interval. The range is widened to whole intervals.',
  ),
};

export const ErrorsMeta = v.object({ ...PagedMeta.entries, ...counted });
export type ErrorsMeta = v.InferOutput<typeof ErrorsMeta>;

export const ErrorMeta = v.object({ ...TelemetryMeta.entries, ...counted });
export type ErrorMeta = v.InferOutput<typeof ErrorMeta>;

export const ErrorDetails = v.object({
  ...ErrorGroup.entries,
  releases: described(
    v.array(v.object({ release: Release, firstHour: Instant, lastHour: Instant, occurrences: Count })),
    'Of the range, the newest first, at most 50.',
  ),
  examples: described(v.array(Example), 'The newest 20, each of another trace.'),
  pageViews: described(
    v.picklist(['observed', 'not observed', 'not permitted']),
    'Whether pages of your sites led to one of `examples`. `not permitted`: sites are tied to the environment, and you may read none of them.',
  ),
  pages: described(
    v.array(
      v.object({ siteId: v.string(), domain: v.string(), path: v.string(), traces: Count, visits: Count }),
    ),
    'The pages that led to `examples`, the most frequent first.',
  ),
  visits: described(
    v.array(
      v.object({
        siteId: v.string(),
        domain: v.string(),
        startedAt: Instant,
        source: v.string(),
        traceId: v.string(),
      }),
    ),
    'The visits that led to `examples`, the newest first. They identify nobody.',
  ),
});
export type ErrorDetails = v.InferOutput<typeof ErrorDetails>;

export const ChangedError = v.object({ id: v.string(), state: v.picklist(ERROR_STATES) });
export type ChangedError = v.InferOutput<typeof ChangedError>;
