import * as v from 'valibot';
import type { OpenedEnvironment } from '../../../lib/accounts/opened-access.ts';
import { DomainError } from '../../../lib/errors.ts';
import { check } from '../../../lib/http/issues.ts';
import { findTraces } from '../../../lib/telemetry/find-traces.ts';
import { getJourney } from '../../../lib/telemetry/get-journey.ts';
import { getTrace } from '../../../lib/telemetry/get-trace.ts';
import type { Journey } from '../../../lib/telemetry/journey-schemas.ts';
import { FindTraces, OneTrace } from '../../../lib/telemetry/trace-schemas.ts';
import { tracesWithVisits } from '../../../lib/telemetry/visits-of-traces.ts';
import type { AgentContext } from '../agent-context.ts';
import { reading } from '../agent-tool.ts';
import { viewOf } from '../chat-views.ts';
import { ChoiceError } from '../choice-error.ts';
import { findEnvironment } from '../find-opened.ts';
import {
  aboutEnvironment,
  environmentIds,
  FACTS,
  journeyOf,
  MAX_BESIDE,
  next,
  noVisit,
  telemetry,
} from '../telemetry-answer.ts';
import { backendFields, backendNotes, backendPaging, backendUntrusted } from '../telemetry-question.ts';
import { charsFor, tell, tellRows } from '../tool-answer.ts';

/** Why a journey has no page. */
const NO_PAGE: Readonly<Record<Journey['coverage']['pageViews'], string | false>> = {
  observed: false,
  'not observed': `\`association\` is null. ${noVisit('this trace')}`,
  'not permitted':
    '`association` is null: the token may not read the website’s side. It needs `analytics:read` and the site.',
};

/** Attributes that name the other side of a call, the newer one first. */
const REMOTE = ['server.address', 'net.peer.name', 'peer.service', 'db.system.name', 'db.system'];

const remoteOf = (attributes: Readonly<Record<string, unknown>>): unknown =>
  REMOTE.map((key) => attributes[key]).find((value) => value !== undefined);

interface SpanEvent {
  name: string;
  attributes: Readonly<Record<string, unknown>>;
}

/** A filter that lets an exception pass once: spans around a failed one repeat it. */
function onlyNew(): (event: SpanEvent) => boolean {
  const seen = new Set<string>();
  return ({ name, attributes }) => {
    const what = JSON.stringify([name, attributes['exception.type'], attributes['exception.message']]);
    if (name === 'exception' && seen.has(what)) return false;
    seen.add(what);
    return true;
  };
}

/** The end of a wrong id's way: what there is instead. */
async function orNewest<Found>(
  ctx: AgentContext,
  environment: OpenedEnvironment,
  found: Promise<Found>,
): Promise<Found> {
  try {
    return await found;
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'NOT_FOUND') throw error;
    const asked = check(FindTraces, { ...environmentIds(environment), period: '30d', limit: 3 });
    const { data } = await findTraces(ctx, asked);
    throw new ChoiceError(
      'NOT_FOUND',
      `${error.message} \`choices\` are the newest that there are; \`find_traces\` finds others.`,
      {
        choices: data.map(({ traceId, start, root }) => ({ traceId, start, ...root })),
      },
    );
  }
}

export const getTraceTool = reading({
  name: 'get_trace',
  title: 'Read a trace',
  description:
    'What happened in this request? `summary`: critical path, failed spans, logs. `spans`: all. `journey`: the visit’s page views and confirmed outcomes.',
  scopes: telemetry,
  view: viewOf('trace'),
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
      const { data, meta } = await orNewest(ctx, environment, getJourney(ctx, asked));
      const { spans, ...journey } = data;
      return tell(ctx, {
        ...aboutEnvironment(meta, environment),
        data: { ...journey, spanCount: spans.length },
        notes: [
          ...backendNotes(meta),
          journey.association === null && NO_PAGE[journey.coverage.pageViews],
          FACTS,
          'A journey tells nobody’s name: it does not prove who a person is.',
        ],
        next: others,
        untrusted: ['data.association', 'data.visit', 'data.pageViews', 'data.outcomes', ...backendUntrusted],
      });
    }
    const [{ data, meta }, visited] = await Promise.all([
      orNewest(ctx, environment, getTrace(ctx, asked)),
      view === 'summary'
        ? tracesWithVisits(ctx, { ...environmentIds(environment), traceIds: [asked.traceId] })
        : null,
    ]);
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
      .map(({ timeNano, service, severity, severityText, eventName, body, spanId }) => ({
        ...{
          time: new Date(Number(timeNano.slice(0, -6))).toISOString(),
          service,
          severity,
          severityText,
          eventName,
          body,
          spanId,
        },
      }));
    const isNew = onlyNew();
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
                remote: remoteOf(span.attributes),
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
                  events: span.events.filter(isNew).slice(0, 3),
                },
            ),
          logs: records.slice(0, 10),
          logCount: logs.length,
        },
        notes: [...backendNotes(meta), visited?.size === 0 && noVisit('this trace')],
        next: visited?.size === 1 ? [journeyOf(around), ...others.slice(0, 1)] : others,
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
      {
        rows: rows.slice(offset, offset + limit),
        offset,
        more: rows.length > offset + limit,
        maxChars: charsFor(limit),
      },
      {
        dataOf: (part) => ({ ...about, spans: part }),
        issue: (position) => ctx.cursors.issue(scope, position),
      },
    );
  },
});
