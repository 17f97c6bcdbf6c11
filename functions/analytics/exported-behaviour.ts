import {
  CustomEventItem,
  EventPropItem,
  JourneyItem,
  RetentionItem,
} from '../../lib/analytics/behaviour-schemas.ts';
import { reportCustomEvents } from '../../lib/analytics/custom-events.ts';
import { reportEventProps } from '../../lib/analytics/event-props.ts';
import { reportFunnel } from '../../lib/analytics/funnel.ts';
import { FunnelReport, GoalItem } from '../../lib/analytics/goal-schemas.ts';
import { reportGoals } from '../../lib/analytics/goals.ts';
import { reportJourneys } from '../../lib/analytics/journeys.ts';
import type { ReportInput } from '../../lib/analytics/report.ts';
import { reportRetention } from '../../lib/analytics/retention.ts';
import type { ReportContext } from '../../lib/context.ts';
import type { ExportQuery } from './export-query.ts';
import type { ExportedReport } from './exported-report.ts';

/** A report on what visitors did or reached, as an export reads it. A funnel's items are its steps. */
export function exportedBehaviour(
  ctx: ReportContext,
  input: ReportInput,
  { report, event: name = '', key, start, end, funnel: funnelId = '' }: ExportQuery,
): ExportedReport {
  switch (report) {
    case 'events':
      return {
        entries: CustomEventItem.entries,
        read: (part) => reportCustomEvents(ctx, { ...input, ...part }),
      };
    case 'event-props':
      return {
        entries: EventPropItem.entries,
        read: (part) => reportEventProps(ctx, { ...input, ...part, name, key }),
      };
    case 'journeys':
      return {
        entries: JourneyItem.entries,
        read: (part) => reportJourneys(ctx, { ...input, ...part, start, end }),
      };
    case 'retention':
      return { entries: RetentionItem.entries, read: (part) => reportRetention(ctx, { ...input, ...part }) };
    case 'goals':
      return {
        entries: GoalItem.entries,
        read: async () => ({ ...(await reportGoals(ctx, input)), more: false }),
      };
    case 'funnels':
      return {
        entries: FunnelReport.entries.steps.item.entries,
        read: async () => {
          const { data, meta } = await reportFunnel(ctx, { ...input, funnelId });
          return { data: data.steps, meta, more: false };
        },
      };
  }
  throw new Error(`no export of ${report}`);
}
