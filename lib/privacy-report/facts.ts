/**
 * The table of everything that is stored about visitors. The privacy report and docs/privacy.md use it. A test fails if a field of
 * lib/collection/track-message.ts or a column of schema/migrations has no fact, or if a fact has the wrong tiers.
 */
import { SALT_LIFETIME_MS } from '../privacy/salt.ts';
import type { Tier } from '../privacy/tier.ts';
import { fieldOf, VISIT_DIMENSIONS } from '../visits/dimensions.ts';

export type FactId =
  | 'refusal'
  | 'eventId'
  | 'minute'
  | 'page'
  | 'arrival'
  | 'country'
  | 'device'
  | 'customEvents'
  | 'totals'
  | 'unstored'
  | 'moment'
  | 'order'
  | 'repeat'
  | 'dayHash'
  | 'place'
  | 'language'
  | 'title'
  | 'screen'
  | 'visitorId'
  | 'consent'
  | 'system'
  | 'attention'
  | 'vitals'
  | 'trace';

export interface Fact {
  id: FactId;
  tiers: readonly Tier[];
  /** Fields of messages and of their events. */
  fields: readonly string[];
  /** `table.column`; `table.*` is every column. Without keys and generated columns. */
  columns: readonly string[];
}

const ALL: readonly Tier[] = [0, 1, 2, 3];
const STORED: readonly Tier[] = [1, 2, 3];
const SESSIONS: readonly Tier[] = [2, 3];
const CONSENTED: readonly Tier[] = [3];

/** Without the fields and columns of dimensions, which say themselves to which fact they belong. */
const OTHER_FACTS: readonly Fact[] = [
  { id: 'refusal', tiers: ALL, fields: ['reason', 'at'], columns: ['dropped_days.*', 'events.data'] },
  { id: 'eventId', tiers: ALL, fields: ['id'], columns: ['events.event_id'] },
  {
    id: 'minute',
    tiers: [1],
    fields: ['at'],
    columns: ['events.occurred_at', 'visits.started_at', 'open_visits.started_at'],
  },
  {
    id: 'moment',
    tiers: SESSIONS,
    fields: ['at'],
    columns: ['events.occurred_at', 'visits.started_at', 'open_visits.started_at'],
  },
  {
    id: 'page',
    tiers: STORED,
    fields: ['path'],
    columns: ['events.path_id', 'visits.entry_page', 'visits.later_pages', 'site_texts.value'],
  },
  {
    id: 'arrival',
    tiers: STORED,
    fields: ['entry'],
    columns: ['events.entry', 'events.origin_id', 'visits.origin_id', 'site_origins.*'],
  },
  {
    id: 'country',
    tiers: STORED,
    fields: [],
    columns: ['events.place_id', 'visits.place_id', 'site_places.value'],
  },
  {
    id: 'device',
    tiers: STORED,
    fields: [],
    columns: ['events.profile_id', 'visits.profile_id', 'site_profiles.value'],
  },
  {
    id: 'customEvents',
    tiers: STORED,
    fields: ['name', 'props', 'revenue', 'interactive'],
    columns: [
      'events.name_id',
      'events.data',
      'visits.custom_events',
      'visits.event_data',
      'visits.page_data',
      'rollup_props.*',
      'known_properties.*',
      'site_texts.value',
    ],
  },
  {
    id: 'totals',
    tiers: STORED,
    fields: [],
    columns: [
      'visits.counted',
      'rollup_hours.*',
      'new_values.*',
      'other_days.*',
      'rollup_visitors.*',
      'site_freshness.*',
      'imported_days.*',
      'rollup_values.*',
      'sealed_days.*',
      'filter_seals.*',
      'filter_values.*',
      'rollup_revenue.*',
      'site_minutes.*',
      'site_watches.*',
      'open_visits.day',
      'site_seals.*',
      ...['texts', 'profiles', 'places'].flatMap((name) => [
        `site_${name}.first_day`,
        `site_${name}.last_day`,
      ]),
      'erased_values.*',
      'value_ids.*',
      'seal_faults.*',
      'rollup_blocks.*',
      'rollup_engagement.*',
      'rollup_vitals.*',
    ],
  },
  { id: 'unstored', tiers: STORED, fields: [], columns: ['dead_letters.*'] },
  {
    id: 'order',
    tiers: SESSIONS,
    fields: ['pageId'],
    columns: [
      'events.page_id',
      'visits.duration_ms',
      'visits.entry_ms',
      'visits.later_pages',
      'rollup_journeys.*',
    ],
  },
  { id: 'repeat', tiers: [1], fields: ['pageId'], columns: ['events.page_id'] },
  {
    id: 'dayHash',
    tiers: [2],
    fields: ['visitorId'],
    columns: ['events.visitor_id', 'visits.visitor_id', 'visits.newcomer', 'open_visits.visitor_id'],
  },
  {
    id: 'place',
    tiers: SESSIONS,
    fields: [],
    columns: ['visits.place_id'],
  },
  {
    id: 'language',
    tiers: SESSIONS,
    fields: [],
    columns: ['visits.profile_id'],
  },
  { id: 'title', tiers: SESSIONS, fields: ['title'], columns: ['events.data'] },
  { id: 'screen', tiers: SESSIONS, fields: ['screen'], columns: ['events.screen'] },
  {
    id: 'visitorId',
    tiers: CONSENTED,
    fields: ['visitorId'],
    columns: ['events.visitor_id', 'visits.visitor_id', 'visits.newcomer', 'open_visits.visitor_id'],
  },
  {
    id: 'consent',
    tiers: CONSENTED,
    fields: ['continued'],
    columns: ['events.continued', 'visits.continued', 'visits.consent_page'],
  },
  { id: 'system', tiers: CONSENTED, fields: [], columns: ['visits.profile_id'] },
  {
    id: 'attention',
    tiers: CONSENTED,
    fields: ['seconds', 'scrollDepth'],
    columns: ['events.engaged_ms', 'events.scroll_depth', 'visits.engaged_ms'],
  },
  {
    id: 'vitals',
    tiers: CONSENTED,
    fields: ['lcp', 'inp', 'cls', 'fcp', 'ttfb'],
    columns: ['events.data', 'visits.vitals'],
  },
  {
    id: 'trace',
    tiers: CONSENTED,
    fields: ['traceId', 'origin', 'status', 'sent'],
    columns: ['events.data', 'associations.*'],
  },
];

