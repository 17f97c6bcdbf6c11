/** The view of `get_trace`: spans in their time with what failed, logs, and the visit and outcomes of a journey. */
import { show, type ViewProps } from './show.tsx';
import { TRACE_WORDS, type TraceWords } from './trace-words.ts';
import { count, milliseconds, when } from './written.ts';

interface SpanEvent {
  name: string;
  attributes: Readonly<Record<string, unknown>>;
}

interface Span {
  spanId: string;
  depth?: number;
  offsetMs: number;
  durationMs: number;
  criticalMs: number | null;
  missing?: boolean;
  service?: string;
  name?: string;
  status?: string;
  statusMessage?: string | null;
  remote?: unknown;
  attributes?: Readonly<Record<string, unknown>>;
  events?: readonly SpanEvent[];
}

interface TraceAnswer {
  data: {
    traceId: string;
    start: string | null;
    durationMs: number | null;
    spanCount: number;
    errorCount?: number;
    services?: readonly string[];
    truncated?: boolean;
    /** Of `summary`. */
    criticalPath?: readonly Span[];
    failed?: readonly Pick<Span, 'spanId' | 'statusMessage' | 'events'>[];
    logs?: readonly { time: string; service: string; severityText: string | null; body: unknown }[];
    logCount?: number;
    /** Of `spans`. */
    spans?: readonly Span[];
    /** Of `journey`. */
    pageViews?: readonly { time: string; path: string }[];
    outcomes?: readonly {
      type: string;
      occurredAt: string;
      value: { amount: string; currency: string } | null;
    }[];
  };
  more?: boolean;
}

/** Services beyond the fifth share colours; each row has its service's name too. */
const COLOURS = 5;
/** Deeper spans are indented like these. */
const MOST_INDENTED = 12;
const INSTANT = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;

/** The tool writes the ends of lines in texts of strangers as escapes; here each line of a stack stands on its own. */
const asText = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('\\u000a', '\n');

function Trace({ answer, words, tag }: ViewProps<TraceAnswer, TraceWords>) {
  const { data } = answer;
  const services = data.services ?? [];
  const failed = new Map(data.failed?.map((span) => [span.spanId, span]));
  const spans = (data.spans ?? [...(data.criticalPath ?? [])].sort((a, b) => a.offsetMs - b.offsetMs)).map(
    (span) => ({ ...span, ...failed.get(span.spanId) }),
  );
  const isPart = data.spans === undefined;
  const figures: [string, string][] = [
    ...(data.durationMs == null
      ? []
      : [[words.duration, milliseconds(data.durationMs, tag)] satisfies [string, string]]),
    [words.spans, count(data.spanCount, tag)],
    ...(data.errorCount === undefined
      ? []
      : [[words.errors, count(data.errorCount, tag)] satisfies [string, string]]),
  ];
  return (
    <>
      <header>
        <h1>{data.pageViews === undefined ? words.trace : words.journey}</h1>
        <p class="soft">
          <code>{data.traceId}</code>{' '}
          {data.start !== null && when(data.start, tag, 'UTC', { dateStyle: 'medium', timeStyle: 'medium' })}{' '}
          UTC
        </p>
      </header>
      <dl class="figures">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class={name === words.errors && (data.errorCount ?? 0) > 0 ? 'wrong' : ''}>{value}</dd>
          </div>
        ))}
        {services.length > 0 && (
          <div class="wide">
            <dt>{words.services}</dt>
            <dd class="legend">
              {services.map((service, index) => (
                <span key={index}>
                  <i class={`dot of-${(index % COLOURS) + 1}`} /> {service}
                </span>
              ))}
            </dd>
          </div>
        )}
      </dl>
      {data.truncated && <p class="soft">{words.truncated}</p>}
      {spans.length > 0 && (
        <section>
          <h2>{isPart ? words.critical : answer.more ? words.firstSpans : words.allSpans}</h2>
          <div class="spans">
            {spans.map((span, index) => (
              <SpanRow
                key={index}
                {...{ span, words, tag }}
                whole={data.durationMs || 1}
                colour={(Math.max(0, services.indexOf(span.service ?? '')) % COLOURS) + 1}
              />
            ))}
          </div>
        </section>
      )}
      <Beside {...{ data, words, tag }} />
    </>
  );
}

