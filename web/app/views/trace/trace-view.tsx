import { useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { getTrace, type Trace } from '../../api/operations.generated.ts';
import { exact, milliseconds, time } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { type EnvironmentIds, keptRange, useFields, viewHref } from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';
import { words } from '../../words/index.ts';
import { EnvironmentFrame } from '../environment/environment-frame.tsx';
import { JourneyCard, useJourney } from './journey-card.tsx';
import { readZoom, writeZoom } from './minimap.tsx';
import { SpanPanel } from './span-panel.tsx';
import { findSpan, spanName } from './span-tree.ts';
import { Waterfall } from './waterfall.tsx';

/** One trace. The chosen span is in the address. */
export default function TraceView({
  environment,
  traceId,
}: {
  environment: EnvironmentIds;
  traceId: string;
}) {
  return (
    <EnvironmentFrame environment={environment} view="traces">
      <Loaded environment={environment} traceId={traceId} />
    </EnvironmentFrame>
  );
}

function Loaded({ environment, traceId }: { environment: EnvironmentIds; traceId: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['trace', environment, traceId],
    queryFn: ({ signal }) => getTrace({ ...environment, traceId }, signal),
  });
  if (error) return <Failure error={error} retry={refetch} />;
  if (data === undefined) return <p class="empty">{words.loading}</p>;
  return <Whole environment={environment} trace={data.data} />;
}

function Whole({ environment, trace }: { environment: EnvironmentIds; trace: Trace }) {
  const { fields, go } = useFields();
  const chosen = findSpan(trace.spans, fields.span);
  const choose = (index: number): void => go({ span: spanName(trace.spans, index) }, { replace: true });
  const texts = backendWords.trace;
  const { isFetched } = useJourney(environment, trace.traceId);
  return (
    <>
      <Summary environment={environment} trace={trace} />
      <JourneyCard environment={environment} traceId={trace.traceId} choose={choose} />
      {trace.spans.length === 0 ? (
        <div class="empty">
          <strong>{texts.logsOnly}</strong>
        </div>
      ) : (
        <div class="trace">
          <Waterfall
            {...{ trace, chosen, choose }}
            isSettled={isFetched}
            zoom={readZoom(fields.zoom, trace.durationMs ?? 0)}
            onZoom={(zoom) => go({ zoom: writeZoom(zoom) }, { replace: true })}
          />
          <SpanPanel
            environment={environment}
            trace={trace}
            span={chosen === undefined ? undefined : trace.spans[chosen]}
            close={() => go({ span: undefined }, { replace: true })}
          />
        </div>
      )}
    </>
  );
}

/** What the trace is, and what isn't right about it. */
function Summary({ environment, trace }: { environment: EnvironmentIds; trace: Trace }) {
  const { fields } = useFields();
  const { trace: texts, traces } = backendWords;
  const { spans, spanCount, errorCount } = trace;
  const missing = spans.filter((span) => span.missing).length;
  const skewed = spans.filter((span) => !span.missing && span.clockSkewMs !== 0).length;
  const root =
    spans.find((span) => !span.missing && span.parent === null) ?? spans.find((span) => !span.missing);
  return (
    <section class="trace-summary">
      <h2>{root && !root.missing ? `${root.service} ${root.name}` : texts.title}</h2>
      <p class="soft">
        {trace.start && `${time(trace.start, 'instant', 'UTC')} UTC · `}
        {trace.durationMs !== null && `${milliseconds(trace.durationMs)} · `}
        {traces.spans(spanCount, exact(spanCount))}
        {errorCount > 0 && <span class="wrong"> · {traces.errors(errorCount, exact(errorCount))}</span>}
        {trace.services.length > 0 && ` · ${trace.services.join(', ')}`} · <code>{trace.traceId}</code>
      </p>
      {trace.truncated && <p class="notice">{texts.truncated}</p>}
      {missing > 0 && <p class="notice">{texts.missingCount(missing, exact(missing))}</p>}
      {skewed > 0 && <p class="notice">{texts.skewCount(skewed, exact(skewed))}</p>}
      {trace.logsTruncated && <p class="notice">{texts.logsTruncated}</p>}
      <p class="links">
        <Link href={viewHref(environment, 'traces', keptRange(fields))}>{texts.back}</Link>
        {trace.logs.length > 0 && (
          <Link href={viewHref(environment, 'logs', { ...logRange(trace), traceId: trace.traceId })}>
            {texts.allLogs} ({exact(trace.logs.length)})
          </Link>
        )}
      </p>
    </section>
  );
}

const HOUR_MS = 3_600_000;

/** Logs of a trace lie around it. */
function logRange({ start, durationMs, logs }: Trace): { from: string; to: string } {
  const first = Number(BigInt(logs[0]?.timeNano ?? 0) / 1_000_000n);
  const last = Number(BigInt(logs.at(-1)?.timeNano ?? 0) / 1_000_000n);
  const begin = start === null ? first : Math.min(first, Date.parse(start));
  const end = start === null ? last : Math.max(last, Date.parse(start) + (durationMs ?? 0));
  return { from: new Date(begin - HOUR_MS).toISOString(), to: new Date(end + HOUR_MS).toISOString() };
}
