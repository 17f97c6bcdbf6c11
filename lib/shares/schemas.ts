/** Schemas of shares (docs/reports.md#shares): public links to a site's reports. */
import * as v from 'valibot';
import { ExpiresAt, Id, Instant, isOrigin, MAX_ORIGIN_LENGTH } from '../fields.ts';
import { Maker } from '../maker.ts';
import { VALUE_LISTS } from '../visits/dimensions.ts';

/** Reports that a share may show, by their names in paths. Telemetry and annotations are never shared. */
export const SHARED_REPORTS = [
  'overview',
  'timeseries',
  'heatmap',
  'pages',
  'entry-pages',
  'exit-pages',
  'utm',
  ...VALUE_LISTS.map(({ path }) => path),
  'live',
  'engagement',
  'vitals',
  'dropped',
  'events',
  'journeys',
  'retention',
  'goals',
  'funnels',
] as const;
export const SharedReport = v.picklist(SHARED_REPORTS);
export type SharedReport = v.InferOutput<typeof SharedReport>;

export const SharePassword = v.pipe(
  v.string(),
  v.description('Give it to readers separately from the link.'),
  v.minLength(8),
  v.maxLength(128),
);

const MAX_EMBED_ORIGINS = 20;
const ANY_ORIGIN = '*';

const EmbedOrigin = v.pipe(
  v.string(),
  v.maxLength(MAX_ORIGIN_LENGTH),
  v.check(
    (text) => text === ANY_ORIGIN || isOrigin(text),
    'must be an origin as https://intranet.example, or of http://localhost, or just * for every page',
  ),
);

const EmbedOrigins = v.pipe(
  v.array(EmbedOrigin),
  v.description(
    'Origins whose pages may show the share’s page in a frame, such as https://intranet.example; `*`: every page. Default: none.',
  ),
  v.maxLength(MAX_EMBED_ORIGINS),
  v.checkItems((origin, index, all) => all.indexOf(origin) === index, 'must not be in the list twice'),
);

export const CreateShare = v.strictObject({
  siteId: Id,
  name: v.pipe(
    v.string(),
    v.description('Readers see it. White space around it is cut.'),
    v.trim(),
    v.minLength(1),
    v.maxLength(100),
  ),
  password: v.optional(SharePassword),
  reports: v.optional(
    v.pipe(
      v.array(SharedReport),
      v.description(
        'The reports that the share shows. Default: all website reports. `goals` and `events` also show revenue.',
      ),
      v.minLength(1),
      v.maxLength(SHARED_REPORTS.length),
      v.check((names) => new Set(names).size === names.length, 'must not name a report twice'),
    ),
  ),
  embedOrigins: v.optional(EmbedOrigins),
  expiresAt: ExpiresAt,
});
export type CreateShare = v.InferOutput<typeof CreateShare>;

export const OneShare = v.strictObject({ siteId: Id, shareId: Id });
export type OneShare = v.InferOutput<typeof OneShare>;

export const Share = v.object({
  id: Id,
  name: v.string(),
  reports: v.array(SharedReport),
  hasPassword: v.boolean(),
  embedOrigins: v.array(v.string()),
  expiresAt: v.nullable(Instant),
  createdAt: Instant,
  createdBy: Maker,
  url: v.pipe(
    v.nullable(v.string()),
    v.description(
      'Where programs ask for its reports. Null, like `pageUrl`: the caller is a viewer, or its secret was made with an earlier key.',
    ),
  ),
  pageUrl: v.pipe(
    v.nullable(v.string()),
    v.description('The page to hand to people, which shows the same reports.'),
  ),
});
export type Share = v.InferOutput<typeof Share>;

export const CreatedShare = v.object({
  ...Share.entries,
  url: v.pipe(v.string(), v.description('Where programs ask for its reports.')),
  pageUrl: v.pipe(v.string(), v.description('The page to hand to people, which shows the same reports.')),
});
export type CreatedShare = v.InferOutput<typeof CreatedShare>;

/** What readers of a share see of the site. */
export const SharedSite = v.object({
  name: v.string(),
  site: v.object({ name: v.string(), domain: v.string(), timezone: v.string() }),
  reports: v.array(SharedReport),
  expiresAt: v.nullable(Instant),
});
export type SharedSite = v.InferOutput<typeof SharedSite>;

/** What the page around a share says before it is opened. A share with a password keeps its names for itself. */
export const SharePage = v.object({
  title: v.nullable(v.object({ name: v.string(), site: v.string() })),
  embedOrigins: v.array(v.string()),
});
export type SharePage = v.InferOutput<typeof SharePage>;

export const Unlocking = v.strictObject({ password: v.pipe(v.string(), v.minLength(1), v.maxLength(128)) });

export const UnlockToken = v.object({
  token: v.pipe(v.string(), v.description('Send it with every request as `Authorization: Bearer ...`.')),
  expiresAt: Instant,
});
export type UnlockToken = v.InferOutput<typeof UnlockToken>;
