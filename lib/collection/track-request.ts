/** The body of `POST /api/v1/track` (docs/tracker-protocol.md#track-request). Every string is bounded; unknown fields are refused. */
import * as v from 'valibot';
import { decimalsOf } from '../currencies.ts';
import { Consent } from '../privacy/policy.ts';
import { Alias } from '../sites/alias.ts';
import { PropertyBag, text, uuid } from './track-message.ts';

/** Long enough for a link that carries a token or two; the body's own limit comes first. */
export const MAX_URL_LENGTH = 8192;
export const MAX_NAME_LENGTH = 64;
/** Of a title as it may come in. It is cut further. */
export const MAX_TITLE_LENGTH = 2048;
const DAY_SECONDS = 86_400;
const HOUR_MS = 3_600_000;

/** The page's address, absolute. */
export const PageUrl = v.pipe(
  text(MAX_URL_LENGTH),
  v.check((value) => URL.canParse(value), 'must be an absolute URL'),
  v.description(
    'The page. Its query is cut to the campaign, its fragment unless it begins with `#/` or `#!/`.',
  ),
);
const milliseconds = v.pipe(v.number(), v.minValue(0), v.maxValue(HOUR_MS));
export const EventName = v.pipe(text(MAX_NAME_LENGTH), v.nonEmpty());
export const Revenue = v.strictObject({
  amount: v.pipe(v.string(), v.regex(/^\d{1,12}(\.\d{1,4})?$/, 'must be a decimal number as text')),
  currency: v.pipe(
    v.string(),
    v.regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code'),
    // Made-up codes would each be a row of a day's sums.
    v.check((code) => decimalsOf(code) !== undefined, 'must be a current ISO 4217 code'),
  ),
});

export const Interactive = v.optional(
  v.pipe(v.boolean(), v.description('`false`: the visitor did nothing, so the event ends no bounce.')),
);

const PageviewInput = v.strictObject({
  id: uuid,
  type: v.literal('pageview'),
  pageId: uuid,
  url: PageUrl,
  referrer: v.optional(
    v.pipe(
      text(MAX_URL_LENGTH),
      v.check((value) => value === '' || URL.canParse(value), 'must be an absolute URL or empty'),
      v.description('As `document.referrer`: empty when there is none. Only its host is read.'),
    ),
  ),
  title: v.optional(
    v.pipe(text(MAX_TITLE_LENGTH), v.description('Cut to 256 characters. Kept from tier 2.')),
  ),
  language: v.optional(
    v.pipe(text(64), v.description('As `navigator.language`; no language tag: left out. Kept from tier 2.')),
  ),
  screen: v.optional(v.pipe(v.string(), v.regex(/^\d{1,5}x\d{1,5}$/, 'must be width x height in pixels'))),
  props: v.optional(PropertyBag),
});

const CustomEventInput = v.strictObject({
  id: uuid,
  type: v.literal('event'),
  pageId: v.optional(uuid),
  name: EventName,
  url: PageUrl,
  props: v.optional(PropertyBag),
  revenue: v.optional(Revenue),
  interactive: Interactive,
});

const EngagementInput = v.strictObject({
  id: uuid,
  type: v.literal('engagement'),
  pageId: uuid,
  seconds: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(DAY_SECONDS)), 0),
  scrollDepth: v.optional(
    v.pipe(v.number(), v.minValue(0), v.maxValue(100), v.description('Percent of the page.')),
    0,
  ),
});

const VitalsInput = v.strictObject({
  id: uuid,
  type: v.literal('vitals'),
  pageId: uuid,
  url: PageUrl,
  lcp: v.optional(milliseconds),
  inp: v.optional(milliseconds),
  /** Unitless. */
  cls: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1000))),
  fcp: v.optional(milliseconds),
  ttfb: v.optional(milliseconds),
});

const AssociationInput = v.strictObject({
  id: uuid,
  type: v.literal('association'),
  pageId: uuid,
  /** W3C trace id. */
  traceId: v.pipe(v.string(), v.regex(/^(?!0{32}$)[\da-f]{32}$/, 'must be a W3C trace id')),
  origin: v.pipe(
    text(300),
    v.check(
      (value) => /^https?:/.test(value) && URL.parse(value)?.origin === value,
      'must be an http(s) origin',
    ),
  ),
  status: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(599))),
  sent: v.optional(
    v.pipe(
      v.literal(true),
      v.description('The trace id is of a `traceparent` that the request carried; no answer named it.'),
    ),
  ),
});

const ConsentInput = v.pipe(
  v.strictObject({ id: uuid, type: v.literal('consent'), pageId: uuid, url: PageUrl }),
  v.description(
    'Consent was given on this page, whose page view was counted before at a lower tier. It continues that visit.',
  ),
);

export const TrackEvent = v.variant('type', [
  PageviewInput,
  CustomEventInput,
  EngagementInput,
  VitalsInput,
  AssociationInput,
  ConsentInput,
]);
export type TrackEvent = v.InferOutput<typeof TrackEvent>;

/** All of a request but its events, which are judged one by one if one of them breaks a rule. */
const frame = {
  site: v.pipe(Alias, v.description('The id of the site, or an alias.')),
  consent: v.optional(Consent),
  visitorId: v.optional(
    v.pipe(
      uuid,
      v.description(
        'The tracker’s first-party id; read at tier 3 only. Without it, what consent would allow is stored at tier 2.',
      ),
    ),
  ),
  continued: v.optional(
    v.pipe(
      v.literal(true),
      v.description('Consent was given in the middle of a visit; read at tier 3 only.'),
    ),
  ),
};
const atMost20 = <Item extends v.GenericSchema>(item: Item) =>
  v.pipe(v.array(item), v.minLength(1), v.maxLength(20));

export const TrackFrame = v.strictObject({ ...frame, events: atMost20(v.unknown()) });

export const TrackRequest = v.strictObject({ ...frame, events: atMost20(TrackEvent) });
export type TrackRequest = v.InferOutput<typeof TrackRequest>;
