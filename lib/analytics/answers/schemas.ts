/** Schemas of reports: the types, and the descriptions for the OpenAPI document (docs/reports.md). */
import * as v from 'valibot';
import { DropReason } from '../../collection/track-message.ts';
import { Count, described, Instant } from '../../fields.ts';
import { NEW_VALUES } from '../../visits/dimensions.ts';
import { OTHER } from '../../visits/other-value.ts';
import { SESSION_GAP_MINUTES } from '../../visits/session-gap.ts';

/** Why something is in the report `dropped`. All but `properties` refuse an event. */
export const DroppedReason = v.picklist([...DropReason.options, 'properties']);
export type DroppedReason = v.InferOutput<typeof DroppedReason>;

const Day = v.pipe(v.string(), v.isoDate());

export const Tier = v.picklist([1, 2, 3]);
export type Tier = v.InferOutput<typeof Tier>;

/** Why changes are null, although figures are there. */
export const ChangesUnknown = v.picklist([
  'notObserved',
  'comparedNotObserved',
  'comparedPartly',
  'comparedWithheld',
]);
export type ChangesUnknown = v.InferOutput<typeof ChangesUnknown>;

const Coverage = v.object({
  observed: v.pipe(
    v.boolean(),
    v.description('False: nothing was observed in the range, and the zeros of the report say nothing.'),
  ),
  since: v.pipe(
    v.nullable(Instant),
    v.description('When the first event ever came, or the first imported day began.'),
  ),
  tiers: v.pipe(v.array(Tier), v.description('Privacy tiers seen in the range, whatever the filter.')),
  observedShare: described(
    v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
    'Share of the elapsed hours of the range with any observation; of its minutes in `live`.',
  ),
  measured: v.optional(
    v.pipe(
      Count,
      v.description(
        'Of `overview` and `timeseries`: how many visits `bounceRate` and `avgDuration` are of, the consented ones. 0: both are null.',
      ),
    ),
  ),
  vitalsFrom: v.optional(
    v.pipe(
      v.nullable(Instant),
      v.description(
        'Of `vitals` with `by` or with filters that choose visits: when the first visit whose page loads are kept with it began. Loads before it ' +
          'are known by page alone and aren’t in the answer. Null: no visit has any. Absent: all loads are in it.',
      ),
    ),
  ),
  changesUnknown: v.optional(
    v.pipe(
      ChangesUnknown,
      v.description(
        'Of `overview`: why its changes are null. `notObserved`: nothing was observed in the range; `comparedNotObserved`: in the one that ' +
          'it is compared with; `comparedPartly`: collection began within that one, so only a part of it was observed; `comparedWithheld`: a share withholds it. ' +
          'Absent: they are known.',
      ),
    ),
  ),
  dropped: v.pipe(
    v.object(v.entriesFromList(DroppedReason.options, Count)),
    v.description(
      'Events refused on the days of the range (in `live`: in the window), by reason. `properties`: events that were counted ' +
        'without their properties; in `live` 0.',
    ),
  ),
  other: v.pipe(
    v.object(v.entriesFromList(NEW_VALUES, Count)),
    v.description(
      `Events of the days of the range that are counted as \`${OTHER}\`, because their day brought more new values than a site takes: ` +
        'by what the values are of.',
    ),
  ),
  imported: v.pipe(
    v.array(
      v.object({
        source: v.pipe(
          v.string(),
          v.description('Which tool counted them: `plausible`, `umami` or `ga4-csv`.'),
        ),
        from: Day,
        to: v.pipe(Day, v.description('Inclusive.')),
        counted: v.pipe(
          v.boolean(),
          v.description(
            'Whether they are in the figures. They are totals by day, as anonymous sessions: a filter, another tier, and what ' +
              'needs single visits leave them out.',
          ),
        ),
      }),
    ),
    v.description(
      'Days of the range, in the zone of the site, that were imported from another tool, which had its own rules of counting. ' +
        'Their visitors are added up by day: who came on two days counts twice. Empty: none.',
    ),
  ),
});

const AskedFilters = v.pipe(
  v.record(
    v.string(),
    v.union([
      Tier,
      v.object({ operator: v.picklist(['is', 'not', 'contains']), values: v.array(v.string()) }),
    ]),
  ),
  v.description('What the report was restricted to: `privacyTier`, and dimensions.'),
);

const NearValues = v.object({
  filter: described(v.string(), 'The name of the filter, as in `filters`.'),
  value: v.string(),
  same: described(
    v.boolean(),
    'Whether `nearest` say the same in other letters, or by a code: `PT` for `Portugal`.',
  ),
  nearest: described(v.array(v.string()), 'The most alike values that visits of the site have, at most 5.'),
});

