import type { ReportMeta } from '../../lib/analytics/schemas.ts';
import { csvFormat, JSON_FORMAT } from '../../lib/export/format.ts';
import { PART_ITEMS, writeItems } from '../../lib/export/write-items.ts';
import { causesOf, type Log } from '../../lib/http/log.ts';
import { readQuery } from '../../lib/http/read.ts';
import { ExportQuery } from './export-query.ts';
import { exportedReport } from './exported-report.ts';
import type { AnalyticsApp, Guards } from './guards.ts';
import { inputOf } from './input.ts';
import { contextOf } from './resources.ts';

/** All rows of a report as a file (docs/reports.md#export), in bounded memory however many there are. */
export function addExportRoutes(app: AnalyticsApp, { gate, limit }: Guards, log: Log) {
  return app.get('/api/v1/sites/:siteId/analytics/export', gate, limit, async (c) => {
    const query = readQuery(c, ExportQuery);
    // One present for all parts: none of them sees another range.
    const now = Date.now();
    const ctx = { ...contextOf(c), now: () => now };
    const { entries, read } = exportedReport(ctx, inputOf(c, query), query);
    const first = await read({ limit: PART_ITEMS, offset: 0 });
    const format = query.format === 'csv' ? csvFormat(entries) : JSON_FORMAT;
    const { requestId } = c.var;
    const stream = streamText(writeItems(format, first, read), (cause) =>
      log({
        level: 'error',
        function: 'analytics',
        event: 'broken-export',
        requestId,
        causes: causesOf(cause),
      }),
    );
    c.header('Content-Type', format.contentType);
    c.header('Content-Disposition', `attachment; filename="${fileName(query, first.meta)}"`);
    return c.body(stream);
  });
}

/** `pages-2026-11-01-2026-11-30.csv`: the range's first and last day. */
function fileName({ report, format }: ExportQuery, { range }: ReportMeta): string {
  const dayOf = (instant: number) =>
    new Date(instant).toLocaleDateString('sv-SE', { timeZone: range.timezone });
  return `${report}-${dayOf(Date.parse(range.from))}-${dayOf(Date.parse(range.to) - 1)}.${format}`;
}

/** A fault ends the answer without its end, which clients take for a broken transfer; `report` is told the cause. */
function streamText(
  parts: AsyncGenerator<string>,
  report: (cause: unknown) => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { value, done } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (cause) {
        report(cause);
        controller.error(cause);
      }
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}
