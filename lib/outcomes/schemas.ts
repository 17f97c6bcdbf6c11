/** Schemas of confirmed outcomes (docs/outcomes.md#fields). */
import * as v from 'valibot';
import { BOUND_CHARS } from '../bound-cursor.ts';
import { decimalsOf } from '../currencies.ts';
import { Count, described, Instant } from '../fields.ts';
import { INSTANT_RULE, isInRange, isInstant, YEARS_RULE } from '../instants.ts';
import { Cursor, Limit } from '../paging.ts';
import { FilterText, isOneRange, ranged } from '../telemetry/question-schemas.ts';

/** Maximum number of outcomes in a request. */
export const MAX_OUTCOMES = 100;

const name = (max: number) => v.pipe(v.string(), v.nonEmpty(), v.maxLength(max));

const OccurredAt = v.pipe(
  v.string(),
  v.maxLength(40),
  v.check(isInstant, INSTANT_RULE),
  v.check(isInRange, YEARS_RULE),
  v.transform((text) => new Date(text).toISOString()),
  v.metadata({
    jsonSchema: {
      type: 'string',
      format: 'date-time',
      description:
        'An instant in RFC 3339 with any offset; kept to the millisecond. From 1970 on, at most a day ahead.',
    },
  }),
);

const Money = v.pipe(
  v.strictObject({
    amount: described(
      v.pipe(
        v.string(),
        v.regex(/^\d{1,40}(?:\.\d{1,40})?$/, 'must be a decimal number as text, without a sign'),
        v.check((text) => /^\d{1,12}(?:\.|$)/.test(text), 'must have at most 12 digits before the point'),
      ),
      'A decimal number as text, kept as sent: at most 12 digits before the point, and behind it at most as many as ISO 4217 gives the ' +
        'currency. Never negative: a refund is an outcome of its own type.',
    ),
    currency: v.pipe(
      v.string(),
      v.regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code'),
      v.check((code) => decimalsOf(code) !== undefined, 'must be a current ISO 4217 code'),
    ),
  }),
  v.description('An amount with at most as many decimals as its currency has.'),
  v.forward(
    v.check(
      ({ amount, currency }) => decimalsIn(amount) <= (decimalsOf(currency) ?? 0),
      ({ input }) => decimalsRule(decimalsOf(input.currency) ?? 0),
    ),
    ['amount'],
  ),
);

const decimalsIn = (amount: string): number => amount.split('.')[1]?.length ?? 0;

const decimalsRule = (decimals: number): string =>
  `must have ${decimals === 0 ? 'no decimals' : `at most ${decimals} decimals`} in this currency`;

const AnyAttributes = v.record(
  name(128),
  v.union([v.pipe(v.string(), v.maxLength(1024)), v.pipe(v.number(), v.finite()), v.boolean()]),
);

const Attributes = v.pipe(
  {
    ...AnyAttributes,
    // Valibot would accept a list as a record whose keys are its indexes.
    '~run': (dataset, config) =>
      AnyAttributes['~run'](Array.isArray(dataset.value) ? { value: null } : dataset, config),
  } satisfies typeof AnyAttributes,
  v.maxEntries(50),
);

const TraceId = v.pipe(v.string(), v.regex(/^(?!0{32}$)[\da-fA-F]{32}$/, 'must be a W3C trace id'));
const SpanId = v.pipe(v.string(), v.regex(/^(?!0{16}$)[\da-fA-F]{16}$/, 'must be a W3C span id'));

/** A sent outcome: the business fact, and its provenance. The OpenAPI document describes each field. */
export const NewOutcome = v.pipe(
  v.strictObject({
    source: described(name(128), 'The system that knows it: `shop`, `stripe`. Half of its identity.'),
    domainEventId: described(name(256), 'Its identity within the source, the same however often it is sent.'),
    type: described(name(64), 'What was confirmed: `order.paid`.'),
    occurredAt: OccurredAt,
    value: v.optional(Money),
    attributes: v.optional(Attributes),
    traceId: v.optional(described(TraceId, 'Of the trace that it was sent from. Provenance.')),
    spanId: v.optional(described(SpanId, 'Of that trace. Provenance.')),
    sessionId: v.optional(
      described(
        name(128),
        'Of a session of the sender’s own, as it names it. Provenance, and proves no person.',
      ),
    ),
    siteId: v.optional(described(v.pipe(v.string(), v.uuid()), 'A site of the key’s project.')),
  }),
  v.forward(
    v.check(({ traceId, spanId }) => spanId === undefined || traceId !== undefined, 'needs `traceId`'),
    ['spanId'],
  ),
);
export type NewOutcome = v.InferOutput<typeof NewOutcome>;