export const ReportMeta = v.object({
  scope: v.object({
    siteId: v.pipe(v.string(), v.uuid()),
    tiers: v.optional(
      v.pipe(v.array(Tier), v.description('Privacy tiers that the report can tell of; absent: all.')),
    ),
    filters: AskedFilters,
    segment: v.optional(
      v.pipe(
        v.object({ id: v.pipe(v.string(), v.uuid()), name: v.string(), filters: AskedFilters }),
        v.description('The segment to which the report was restricted, with its own filters.'),
      ),
    ),
    unmatched: v.optional(
      v.pipe(
        v.array(NearValues),
        v.description('Values of filters that no kept visit of the site has. Absent: none. Not in shares.'),
      ),
    ),
  }),
  range: v.object({
    from: Instant,
    to: v.pipe(Instant, v.description('Exclusive.')),
    timezone: v.string(),
  }),
  coverage: Coverage,
  freshness: v.object({
    lastEventAt: v.nullable(Instant),
    foldedAt: v.pipe(v.nullable(Instant), v.description('Reports hold what was received up to here.')),
    evaluatedAt: Instant,
  }),
  comparison: v.optional(
    v.pipe(
      v.object({
        from: Instant,
        to: v.pipe(Instant, v.description('Exclusive.')),
        observed: v.pipe(
          v.boolean(),
          v.description(
            'False: nothing was observed in this range, and the zeros of `previous` say nothing.',
          ),
        ),
      }),
      v.description('The range of `compare`, to which `previous` belongs.'),
    ),
  ),
});
export type ReportMeta = v.InferOutput<typeof ReportMeta>;

/** `meta` of a share's answers. */
export const SharedMeta = v.object({
  ...ReportMeta.entries,
  suppressed: v.optional(
    v.pipe(
      v.literal(true),
      v.description('`data` is null, because a group that filters make is too small to show.'),
    ),
  ),
  withheldBelow: v.optional(
    v.pipe(
      Count,
      v.description(
        'Filtered answers only: rows, buckets and other parts of fewer visits or people are left out.',
      ),
    ),
  ),
});

export type SharedMeta = v.InferOutput<typeof SharedMeta>;

export const ListMeta = v.object({
  ...ReportMeta.entries,
  nextCursor: v.pipe(
    v.nullable(v.string()),
    v.description('For the next items, as `cursor`. While events come in, items may move between pages.'),
  ),
});

export interface Report<Data> {
  data: Data;
  meta: ReportMeta;
}

/**
 * A row, point or total, with the same figures of the compared range. Null in a share's answer to filters where these are about too few
 * visits, and in points beyond the compared range.
 */
export const withPrevious = <Entries extends v.ObjectEntries, Figures extends v.ObjectEntries>(
  entries: Entries,
  figures: Figures,
) =>
  v.object({
    ...entries,
    previous: v.optional(
      v.pipe(
        v.nullable(v.object(figures)),
        v.description(
          'With `compare`: the same of the compared range. Null where a share withholds it, and where that range has no such point.',
        ),
      ),
    ),
  });

const Methods = v.object({ anonymousCounts: Count, anonymousSessions: Count, consented: Count });

const overall = {
  visitors: described(Count, 'Tiers 2 and 3 only.'),
  visits: Count,
  pageviews: Count,
  bounceRate: described(
    v.nullable(v.number()),
    'Percent of consented visits, one decimal. Null: there is none; in a share’s answer to filters also fewer than 5.',
  ),
  avgDuration: described(
    v.nullable(v.number()),
    'Seconds, of consented visits, one decimal. Null as `bounceRate`.',
  ),
};

/** docs/reports.md#the-reports */
export const Overview = withPrevious(
  {
    ...overall,
    visitorsChange: described(
      v.nullable(v.number()),
      'Percent against the compared range, without `compare` against the same length just before; from 0 to n is 100. Of a range that ' +
        'isn’t over, the other one ends after as much time. Null: not known, and `meta.coverage.changesUnknown` says why.',
    ),
    visitsChange: described(v.nullable(v.number()), 'As `visitorsChange`.'),
    pageviewsChange: described(v.nullable(v.number()), 'As `visitorsChange`.'),
    tiers: v.optional(
      v.pipe(
        v.object({
          visits: Methods,
          pageviews: Methods,
          visitors: v.object({ anonymousSessions: Count, consented: Count }),
        }),
        v.description(
          'By collection method. A share’s filtered answer lacks it if one has fewer than 5 visits.',
        ),
      ),
    ),
  },
  overall,
);
export type Overview = v.InferOutput<typeof Overview>;

