import * as v from 'valibot';
import { check } from '../../../lib/http/issues.ts';
import { getJourney } from '../../../lib/telemetry/get-journey.ts';
import { getTrace } from '../../../lib/telemetry/get-trace.ts';
import { OneTrace } from '../../../lib/telemetry/trace-schemas.ts';
import { reading } from '../agent-tool.ts';
import { findEnvironment } from '../find-opened.ts';
import { aboutEnvironment, environmentIds, FACTS, MAX_BESIDE, next, telemetry } from '../telemetry-answer.ts';
import { backendFields, backendNotes, backendPaging, backendUntrusted } from '../telemetry-question.ts';
import { tell, tellRows } from '../tool-answer.ts';

export const getTraceTool = reading({
  name: 'get_trace',
  title: 'Read a trace',
  description:
    'What happened in this request? `summary`: critical path, failed spans, logs. `spans`: all as a tree with attributes. `journey`: the visit’s page views and confirmed outcomes.',
  scopes: telemetry,
  entries: {
    traceId: v.pipe(v.string(), v.maxLength(32)),
    view: v.optional(v.picklist(['summary', 'spans', 'journey']), 'summary'),
    environment: backendFields.environment,
    ...backendPaging,
  },
  run: async (ctx, { traceId, view, environment: named, limit, cursor }) => {
    const environment = await findEnvironment(ctx, named);
    const asked = check(OneTrace, { ...environmentIds(environment), traceId });
    const around = { environment: environment.id, traceId: asked.traceId };
    const others = (['summary', 'spans', 'journey'] as const)
      .filter((other) => other !== view)
      .map((other) => next('get_trace', { ...around, view: other }, `The ${other} of this trace.`));
    if (view === 'journey') {
      const { data, meta } = await getJourney(ctx, asked);
      const { spans, ...journey } = data;
      return tell(ctx, {
        ...aboutEnvironment(meta, environment),
        data: { ...journey, spanCount: spans.length },
        notes: [
          ...backendNotes(meta),
          FACTS,
          'A journey tells nobody’s name: it does not prove who a person is.',
        ],
        next: others,
        untrusted: ['data.association', 'data.visit', 'data.pageViews', 'data.outcomes', ...backendUntrusted],
      });
    }
    const { data, meta } = await getTrace(ctx, asked);
    const { spans, logs, resources: _, scopes: __, ...about } = data;
    const rows = spans.map((span) => {
      if (span.missing) return span;
      const {
        parentSpanId: _,
        resource,
        scope,
        events,
        links,
        traceState,
        flags,
        startNano,
        durationNano,
        ...shown
      } = span;
      return { ...shown, events: events.map(({ name, attributes }) => ({ name, attributes })) };
    });
    const records = logs
      .slice(0, MAX_BESIDE)
      .map(({ service, severity, severityText, eventName, body, spanId }) => ({
        ...{ service, severity, severityText, eventName, body, spanId },
      }));
    if (view === 'summary')
      return tell(ctx, {
        ...aboutEnvironment(meta, environment),
        data: {
          ...about,
          criticalPath: rows
            .filter((span) => (span.criticalMs ?? 0) > 0)
            .sort((a, b) => (b.criticalMs ?? 0) - (a.criticalMs ?? 0))
            .slice(0, 10)
            .map(({ spanId, offsetMs, durationMs, criticalMs, ...span }) => ({
              ...{ spanId, offsetMs, durationMs, criticalMs },
              ...(!span.missing && {
                service: span.service,
                name: span.name,
                kind: span.kind,
                status: span.status,
              }),
            })),
          failed: rows
            .filter((span) => !span.missing && span.status === 'error')
            .slice(0, 10)
            .map(
              (span) =>
                !span.missing && {
                  spanId: span.spanId,
                  service: span.service,
                  name: span.name,
                  statusMessage: span.statusMessage,
                  events: span.events.slice(0, 3),
                },
            ),
          logs: records.slice(0, 10),
          logCount: logs.length,
        },
        next: others,
        untrusted: ['data.services', 'data.criticalPath', 'data.failed', 'data.logs', ...backendUntrusted],
      });
    const scope = { request: ['get_trace', asked.environmentId, asked.traceId], revision: '' };
    const offset = cursor === undefined ? 0 : await (await ctx.cursors.open(cursor)).positionIn(scope);
    return tellRows(
      ctx,
      {
        ...aboutEnvironment(meta, environment),
        next: others,
        untrusted: ['data.services', 'data.spans', ...backendUntrusted],
      },
      { rows: rows.slice(offset, offset + limit), offset, more: rows.length > offset + limit },
      {
        dataOf: (part) => ({ ...about, spans: part }),
        issue: (position) => ctx.cursors.issue(scope, position),
      },
    );
  },
});
