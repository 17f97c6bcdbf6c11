/**
 * All reports of a site by name: the input, the items, and the verb. REST, exports and shares use this list, so they give the same answer
 * to the same input.
 */
import * as v from 'valibot';
import type { ReportContext } from '../context.ts';
import type { Cursors } from '../cursor.ts';
import { VALUE_LISTS } from '../visits/dimensions.ts';
import { AssociationItem } from './answers/association-schemas.ts';
import {
  CustomEventItem,
  EventPropItem,
  JourneyItem,
  PagePropItem,
  RetentionItem,
} from './answers/behaviour-schemas.ts';
import { FunnelReport, GoalItem } from './answers/goal-schemas.ts';
import { EngagementItem, VitalsItem } from './answers/measure-schemas.ts';
import {
  DroppedItem,
  HeatmapCell,
  Live,
  Overview,
  PageItem,
  QualityItem,
  type ReportMeta,
  TimeseriesPoint,
  ValueItem,
} from './answers/schemas.ts';
import { askReport } from './ask-report.ts';
import { reportFunnel } from './behaviour/funnel.ts';
import { reportGoals } from './behaviour/goals.ts';
import { reportJourneys } from './behaviour/journeys.ts';
import { reportRetention } from './behaviour/retention.ts';
import { reportAssociations } from './lists/associations.ts';
import { reportCustomEvents } from './lists/custom-events.ts';
import { reportDropped } from './lists/dropped.ts';
import { reportEdgePages } from './lists/edge-pages.ts';
import { reportEventProps } from './lists/event-props.ts';
import { reportPageProps } from './lists/page-props.ts';
import { reportPages } from './lists/pages.ts';
import { reportVisitQuality } from './lists/visit-quality.ts';
import { reportVisitValues } from './lists/visit-values.ts';
import { reportEngagement } from './measures/engagement.ts';
import { reportVitals } from './measures/vitals.ts';
import {
  AnyReport,
  AssociationsInput,
  CampaignsInput,
  EdgePagesInput,
  EventPropsInput,
  EventsInput,
  FunnelInput,
  GoalsInput,
  JourneysInput,
  LiveInput,
  MeasuresInput,
  OverviewInput,
  PagePropsInput,
  PagesInput,
  RangeOnly,
  RetentionInput,
  TimeseriesInput,
  ValuesInput,
  VisitQualityInput,
  VitalsInput,
} from './reading/report-inputs.ts';
import type { ListReport } from './reading/run-report.ts';
import { withSegment } from './segment-filters.ts';
import { reportHeatmap } from './series/heatmap.ts';
import { reportLive } from './series/live.ts';
import { reportOverview } from './series/overview.ts';
import { reportTimeseries } from './series/timeseries.ts';

type Item = v.ObjectSchema<v.ObjectEntries, undefined>;

/** A part of a report's items, in its order. */
export interface Part {
  limit: number;
  offset: number;
}

/** A report's items with `meta`, for callers that read all items. */
export interface Rows {
  data: readonly object[];
  meta: ReportMeta;
  /** Whether there are items after these. */
  more: boolean;
}

export interface ReportDefinition {
  /** The input. Lists have `limit` and `cursor`. */
  input: v.GenericSchema & { readonly entries: v.ObjectEntries };
  /** The schema of `data` in the answer. */
  data: v.GenericSchema;
  /** The schema of an export's row. */
  item: Item;
  isList: boolean;
  /** Answers a checked input. */
  answer: (
    ctx: ReportContext & { cursors: Cursors },
    input: never,
  ) => Promise<{ data: unknown; meta: ReportMeta }>;
  /** Reads a part of its items. A report that isn't a list has one part. */
  read: (ctx: ReportContext, input: never, part: Part) => Promise<Rows>;
}

/** A report with one answer. `rowsOf` returns the rows of its export. */
const whole = <Schema extends ReportDefinition['input'], Data>(
  input: Schema,
  data: v.GenericSchema<Data>,
  item: Item,
  run: (ctx: ReportContext, input: v.InferOutput<Schema>) => Promise<{ data: Data; meta: ReportMeta }>,
  rowsOf: (data: Data) => readonly object[],
) => ({
  input,
  data,
  item,
  isList: false,
  answer: async (ctx: ReportContext, asked: v.InferOutput<Schema> & object) => {
    const { data, meta } = await askReport(ctx, asked, run);
    return { data, meta };
  },
  read: async (ctx: ReportContext, asked: v.InferOutput<Schema> & object): Promise<Rows> => {
    const { data, ...answer } = await askReport(ctx, asked, run);
    return { ...answer, data: data === null ? [] : rowsOf(data) };
  },
});

interface Paged {
  siteId: string;
  limit: number;
  cursor?: string | undefined;
}

