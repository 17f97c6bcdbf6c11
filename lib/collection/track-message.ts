/**
 * The message that `track` makes of a tracking request and `ingest` stores. It holds neither the visitor's address nor the user agent,
 * and nothing that the tier may not hold (docs/privacy.md#what-is-stored-at-each-tier).
 */
import * as v from 'valibot';
import { DEVICES } from '../user-agents/device.ts';
import type { FieldOf } from '../visits/dimensions.ts';
import { CHANNELS } from './channels.ts';

/** Text as PostgreSQL can hold it: well-formed, no NUL, at most `max` UTF-16 units. */
export const text = (max: number) =>
  v.pipe(
    v.string(),
    v.maxLength(max),
    v.check((value) => value.isWellFormed() && !value.includes('\0'), 'must be well-formed text without NUL'),
  );

export const uuid = v.pipe(v.string(), v.uuid());
/** Epoch milliseconds. */
const instant = v.pipe(v.number(), v.integer(), v.minValue(1_577_836_800_000), v.maxValue(4_102_444_800_000));

/** Of the properties of one event; lengths are in UTF-16 units. */
export const PROPERTY_LIMITS = { entries: 20, keyLength: 64, textLength: 512 } as const;

const Properties = v.record(
  text(PROPERTY_LIMITS.keyLength),
  v.union([text(PROPERTY_LIMITS.textLength), v.pipe(v.number(), v.finite()), v.boolean()]),
);

export const PropertyBag = v.pipe(
  {
    ...Properties,
    // Valibot accepts a list as a record whose keys are its indexes.
    '~run': (dataset, config) =>
      Properties['~run'](Array.isArray(dataset.value) ? { value: null } : dataset, config),
  } satisfies typeof Properties,
  v.maxEntries(PROPERTY_LIMITS.entries),
);

/** Reasons why an event was refused, as the owner sees them. */
export const DropReason = v.picklist(['bot', 'datacenter', 'spam', 'invalid', 'hostname', 'tier']);
export type DropReason = v.InferOutput<typeof DropReason>;

const identity = { id: uuid, at: instant };
const location = { hostname: text(253), path: text(1024) };

/** Where a page view came from. `source` is the name shown (`Google`); absent is direct. */
const origin = {
  source: v.optional(text(128)),
  /** Absent for a step within the site, and in messages of versions of `track` that had no channels. */
  channel: v.optional(v.picklist(CHANNELS)),
  utmSource: v.optional(text(128)),
  utmMedium: v.optional(text(128)),
  utmCampaign: v.optional(text(128)),
  utmTerm: v.optional(text(128)),
  utmContent: v.optional(text(128)),
} satisfies Record<Exclude<FieldOf<'origin'>, 'hostname'>, v.GenericSchema>;

/** Dimensions of the visitor. */
const visitor = {
  /** ISO 3166-1 alpha-2 as the edge saw it. */
  country: v.optional(v.pipe(v.string(), v.regex(/^[A-Z]{2}$/))),
  /** ISO 3166-2, as the edge saw it. Tiers 2 and 3. */
  region: v.optional(v.pipe(v.string(), v.regex(/^[A-Z]{2}-[A-Z\d]{1,3}$/))),
  /** As the edge spells it. Tiers 2 and 3. */
  city: v.optional(text(96)),
  device: v.optional(v.picklist(DEVICES)),
  browser: v.optional(text(64)),
  /** Tier 3 only. */
  os: v.optional(text(64)),
  /** Tiers 2 and 3. */
  language: v.optional(text(35)),
} satisfies Record<FieldOf<'profile' | 'place'>, v.GenericSchema>;

export const StoredEvent = v.variant('type', [
  v.strictObject({
    type: v.literal('pageview'),
    ...identity,
    ...location,
    ...origin,
    /** The page view begins a visit at tier 1: its referrer is not the site itself. Unused at tiers 2 and 3. */
    entry: v.boolean(),
    pageId: v.optional(uuid),
    title: v.optional(text(256)),
    props: v.optional(PropertyBag),
  }),
  v.strictObject({
    type: v.literal('event'),
    ...identity,
    /** Absent if a server sent the event without a page. */
    hostname: v.optional(location.hostname),
    path: v.optional(location.path),
    /** False: a server sent it, so nobody need be on the site. */
    entry: v.optional(v.literal(false)),
    /** Tier 1: a digest of page view and name (page-digests.ts). */
    pageId: v.optional(uuid),
    name: text(64),
    props: v.optional(PropertyBag),
    revenue: v.optional(v.strictObject({ amount: text(32), currency: text(3) })),
    /** The visitor did nothing: the event ends no bounce. */
    interactive: v.optional(v.literal(false)),
  }),
  v.strictObject({
    type: v.literal('engagement'),
    ...identity,
    pageId: uuid,
    seconds: v.pipe(v.number(), v.minValue(0), v.maxValue(86_400)),
    scrollDepth: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
  }),
  v.strictObject({
    type: v.literal('vitals'),
    ...identity,
    ...location,
    pageId: uuid,
    lcp: v.optional(v.number()),
    inp: v.optional(v.number()),
    cls: v.optional(v.number()),
    fcp: v.optional(v.number()),
    ttfb: v.optional(v.number()),
  }),
  v.strictObject({
    type: v.literal('association'),
    ...identity,
    pageId: uuid,
    traceId: text(32),
    origin: text(300),
    status: v.optional(v.pipe(v.number(), v.integer())),
    /** The trace id is of a `traceparent` that the request carried; no answer named it. */
    sent: v.optional(v.literal(true)),
  }),
  /** Tier 3: the page on which consent was given. Its page view was counted before. */
  v.strictObject({ type: v.literal('consent'), ...identity, ...location, pageId: uuid }),
  v.strictObject({ type: v.literal('dropped'), ...identity, reason: DropReason }),
]);
export type StoredEvent = v.InferOutput<typeof StoredEvent>;

export const TrackMessage = v.strictObject({
  version: v.literal(1),
  siteId: uuid,
  /** The tier that the server decided; 0 only for messages that hold nothing but `dropped` events. */
  tier: v.picklist([0, 1, 2, 3]),
  /** Tier 2: the day's 128-bit hash in uuid form. Tier 3: the tracker's own id. Absent below. */
  visitorId: v.optional(uuid),
  /** Tier 3: this session began when consent was upgraded in the middle of a visit. */
  continued: v.boolean(),
  ...visitor,
  /** Size of the visitor's screen: `412x915`, in CSS pixels. */
  screen: v.optional(text(11)),
  /**
   * In the order of the request. The n-th event's `at` is the moment of receipt plus n milliseconds, so that order
   * survives; at tier 1 it is the minute of receipt.
   */
  events: v.pipe(v.array(StoredEvent), v.minLength(1), v.maxLength(20)),
});
export type TrackMessage = v.InferOutput<typeof TrackMessage>;

/** Every field of a message, with undefined where it may be absent. */
export type Described<Message = TrackMessage> = { [Field in keyof Message]-?: Message[Field] | undefined };
