import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import type { Trace } from '../../api/operations.generated.ts';
import { exact, milliseconds, percent } from '../../format.ts';
import { AttributeList, valueText } from '../../parts/attribute-list.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Loss } from '../../parts/loss.tsx';
import { Severity } from '../../parts/severity.tsx';
import { type EnvironmentIds, keptRange, useFields, viewHref } from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';
import { words } from '../../words/index.ts';
import type { AnySpan, Span } from './span-tree.ts';

interface SpanPanelProps {
  environment: EnvironmentIds;
  trace: Trace;
  span: AnySpan | undefined;
  close: () => void;
}

/** Everything about one span. */
export function SpanPanel({ environment, trace, span, close }: SpanPanelProps) {
  const texts = backendWords.trace;
  if (span === undefined) return <aside class="card span-panel soft unchosen">{texts.select}</aside>;
  return (
    <aside class="card span-panel" aria-label={texts.spanId}>
      <header>
        <h2>{span.missing ? texts.missing : span.name}</h2>
        <button type="button" class="button plain" onClick={close}>
          <Icon name="close" />
          <span class="unseen">{words.close}</span>
        </button>
      </header>
      <p class="soft">
        {texts.at(milliseconds(span.offsetMs))} · {milliseconds(span.durationMs)}
        {span.criticalMs !== null && span.criticalMs > 0 && (
          <>
            {' · '}
            {texts.criticalOf(
              milliseconds(span.criticalMs),
              percent((100 * span.criticalMs) / (trace.durationMs || 1), 0),
            )}
          </>
        )}
      </p>
      {span.missing ? (
        <p>{texts.missingText}</p>
      ) : (
        <Received environment={environment} trace={trace} span={span} />
      )}
      <p class="soft">
        {texts.spanId} <code>{span.spanId}</code>
      </p>
    </aside>
  );
}

function Received({ environment, trace, span }: { environment: EnvironmentIds; trace: Trace; span: Span }) {
  const { fields } = useFields();
  const { trace: texts, statuses, kinds } = backendWords;
  const traces = (filter: Record<string, string>): string =>
    viewHref(environment, 'traces', { ...keptRange(fields), ...filter });
  const byAttribute = (key: string, value: string): string => traces({ [`attr.${key}`]: value });
  const resource = trace.resources[span.resource];
  const scope = trace.scopes[span.scope];
  const logs = trace.logs.filter(({ spanId }) => spanId === span.spanId);
  return (
    <>
      <p>
        <strong>{span.service}</strong> · {kinds[span.kind]} ·{' '}
        <span class={span.status === 'error' ? 'wrong' : undefined}>{statuses[span.status]}</span>
      </p>
      {span.statusMessage && <p class="wrong">{span.statusMessage}</p>}
      {span.clockSkewMs !== 0 && <p>{texts.skew(milliseconds(Math.abs(span.clockSkewMs)))}</p>}
      {span.irregularity && <p>{texts.irregular[span.irregularity]}</p>}
      <p>
        <Link class="button" href={traces({ service: span.service, operation: span.name })}>
          {texts.alike}
        </Link>
      </p>
      <Part title={texts.attributes} dropped={span.droppedAttributes} cut={span.cutAttributes} isOpen>
        <AttributeList attributes={span.attributes} hrefOf={byAttribute} />
      </Part>
      {span.events.length + span.droppedEvents > 0 && (
        <Part title={`${texts.events} (${exact(span.events.length)})`} dropped={span.droppedEvents} isOpen>
          {span.events.map(({ name, timeNano, attributes, droppedAttributes }, index) => (
            <div key={index} class="event">
              <p>
                <strong>{name}</strong>{' '}
                <span class="soft">{texts.at(milliseconds(between(span.startNano, timeNano)))}</span>
              </p>
              <AttributeList attributes={attributes} />
              <Loss dropped={droppedAttributes} />
            </div>
          ))}
        </Part>
      )}
      {logs.length > 0 && (
        <Part title={`${texts.logs} (${exact(logs.length)})`} dropped={0} isOpen>
          <ul>
            {logs.map(({ timeNano, severity, body, attributes, ...lost }, index) => (
              <li key={index} class="event">
                <p>
                  <Severity number={severity} /> {valueText(body)}{' '}
                  <span class="soft">{texts.at(milliseconds(between(span.startNano, timeNano)))}</span>
                </p>
                <AttributeList attributes={attributes} />
                <Loss dropped={lost.droppedAttributes} cut={lost.cutAttributes} bodyCut={lost.bodyCut} />
              </li>
            ))}
          </ul>
        </Part>
      )}
      {span.links.length + span.droppedLinks > 0 && (
        <Part title={`${texts.links} (${exact(span.links.length)})`} dropped={span.droppedLinks} isOpen>
          {span.links.map(({ traceId, spanId, attributes, droppedAttributes }, index) => (
            <div key={index} class="event">
              <Link href={viewHref(environment, `traces/${traceId}`, { span: spanId })}>
                <code>{traceId}</code>
              </Link>
              <AttributeList attributes={attributes} />
              <Loss dropped={droppedAttributes} />
            </div>
          ))}
        </Part>
      )}
      {resource && (
        <Part title={texts.resource} dropped={resource.droppedAttributes}>
          <AttributeList
            attributes={resource.attributes}
            hrefOf={(key, value) => traces({ [`resource.${key}`]: value })}
          />
        </Part>
      )}
      {scope && scope.name !== '' && (
        <Part title={texts.scope} dropped={scope.droppedAttributes}>
          <p>
            {scope.name} {scope.version}
          </p>
          <AttributeList attributes={scope.attributes} />
        </Part>
      )}
    </>
  );
}

/** Milliseconds from one time to another, both in nanoseconds. */
const between = (from: string, to: string): number => Number(BigInt(to) - BigInt(from)) / 1e6;

interface PartProps {
  title: string;
  /** How many are missing, and how many were cut. */
  dropped: number;
  cut?: number;
  isOpen?: boolean;
  children: ComponentChildren;
}

const Part = ({ title, dropped, cut = 0, isOpen = false, children }: PartProps) => (
  <details open={isOpen}>
    <summary>{title}</summary>
    {children}
    <Loss dropped={dropped} cut={cut} />
  </details>
);
