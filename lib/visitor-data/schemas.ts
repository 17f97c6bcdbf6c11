/** Schemas of one visitor's data, as an export returns it. */
import * as v from 'valibot';
import { described, Id, Instant } from '../fields.ts';
import { fieldsOf } from '../visits/dimensions.ts';
import { VITALS } from '../visits/vital-bounds.ts';

/** A visitor of a site: the input of the export and of the deletion. */
export const OneVisitor = v.strictObject({ siteId: Id, visitorId: Id });
export type OneVisitor = v.InferOutput<typeof OneVisitor>;

const Text = v.nullable(v.string());
const Seconds = v.nullable(v.number());

const Profile = v.object(v.entriesFromList(fieldsOf('profile'), Text));
const Place = v.object(v.entriesFromList(fieldsOf('place'), Text));
const Origin = v.object({
  ...v.entriesFromList(fieldsOf('origin'), Text),
  hostname: v.pipe(Text, v.description('The host name of the page. Null: the event has no page.')),
  source: v.pipe(
    Text,
    v.description(
      'Of a visit without a referrer: `Direct`. Of an event that didn’t come from elsewhere: null.',
    ),
  ),
});

export const VisitorVisit = v.object({
  startedAt: Instant,
  duration: v.pipe(v.number(), v.description('Seconds from the first event to the last.')),
  engagement: v.pipe(Seconds, v.description('Seconds of attention.')),
  continued: v.pipe(
    v.boolean(),
    v.description('The visit began when consent was given in the middle of another visit.'),
  ),
  consentPage: described(
    Text,
    'The page on which consent was given, if the visit begins there and its page view was counted before.',
  ),
  profile: Profile,
  place: Place,
  origin: Origin,
  pages: v.array(v.object({ time: Instant, path: v.string() })),
  pageProps: v.pipe(
    v.array(v.object({ time: Instant, props: v.unknown() })),
    v.description('The properties of those page views that brought some.'),
  ),
  events: v.array(
    v.object({
      time: Instant,
      name: v.string(),
      data: v.nullable(
        v.pipe(
          v.unknown(),
          v.description(
            'Properties and revenue, as the page sent them. `cut` instead of properties: there were too many, in the `event` or in ' +
              'its `visit`.',
          ),
        ),
      ),
    }),
  ),
  vitals: v.pipe(
    v.array(
      v.object({ time: Instant, path: v.string(), ...v.entriesFromList(VITALS, v.nullable(v.number())) }),
    ),
    v.description('Page loads that reported web vitals: milliseconds, `cls` without a unit.'),
  ),
});
export type VisitorVisit = v.InferOutput<typeof VisitorVisit>;

export const VisitorEvent = v.object({
  id: Id,
  time: Instant,
  type: v.picklist(['pageview', 'event', 'engagement', 'vitals', 'association', 'consent']),
  pageId: v.nullable(Id),
  path: Text,
  name: Text,
  continued: v.boolean(),
  screen: Text,
  engagement: Seconds,
  scrollDepth: v.nullable(v.number()),
  profile: Profile,
  place: Place,
  origin: Origin,
  data: v.nullable(
    v.pipe(
      v.unknown(),
      v.description(
        'Fields of this type only: title, properties (`cut` instead of them: they were too many), revenue, vitals, trace.',
      ),
    ),
  ),
});
export type VisitorEvent = v.InferOutput<typeof VisitorEvent>;

export const VisitorAssociation = v.object({
  time: Instant,
  pageId: Id,
  pageViewedAt: described(v.nullable(Instant), 'When the page view came; null: none is known.'),
  traceId: v.string(),
  origin: v.string(),
  status: v.nullable(v.number()),
  sent: described(v.boolean(), 'The page’s request carried the trace’s id.'),
});
export type VisitorAssociation = v.InferOutput<typeof VisitorAssociation>;

export const UnstoredMessage = v.object({
  failedAt: Instant,
  reason: v.string(),
  message: v.pipe(v.string(), v.description('The message as it was received.')),
});
export type UnstoredMessage = v.InferOutput<typeof UnstoredMessage>;

export const VisitorExport = v.object({
  siteId: Id,
  visitorId: Id,
  exportedAt: Instant,
  visits: v.pipe(v.array(VisitorVisit), v.description('Oldest first.')),
  events: v.pipe(
    v.array(VisitorEvent),
    v.description('Raw events of the last days, from which the visits were made; oldest first.'),
  ),
  associations: described(
    v.array(VisitorAssociation),
    'Traces of backends that the visitor’s pages reported; oldest first.',
  ),
  unstored: v.pipe(
    v.array(UnstoredMessage),
    v.description('Messages that could not be stored, as they were received.'),
  ),
});
