/**
 * All reports of a site by name: the input, the items, and the verb. REST, exports and shares use this list, so they give the same answer
 * to the same input.
 */
import * as v from 'valibot';
import type { ReportContext } from '../context.ts';
import type { Cursors } from '../cursor.ts';
import { askReport } from './ask-report.ts';
import { AssociationItem } from './association-schemas.ts';
import { reportAssociations } from './associations.ts';
import {
  CustomEventItem,
  EventPropItem,
  JourneyItem,
  PagePropItem,
  RetentionItem,
} from './behaviour-schemas.ts';
import { reportCustomEvents } from './custom-events.ts';
import { VALUE_LISTS } from './dimensions.ts';
import { reportDropped } from './dropped.ts';
import { reportEdgePages } from './edge-pages.ts';
import { reportEngagement } from './engagement.ts';
import { reportEventProps } from './event-props.ts';
import { reportFunnel } from './funnel.ts';
import { FunnelReport, GoalItem } from './goal-schemas.ts';
import { reportGoals } from './goals.ts';
import { reportHeatmap } from './heatmap.ts';
import { reportJourneys } from './journeys.ts';
import { reportLive } from './live.ts';
import { EngagementItem, VitalsItem } from './measure-schemas.ts';
import { reportOverview } from './overview.ts';
import { reportPageProps } from './page-props.ts';
import { reportPages } from './pages.ts';
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
} from './report-inputs.ts';
import { reportRetention } from './retention.ts';
import type { ListReport } from './run-report.ts';
import {
  DroppedItem,
  HeatmapCell,
  Live,
  Overview,
  PageItem,
  type ReportMeta,
  TimeseriesPoint,
  ValueItem,
} from './schemas.ts';
import { withSegment } from './segment-filters.ts';
import { reportTimeseries } from './timeseries.ts';
import { reportVisitValues } from './visit-values.ts';
import { reportVitals } from './vitals.ts';

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
  utm: list('utm', CampaignsInput, ValueItem, (ctx, { by, ...input }) =>
    reportVisitValues(ctx, { ...input, dimension: `utm_${by}` }),
  ),
  'page-props': list('page-props', PagePropsInput, PagePropItem, reportPageProps),
  engagement: list('engagement', MeasuresInput, EngagementItem, reportEngagement),
  vitals: list('vitals', MeasuresInput, VitalsItem, reportVitals),
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