export const RecordOutcomes = v.strictObject({
  outcomes: v.pipe(v.array(NewOutcome), v.minLength(1), v.maxLength(MAX_OUTCOMES)),
});
export type RecordOutcomes = v.InferOutput<typeof RecordOutcomes>;

/** A batch whose items are validated one by one. */
export const OutcomeBatch = v.strictObject({
  outcomes: v.pipe(v.array(v.unknown()), v.minLength(1), v.maxLength(MAX_OUTCOMES)),
});

const receivedAt = described(Instant, 'When it was received first.');

/** The result of a single outcome. */
export const OutcomeReceipt = v.object({ status: v.picklist(['created', 'duplicate']), receivedAt });
export type OutcomeReceipt = v.InferOutput<typeof OutcomeReceipt>;

export const Details = v.array(v.object({ path: v.string(), message: v.string() }));

/** The result of each outcome of a batch. */
export const OutcomeResult = v.variant('status', [
  v.object({ status: v.picklist(['created', 'duplicate', 'conflict']), receivedAt }),
  v.object({ status: v.literal('invalid'), details: Details }),
]);
export type OutcomeResult = v.InferOutput<typeof OutcomeResult>;

const StoredMoney = v.object({ amount: v.string(), currency: v.string() });

export const OutcomeItem = v.object({
  source: v.string(),
  domainEventId: v.string(),
  type: v.string(),
  occurredAt: Instant,
  receivedAt,
  value: v.nullable(StoredMoney),
  attributes: v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])),
  siteId: v.nullable(v.string()),
  sessionId: v.nullable(v.string()),
  trace: v.nullable(
    described(
      v.object({
        traceId: v.string(),
        spanId: v.nullable(v.string()),
        observed: described(v.boolean(), 'Whether spans of it are stored now.'),
      }),
      'Of the first sending that named one.',
    ),
  ),
  sendings: described(Count, 'How often it was sent, the first time and conflicts among them.'),
  conflicts: described(Count, 'How often the same event was sent with other content.'),
});
export type OutcomeItem = v.InferOutput<typeof OutcomeItem>;

export const OutcomeType = v.object({
  type: v.string(),
  count: Count,
  values: described(
    v.array(
      v.object({
        currency: v.string(),
        count: Count,
        amount: described(v.string(), 'Exact sum, as a decimal number.'),
      }),
    ),
    'What those with a value amount to, by currency; nothing is converted.',
  ),
});
export type OutcomeType = v.InferOutput<typeof OutcomeType>;

/** How long the intervals are by which outcomes can be counted. */
export const OUTCOME_INTERVALS = ['1h', '1d'] as const;

export const OutcomesOfInterval = v.object({
  time: described(Instant, 'When the interval begins, aligned to 1970 in UTC.'),
  ...OutcomeType.entries,
});
export type OutcomesOfInterval = v.InferOutput<typeof OutcomesOfInterval>;

export const Outcomes = v.object({
  types: described(v.array(OutcomeType), 'Of the whole range, the most frequent first, at most 100.'),
  intervals: v.optional(
    described(
      v.array(OutcomesOfInterval),
      'With `interval`, oldest first: the 20 most frequent types of the range. Those without an outcome are left out.',
    ),
  ),
  outcomes: described(v.array(OutcomeItem), 'Newest first, by when they occurred.'),
});
export type Outcomes = v.InferOutput<typeof Outcomes>;

export const ListOutcomes = v.pipe(
  v.strictObject({
    ...ranged,
    type: v.optional(described(FilterText, 'Only outcomes of this type.')),
    interval: v.optional(
      described(v.picklist(OUTCOME_INTERVALS), 'Counts by interval, too. At most 500 fit into a range.'),
    ),
    limit: Limit(),
    cursor: Cursor(60 + BOUND_CHARS),
  }),
  isOneRange(),
);
export type ListOutcomes = v.InferOutput<typeof ListOutcomes>;