/**
 * A report that is read page by page. A cursor is valid only for the same input. While events arrive, items may move between pages.
 * Throws `VALIDATION_ERROR` or `CONFLICT` for a cursor that isn't this input's.
 */
const list = <Schema extends ReportDefinition['input'], Row extends object>(
  name: string,
  input: Schema & v.GenericSchema<unknown, Paged>,
  item: Item,
  run: (ctx: ReportContext, input: v.InferOutput<Schema> & Part) => Promise<ListReport<Row>>,
) => ({
  input,
  data: v.array(item),
  item,
  isList: true,
  answer: async (ctx: ReportContext & { cursors: Cursors }, asked: v.InferOutput<Schema> & Paged) => {
    const { cursor, ...question } = asked;
    const { limit } = asked;
    const scope = { request: [name, JSON.stringify(question)], revision: '' };
    const offset = cursor === undefined ? 0 : await (await ctx.cursors.open(cursor)).positionIn(scope);
    const { data, meta, more } = await askReport(ctx, { ...asked, limit, offset }, run);
    return {
      data,
      meta: { ...meta, nextCursor: more ? await ctx.cursors.issue(scope, offset + limit) : null },
    };
  },
  read: async (ctx: ReportContext, asked: v.InferOutput<Schema> & object, part: Part): Promise<Rows> => {
    const { data, ...answer } = await askReport(ctx, { ...asked, ...part }, run);
    return { ...answer, data: data ?? [] };
  },
});

const all = (items: readonly object[]): readonly object[] => items;

const DEFINITIONS: Readonly<Record<string, ReportDefinition>> = {
  overview: whole(OverviewInput, Overview, Overview, reportOverview, (overview) => [overview]),
  timeseries: whole(TimeseriesInput, v.array(TimeseriesPoint), TimeseriesPoint, reportTimeseries, all),
  heatmap: whole(AnyReport, v.array(HeatmapCell), HeatmapCell, reportHeatmap, all),
  live: whole(LiveInput, Live, Live, reportLive, (live) => [live]),
  dropped: whole(RangeOnly, v.array(DroppedItem), DroppedItem, reportDropped, all),
  pages: list('pages', PagesInput, PageItem, reportPages),
  'entry-pages': list('entry-pages', EdgePagesInput, PageItem, (ctx, input) =>
    reportEdgePages(ctx, { ...input, edge: 'entry' }),
  ),
  'exit-pages': list('exit-pages', EdgePagesInput, PageItem, (ctx, input) =>
    reportEdgePages(ctx, { ...input, edge: 'exit' }),
  ),
  'visit-quality': list('visit-quality', VisitQualityInput, QualityItem, reportVisitQuality),
  utm: list('utm', CampaignsInput, ValueItem, (ctx, { by, ...input }) =>
    reportVisitValues(ctx, { ...input, dimension: `utm_${by}` }),
  ),
  'page-props': list('page-props', PagePropsInput, PagePropItem, reportPageProps),
  engagement: list('engagement', MeasuresInput, EngagementItem, reportEngagement),
  vitals: list('vitals', VitalsInput, VitalsItem, reportVitals),
  events: list('events', EventsInput, CustomEventItem, reportCustomEvents),
  'event-props': list('event-props', EventPropsInput, EventPropItem, reportEventProps),
  journeys: list('journeys', JourneysInput, JourneyItem, reportJourneys),
  retention: list('retention', RetentionInput, RetentionItem, reportRetention),
  associations: list('associations', AssociationsInput, AssociationItem, reportAssociations),
  goals: whole(GoalsInput, v.array(GoalItem), GoalItem, reportGoals, all),
  funnels: whole(
    FunnelInput,
    FunnelReport,
    FunnelReport.entries.steps.item,
    reportFunnel,
    ({ steps }) => steps,
  ),
  ...Object.fromEntries(
    VALUE_LISTS.map(({ path, dimension }) => [
      path,
      list(path, ValuesInput, ValueItem, (ctx, input) => reportVisitValues(ctx, { ...input, dimension })),
    ]),
  ),
};

/** Replaces the segment that an input names by its filters. */
function takingSegments(definition: ReportDefinition): ReportDefinition {
  const resolve = (ctx: ReportContext, input: never) =>
    withSegment(ctx, definition.input.entries.filters, input) as Promise<never>;
  return {
    ...definition,
    answer: async (ctx, input) => definition.answer(ctx, await resolve(ctx, input)),
    read: async (ctx, input, part) => definition.read(ctx, await resolve(ctx, input), part),
  };
}

export const REPORTS: Readonly<Record<string, ReportDefinition>> = Object.fromEntries(
  Object.entries(DEFINITIONS).map(([name, definition]) => [name, takingSegments(definition)]),
);

/** Throws if no report has this name. */
export function reportNamed(name: string): ReportDefinition {
  const report = REPORTS[name];
  if (report === undefined) throw new Error(`There is no report ${name}.`);
  return report;
}