/** Doesn't compile while a dimension names a fact that isn't there. */
const DIMENSIONS: readonly { name: string; dictionary: string; fact: FactId }[] = VISIT_DIMENSIONS;

export const FACTS: readonly Fact[] = OTHER_FACTS.map((fact) => {
  const dimensions = DIMENSIONS.filter((dimension) => dimension.fact === fact.id);
  return {
    ...fact,
    fields: [...fact.fields, ...dimensions.map(({ name }) => fieldOf(name))],
    columns: [...fact.columns, ...dimensions.map(({ dictionary, name }) => `site_${dictionary}s.${name}`)],
  };
});

/** How long a fact is kept: with raw events, with messages that couldn't be stored, or as long as the policy keeps visits. */
export type Kept = 'raw' | 'unstored' | 'visits';

export function keptOf({ columns }: Fact): Kept {
  if (columns.every((column) => column.startsWith('events.'))) return 'raw';
  return columns.every((column) => column.startsWith('dead_letters.')) ? 'unstored' : 'visits';
}

/** Hours after the end of the UTC day (schema/functions/retention.sql, `drop_raw_events`). */
export const RAW_HOURS = 48;
/** Maximum hours from the beginning of the UTC day. */
export const SALT_HOURS = SALT_LIFETIME_MS / 3_600_000;

/** What the tracker stores in a browser, only at tier 3 (packages/tracker); `SITE_ID` is the id of the site. */
export const BROWSER_STORAGE = [{ key: 'vendorVisitor-SITE_ID', days: 395 }] as const;

/** The entry of a browser whose person asked not to be counted. Read only where the page's tag has `data-exclude-self`. */
export const IGNORE_KEY = 'vendorIgnore';
