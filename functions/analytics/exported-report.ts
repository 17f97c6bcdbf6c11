import type * as v from 'valibot';
import { reportDropped } from '../../lib/analytics/dropped.ts';
import { reportEdgePages } from '../../lib/analytics/edge-pages.ts';
import { reportEngagement } from '../../lib/analytics/engagement.ts';
import { EngagementItem, VitalsItem } from '../../lib/analytics/measure-schemas.ts';
import { reportOverview } from '../../lib/analytics/overview.ts';
import { reportPages } from '../../lib/analytics/pages.ts';
import type { ReportInput } from '../../lib/analytics/report.ts';
import {
  DroppedItem,
  Overview,
  PageItem,
  type ReportMeta,
  TimeseriesPoint,
  ValueItem,
} from '../../lib/analytics/schemas.ts';
import { reportTimeseries } from '../../lib/analytics/timeseries.ts';
import { reportVisitValues } from '../../lib/analytics/visit-values.ts';
import { reportVitals } from '../../lib/analytics/vitals.ts';
import type { ReportContext } from '../../lib/context.ts';
import type { Part } from '../../lib/export/write-items.ts';
import type { ExportQuery } from './export-query.ts';
import { exportedBehaviour } from './exported-behaviour.ts';
import { VALUE_LISTS } from './lists.ts';
import { intervalOf } from './query.ts';

/** A report as an export reads it. */
export interface ExportedReport {
  /** What its items are. */
  entries: v.ObjectEntries;
  read: (part: { limit: number; offset: number }) => Promise<Part & { meta: ReportMeta }>;
}

/** The report that the query names, with all that the query says of it. One that isn't a list comes whole. */
export function exportedReport(ctx: ReportContext, input: ReportInput, query: ExportQuery): ExportedReport {
  const { report, sort = 'reach', by = 'campaign' } = query;
  const listed = VALUE_LISTS.find(({ path }) => path === report);
  const pages = { entries: PageItem.entries };
  const values = { entries: ValueItem.entries };
  if (listed !== undefined)
    return { ...values, read: (part) => reportVisitValues(ctx, { ...input, ...part }, listed.dimension) };
  switch (report) {
    case 'overview':
      return {
        entries: Overview.entries,
        read: async () => {
          const { data, meta } = await reportOverview(ctx, input);
          return { data: [data], meta, more: false };
        },
      };
    case 'timeseries':
      return {
        entries: TimeseriesPoint.entries,
        read: async () => ({
          ...(await reportTimeseries(ctx, { ...input, interval: intervalOf(query) })),
          more: false,
        }),
      };
    case 'pages':
      return { ...pages, read: (part) => reportPages(ctx, { ...input, ...part, sort }) };
    case 'entry-pages':
      return { ...pages, read: (part) => reportEdgePages(ctx, { ...input, ...part }, 'entry') };
    case 'exit-pages':
      return { ...pages, read: (part) => reportEdgePages(ctx, { ...input, ...part }, 'exit') };
    case 'engagement':
      return {
        entries: EngagementItem.entries,
        read: (part) => reportEngagement(ctx, { ...input, ...part }),
      };
    case 'vitals':
      return { entries: VitalsItem.entries, read: (part) => reportVitals(ctx, { ...input, ...part }) };
    case 'utm':
      return { ...values, read: (part) => reportVisitValues(ctx, { ...input, ...part }, `utm_${by}`) };
    case 'dropped':
      return {
        entries: DroppedItem.entries,
        read: async () => ({ ...(await reportDropped(ctx, input)), more: false }),
      };
  }
  return exportedBehaviour(ctx, input, query);
}