interface SpanRowProps {
  span: Span;
  words: TraceWords;
  tag: string;
  /** The trace's duration. */
  whole: number;
  colour: number;
}

/** A span that opens: what it was, why it failed, and its attributes. */
function SpanRow({ span, words, tag, whole, colour }: SpanRowProps) {
  const { offsetMs, durationMs, criticalMs, service, missing, attributes = {}, events = [] } = span;
  const hasFailed = span.status === 'error';
  const from = Math.min(100, Math.max(0, (100 * offsetMs) / whole));
  const width = Math.min(100 - from, (100 * durationMs) / whole);
  const critical =
    criticalMs == null || criticalMs === 0 ? '' : `${milliseconds(criticalMs, tag)} ${words.ofPath}`;
  return (
    <details class={hasFailed ? 'failed' : ''}>
      <summary>
        <span class="name" style={{ paddingLeft: `${0.6 * Math.min(span.depth ?? 0, MOST_INDENTED)}rem` }}>
          {hasFailed && <b class="wrong" role="img" aria-label={words.failed} />}
          {missing ? <em>{words.missing}</em> : span.name}
          <small class="soft"> {service}</small>
        </span>
        <span class="line">
          <span class={`bar of-${missing ? 0 : colour}`} style={{ left: `${from}%`, width: `${width}%` }} />
        </span>
        <span class="number">{milliseconds(durationMs, tag)}</span>
      </summary>
      <div class="inside">
        {span.statusMessage != null && <p class="wrong">{span.statusMessage}</p>}
        {critical !== '' && <p class="soft">{critical}</p>}
        {span.remote !== undefined && (
          <p>
            {words.remote}: <code>{asText(span.remote)}</code>
          </p>
        )}
        {events.map((event, index) => (
          <Attributes key={index} title={event.name} of={event.attributes} />
        ))}
        <Attributes of={attributes} />
      </div>
    </details>
  );
}

function Attributes({ title, of }: { title?: string; of: Readonly<Record<string, unknown>> }) {
  const entries = Object.entries(of);
  if (entries.length === 0 && title === undefined) return null;
  return (
    <dl class="attributes">
      {title !== undefined && <dt class="title">{title}</dt>}
      {entries.map(([key, value]) => (
        <div key={key}>
          <dt>{key}</dt>
          <dd>{asText(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Logs, page views and outcomes. */
function Beside({ data, words, tag }: { data: TraceAnswer['data']; words: TraceWords; tag: string }) {
  const { logs = [], logCount = 0, pageViews, outcomes = [] } = data;
  const clock = (at: string): string => when(at, tag, 'UTC', INSTANT);
  return (
    <>
      {logs.length > 0 && (
        <section>
          <h2>{words.logs}</h2>
          <ul>
            {logs.map(({ time, service, severityText, body }, index) => (
              <li key={index}>
                <span class="soft">
                  {clock(time)} {severityText} {service}
                </span>{' '}
                {asText(body)}
              </li>
            ))}
          </ul>
          {logCount > logs.length && <p class="soft">{words.moreLogs}</p>}
        </section>
      )}
      {pageViews !== undefined && (
        <section>
          <h2>{words.pageViews}</h2>
          {pageViews.length === 0 && <p class="soft">{words.noPage}</p>}
          <ul>
            {pageViews.map(({ time, path }, index) => (
              <li key={index}>
                <span class="soft">{clock(time)}</span> {path}
              </li>
            ))}
          </ul>
        </section>
      )}
      {outcomes.length > 0 && (
        <section>
          <h2>{words.outcomes}</h2>
          <ul>
            {outcomes.map(({ type, occurredAt, value }, index) => (
              <li key={index}>
                <span class="soft">{clock(occurredAt)}</span> {type}
                {value !== null && ` ${value.amount} ${value.currency}`}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

show({ name: 'vendor-trace', words: TRACE_WORDS, View: Trace });