const totals = { visitors: Count, visits: Count, pageviews: Count };

const point = {
  time: v.pipe(
    Instant,
    v.description('Start of the hour, day, ISO week or month; of the first one also before the range.'),
  ),
  ...totals,
  bounceRate: described(
    v.nullable(v.number()),
    'As in `overview`. Null: no consented visit began then; in a share also in an hour with fewer than 5.',
  ),
  avgDuration: described(v.nullable(v.number()), 'As `bounceRate`.'),
};

const partial = v.optional(
  v.pipe(
    v.literal(true),
    v.description('The bucket isn’t whole: it isn’t over yet, or the range has a part of it alone.'),
  ),
);

export const TimeseriesPoint = withPrevious(
  {
    ...point,
    partial,
    parts: v.optional(
      v.pipe(
        v.array(v.object({ value: v.string(), ...totals })),
        v.description(
          `With \`by\`: what the list of the dimension has for this bucket. The same values in each point, those with the most visits first; \`${OTHER}\` ` +
            'is all others together. A share’s answer to filters lacks parts of fewer than 5 visits.',
        ),
      ),
    ),
  },
  point,
);
export type TimeseriesPoint = v.InferOutput<typeof TimeseriesPoint>;

export const HeatmapCell = v.object({
  weekday: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(7), v.description('1 is Monday.')),
  hour: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(0),
    v.maxValue(23),
    v.description('Of the site’s zone: 14 is from 14:00 to 15:00.'),
  ),
  visits: described(Count, 'Visits that began then.'),
  hours: described(Count, 'How many such hours of the range have begun: what a mean is over.'),
});
export type HeatmapCell = v.InferOutput<typeof HeatmapCell>;

/** Of rows where a goal is named or filtered. */
const conversions = {
  exactVisits: v.optional(
    described(
      Count,
      'With a goal: counted visits of tiers 2 and 3 in this row, whether they reached it or not.',
    ),
  ),
  conversions: v.optional(
    described(
      v.nullable(Count),
      'Of `exactVisits`, those that reached the goal. Null: fewer than 5, in a share.',
    ),
  ),
  conversionRate: v.optional(
    described(
      v.nullable(v.number()),
      '`conversions` in percent of `exactVisits`, one decimal. Null: there is no such visit, or `conversions` is null.',
    ),
  ),
};

const pageFigures = { ...totals, reach: described(Count, 'Visitors and anonymous-count page views.') };

export const PageItem = withPrevious(
  { path: v.string(), ...pageFigures, ...conversions },
  { ...pageFigures, ...conversions },
);
export type PageItem = v.InferOutput<typeof PageItem>;

export const ValueItem = withPrevious(
  { value: v.string(), ...totals, ...conversions },
  { ...totals, ...conversions },
);
export type ValueItem = v.InferOutput<typeof ValueItem>;

/** Visits of a value, of a page on which they began or ended, or of a page that they saw. */
export const QualityItem = v.object({
  value: v.string(),
  visits: Count,
  pageviews: Count,
  measured: described(Count, 'Counted visits of tier 3: `bounceRate` and `avgDuration` are of these.'),
  bounceRate: described(v.nullable(v.number()), 'In percent, one decimal. Null: no visit is measured.'),
  avgDuration: described(v.nullable(v.number()), 'In seconds, one decimal. Null as `bounceRate`.'),
});
export type QualityItem = v.InferOutput<typeof QualityItem>;

/** docs/counting.md#live */
export const Live = v.object({
  visitors: described(Count, 'Anonymous-session and consented visitors of the last 5 minutes.'),
  anonymousPageviews: described(Count, 'Anonymous-count page views of the last 5 minutes, give or take one.'),
  count: described(Count, 'Always equal to `visitors`.'),
  pages: v.pipe(
    v.array(v.object({ path: v.string(), visitors: Count })),
    v.description(
      `Where these visitors are: the last page view of each within ${SESSION_GAP_MINUTES} minutes. At most 10.`,
    ),
  ),
});
export type Live = v.InferOutput<typeof Live>;

/** What was refused, or not kept of events, for one reason. */
export const DroppedItem = v.object({
  reason: DroppedReason,
  events: Count,
  example: v.pipe(v.string(), v.description('What such a request looks like. It is of nobody.')),
  days: v.pipe(
    v.array(v.object({ time: Instant, events: Count })),
    v.description('Start of each day on which any was refused.'),
  ),
});
export type DroppedItem = v.InferOutput<typeof DroppedItem>;
