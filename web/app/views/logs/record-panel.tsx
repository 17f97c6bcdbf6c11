import { Link } from 'wouter-preact';
import type { LogRecord } from '../../api/operations.generated.ts';
import { time } from '../../format.ts';
import { AttributeList, valueText } from '../../parts/attribute-list.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Loss } from '../../parts/loss.tsx';
import { Severity } from '../../parts/severity.tsx';
import { type EnvironmentIds, useFields, viewHref } from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';
import { words } from '../../words/index.ts';

/** The context of a record: records of the same service within this time before and after it. */
const AROUND_MS = 15_000;

interface RecordPanelProps {
  environment: EnvironmentIds;
  record: LogRecord | undefined;
  close: () => void;
}

/** Everything about one record. */
export function RecordPanel({ environment, record, close }: RecordPanelProps) {
  const { fields, hrefWith } = useFields();
  const { logs: texts, trace } = backendWords;
  if (record === undefined) return <aside class="card span-panel soft unchosen">{texts.select}</aside>;
  const { severityNumber, severityText, service, body, eventName, traceId, spanId, scope, resource } = record;
  const at = Date.parse(record.time);
  const around = viewHref(environment, 'logs', {
    service,
    from: new Date(at - AROUND_MS).toISOString(),
    to: new Date(at + AROUND_MS).toISOString(),
    at: fields.at,
  });
  const filter = (kind: 'attr' | 'resource') => (key: string, value: string) =>
    hrefWith({ [`${kind}.${key}`]: value, at: undefined, live: undefined });
  return (
    <aside class="card span-panel" aria-label={texts.record}>
      <header>
        <p>
          <Severity number={severityNumber} /> <strong>{service}</strong>
          {severityText && <span class="soft"> {severityText}</span>}
        </p>
        <button type="button" class="button plain" onClick={close}>
          <Icon name="close" />
          <span class="unseen">{words.close}</span>
        </button>
      </header>
      <p class="soft">{time(record.time, 'instant', 'UTC')} UTC</p>
      {eventName && <p>{eventName}</p>}
      <pre class="body-text">{valueText(body)}</pre>
      <p class="links">
        {traceId !== null && (
          <Link
            class="button"
            href={viewHref(environment, `traces/${traceId}`, { span: spanId ?? undefined })}
          >
            {texts.toTrace}
          </Link>
        )}
        <Link class="button" href={around}>
          {texts.around}
        </Link>
      </p>
      <h2>{trace.attributes}</h2>
      <AttributeList attributes={record.attributes} hrefOf={filter('attr')} />
      <Loss dropped={record.droppedAttributes} cut={record.cutAttributes} bodyCut={record.bodyCut} />
      <details>
        <summary>{trace.resource}</summary>
        <AttributeList attributes={resource.attributes} hrefOf={filter('resource')} />
      </details>
      {scope.name !== '' && (
        <p class="soft">
          {trace.scope}: {scope.name} {scope.version}
        </p>
      )}
    </aside>
  );
}
